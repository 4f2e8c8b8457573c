// Counts of types that documents have only for the public: a shared document counts as its copy, too.
import { expect, it } from 'vitest';
import { facetFieldOf, facetSearch, withCopyTypes } from '#store/search/typesense/facets.ts';

it('counts a field by the numbers of its values, a hundred at most', () => {
  expect(facetFieldOf({ name: 'level' })).toBe('v_level');
  expect(facetSearch({ name: 'level' }, 'audience:>=0')).toEqual({
    filter: 'audience:>=0',
    limit: 0,
    facet: 'v_level',
    mostValues: 100,
  });
});

const types = {
  field: 'types',
  counts: [
    ['resource', 5],
    ['archival_object', 3],
    ['pui', 1],
  ],
} as const;
const level = { field: 'level', counts: [['fonds', 5]] } as const;

it('adds as many of each type of copies as there are shared documents, in the order of counts and names', () => {
  expect(withCopyTypes([level, types], ['pui_record', 'pui'], 3)).toEqual([
    level,
    {
      field: 'types',
      counts: [
        ['resource', 5],
        ['pui', 4],
        ['archival_object', 3],
        ['pui_record', 3],
      ],
    },
  ]);
});

it('adds nothing where none is shared', () => {
  expect(withCopyTypes([level, types], ['pui'], 0)).toEqual([level, types]);
});

it('has a hundred values still', () => {
  const many = { field: 'types', counts: Array.from({ length: 100 }, (_, index) => [`t${index}`, 2] as const) };
  const [facet] = withCopyTypes([many], ['pui', 'pui_record'], 3);
  expect(facet?.counts.length).toBe(100);
  expect(facet?.counts.slice(0, 3)).toEqual([
    ['pui', 3],
    ['pui_record', 3],
    ['t0', 2],
  ]);
});
