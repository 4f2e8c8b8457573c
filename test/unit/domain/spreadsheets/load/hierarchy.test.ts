// Where rows stand in the tree, from their numbers.
import { expect, test } from 'vitest';
import { openHierarchy } from '#domain/spreadsheets/load/hierarchy.ts';
import { readRow } from '#domain/spreadsheets/load/row-reader.ts';
import type { SheetFault } from '#domain/spreadsheets/rows.ts';

const lists = { value: () => undefined, isOpen: () => false };
function parents(
  levels: readonly string[],
  start: Parameters<typeof openHierarchy>[0] = null,
): { readonly parents: readonly (string | null)[]; readonly faults: readonly string[] } {
  const hierarchy = openHierarchy(start);
  const faults: SheetFault[] = [];
  const found = levels.map((level, at) =>
    hierarchy.parentOf(
      readRow({ row: at, cells: new Map(level === '' ? [] : [['hierarchy', level]]) }, lists, faults, []),
      `n${at}`,
    ),
  );
  return { parents: found, faults: faults.map(({ row, message }) => `${row}: ${message}`) };
}

test('puts a row below the nearest row before that is one higher', () => {
  expect(parents(['1', '2', '3', '3', '2', '1', '2'])).toEqual({
    parents: [null, 'n0', 'n1', 'n1', 'n0', null, 'n5'],
    faults: [],
  });
});

test('begins beside an archival object where the job names one, or below it', () => {
  const start = { uri: 'x', parent: 'p' };
  expect(parents(['2', '1', '2'], start).parents).toEqual(['x', 'p', 'n1']);
  expect(parents(['1'], { uri: 'x', parent: null }).parents).toEqual([null]);
  expect(parents(['3'], start).faults).toEqual(['0: May be 2 at most: one more than in the row before']);
});

test('tells each wrong number once: rows after it are read as if it were right', () => {
  expect(parents(['2', '2', '5', '4', '', '0', 'x']).faults).toEqual([
    '0: The first row must have 1',
    '2: May be 3 at most: one more than in the row before',
    '4: Is required',
    '5: 0 is no level; the highest is 1',
    '6: x is no level; the highest is 1',
  ]);
});
