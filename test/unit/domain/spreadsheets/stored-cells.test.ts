// Cells that say what is stored as far as a workbook can say it: what counts as the same, and which texts may not be changed in a sheet.
import { expect, test } from 'vitest';
import { withStored } from '#domain/spreadsheets/stored-cells.ts';

const long = 'y'.repeat(40_000);
const record = {
  id: 1,
  record: { title: ' Two\r\nlines\u000b ', component_id: ' ', repository_processing_note: long },
  linked: new Map(),
};
const read = (cells: { readonly [path: string]: string | null }) => {
  const { row, faults } = withStored({ row: 3, cells: new Map(Object.entries(cells)) }, record);
  return [Object.fromEntries(row.cells), faults.map(({ column }) => column)];
};

test('blanks, line ends, control characters and the end of a long text are no change', () => {
  const { title, component_id, repository_processing_note } = record.record;
  expect(
    read({ title: 'Two\nlines', component_id: null, repository_processing_note: long.slice(0, 32_767), level: 'file' }),
  ).toEqual([{ title, component_id, repository_processing_note, level: 'file' }, []]);
});

test('all else is, and of a text that came out cut it is a fault, unless it is blanked', () => {
  const changed = { title: 'Two lines', component_id: 'c', repository_processing_note: 'yy' };
  expect(read(changed)).toEqual([changed, ['repository_processing_note']]);
  expect(read({ title: null, repository_processing_note: null })).toEqual([
    { title: null, repository_processing_note: null },
    [],
  ]);
});
