// The table of entity names.
import { expect, test } from 'vitest';
import { isoEntities, knownEntities } from '#domain/formats/xml/entities.ts';

test('holds the 252 names of HTML 4 and the apostrophe, and nothing inherited', () => {
  const table = knownEntities();
  expect(Object.keys(table)).toHaveLength(253);
  expect([table['eacute'], table['nbsp'], table['amp'], table['apos'], table['euro']]).toEqual([
    'é',
    '\u00a0',
    '&',
    "'",
    '€',
  ]);
  expect(table['constructor']).toBeUndefined();
});

test('the ISO sets add to them, and repeat none', () => {
  const [html, iso] = [knownEntities(), isoEntities()];
  expect(Object.keys(iso).filter((name) => name in html)).toEqual([]);
  expect([iso['Lstrok'], iso['half'], iso['commat'], iso['constructor']]).toEqual(['Ł', '½', '@', undefined]);
});
