// The vectors of a document, as tsvector literals.
import { expect, it } from 'vitest';
import { buildVectors } from '#domain/search/vector.ts';

it('gives words their position, weight and prefixes, and keys and context none', () => {
  const { tsv, head, length, lexemes } = buildVectors({
    parts: [{ text: "D'Arcy maps", weight: 'B', prefixes: ['t='] }, { text: 'a note', weight: 'D', prefixes: [] }],
    context: ['papers'],
    marks: ['k=ms1', 'x=level=it\'s \\'],
  });
  expect(tsv).toBe("'v=all' 'k=ms1' 'x=level=it''s \\\\' 'darcy':1B 't=darcy':1B 'arcy':1B 't=arcy':1B 'maps':2B 't=maps':2B 'a':23 'note':24 'papers'");
  expect(head).toBe("'darcy':1B 't=darcy':1B 'arcy':1B 't=arcy':1B 'maps':2B 't=maps':2B");
  expect(length).toBe(4);
  expect(lexemes).not.toContain('k=ms1');
});

it('keeps a very long document under the limits of a tsvector', () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `wörd${index}`).join(' ');
  const { tsv, isCut, length } = buildVectors({ parts: [{ text: 'same '.repeat(20_000), weight: 'D', prefixes: [] }, { text, weight: 'D', prefixes: [] }], context: [], marks: [] });
  expect(isCut).toBe(true);
  expect(length).toBe(220_000);
  const same = /'same':([\d,]+)/.exec(tsv)?.[1]?.split(',') ?? [];
  expect(same).toHaveLength(255);
  expect(Math.max(...[...tsv.matchAll(/:(\d+)/g)].map(([, position]) => Number(position)))).toBeLessThanOrEqual(16_383);
});
