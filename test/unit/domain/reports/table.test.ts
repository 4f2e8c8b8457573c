// Rows of reports as lines of a table (contract trees-and-jobs 7.2): combinations of what lists hold, and nothing of long lists lost.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import type { ReportColumn } from '#domain/reports/table.ts';
import { tableHead, tableLines } from '#domain/reports/table.ts';

const columns: readonly ReportColumn[] = [
  { key: 'title' },
  { key: 'dates', parts: ['begin', 'end'] },
  { key: 'flag' },
  { key: 'names', parts: ['name'] },
];
const linesOf = (row: JsonObject, asJson = false) => [...tableLines(row, columns, asJson)];
const many = (length: number, name: string): JsonObject[] =>
  Array.from({ length }, (_, index) => ({ [name]: String(index) }));

describe('a row', () => {
  test('has a column for each key of its lists, or one of JSON', () => {
    expect(tableHead(columns, false)).toEqual(['title', 'dates_begin', 'dates_end', 'flag', 'names_name']);
    expect(tableHead(columns, true)).toEqual(['title', 'dates', 'flag', 'names']);
  });

  test('is a line where its lists are empty, and one for each combination where they are not', () => {
    expect(linesOf({ title: 'T', dates: [], flag: false, names: [] })).toEqual([['T', null, null, false, null]]);
    expect(
      linesOf({
        title: 'T',
        dates: [{ begin: '1' }, { begin: '2', end: '3' }],
        flag: true,
        names: [{ name: 'a' }, { name: 'b' }],
      }),
    ).toEqual([
      ['T', '1', null, true, 'a'],
      ['T', '1', null, true, 'b'],
      ['T', '2', '3', true, 'a'],
      ['T', '2', '3', true, 'b'],
    ]);
    expect(linesOf({ title: 'T', dates: [{ begin: '1' }], flag: null, names: [] }, true)).toEqual([
      ['T', '[{"begin":"1"}]', null, '[]'],
    ]);
  });

  test('of a long list has a line for each entry', () => {
    expect(linesOf({ title: 'T', names: many(5000, 'name') }).map((line) => line.at(-1))).toEqual(
      many(5000, 'name').map(({ name }) => name),
    );
    expect(linesOf({ title: 'T', dates: many(10, 'begin'), names: many(1000, 'name') })).toHaveLength(10_000);
  });

  test('of more combinations than anybody reads has its lists side by side, each entry once', () => {
    const lines = linesOf({ title: 'T', dates: many(400, 'begin'), flag: true, names: many(1000, 'name') });
    expect(lines).toHaveLength(1000);
    expect([lines[399], lines[400], lines[999]]).toEqual([
      ['T', '399', null, true, '399'],
      ['T', null, null, true, '400'],
      ['T', null, null, true, '999'],
    ]);
  });
});
