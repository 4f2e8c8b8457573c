// The vector of a document.
import { expect, it } from 'vitest';
import { buildVector } from '#domain/search/documents/vector.ts';
import { headText, tsvectorText } from '#test/support/tsvector.ts';

it('gives words their position, weight and prefixes, and keys and context none', () => {
  const vector = buildVector({
    parts: [
      { text: "D'Arcy maps", weight: 'B', prefixes: ['t='] },
      { text: 'a note', weight: 'D', prefixes: [] },
    ],
    context: ['papers'],
    marks: ['k=ms1', "x=level=it's \\"],
  });
  expect(tsvectorText(vector)).toBe(
    "'v=all' 'k=ms1' 'x=level=it''s \\\\' 'darcy':1B 't=darcy':1B 'arcy':1B 't=arcy':1B 'maps':2B 't=maps':2B 'a':23 'note':24 'papers'",
  );
  expect(headText(vector)).toBe("'darcy':1B 't=darcy':1B 'arcy':1B 't=arcy':1B 'maps':2B 't=maps':2B");
  expect(vector.length).toBe(4);
});

it('keeps a very long document under the limits of a tsvector', () => {
  const note = Array.from({ length: 200_000 }, (_, index) => `wörd${index}`).join(' ');
  const vector = buildVector({
    parts: [
      { text: 'same '.repeat(20_000), weight: 'D', prefixes: [] },
      { text: note, weight: 'D', prefixes: [] },
    ],
    context: [],
    marks: [],
  });
  expect(vector).toMatchObject({ isCut: true, length: 220_000 });
  const text = tsvectorText(vector);
  const same = /'same':([\d,]+)/.exec(text)?.[1]?.split(',') ?? [];
  expect(same).toHaveLength(255);
  expect(Math.max(...[...text.matchAll(/:(\d+)/g)].map(([, position]) => Number(position)))).toBeLessThanOrEqual(
    16_383,
  );
});

it('gives the places of a lexeme in order, of several at one the weightiest', () => {
  // The variants of what is glued by punctuation stand at one place.
  const vector = buildVector({
    parts: [
      { text: 'a-a b', weight: 'C', prefixes: [] },
      { text: 'a', weight: 'A', prefixes: ['a', ''] },
    ],
    context: [],
    marks: [],
  });
  for (const { places } of vector.lexemes)
    expect(places.map((place) => place & 0x3fff)).toEqual(
      [...new Set(places.map((place) => place & 0x3fff))].sort((x, y) => x - y),
    );
  expect(tsvectorText(vector)).toContain("'a':1C,2C,24A");
});
