// The report of a load.
import { expect, test } from 'vitest';
import { faultyRows, loadedRows, loadReport } from '#domain/spreadsheets/load/report.ts';

const planned = (row: number, title: string, uri = `t${row}`, refId: string | null = null) => ({
  row,
  title,
  uri,
  refId,
});

test('has a line for each row and below it one for each thing to know, without formulas', () => {
  const rows = [
    { row: 5, status: 'Created' as const, title: '=1+1', uri: '/a', refId: 'r', messages: ['one, two', '-x'] },
    { row: null, status: 'Error' as const, title: '', uri: '', refId: '', messages: [] },
  ];
  expect([...loadReport(rows)].join('')).toBe(
    'Row,Status,Title,URI,Ref ID,Info or Error\n\n5,Created,\'=1+1,/a,r,\n5,,,,,"one, two"\n5,,,,,\'-x\n,Error,,,,\n',
  );
});

test('names every row of a sheet that is refused, those that are right too, after what concerns the sheet', () => {
  const faults = [
    { row: 6, column: 'b', message: 'wrong' },
    { row: null, column: null, message: 'too long' },
    { row: 6, column: null, message: 'odd' },
  ];
  expect(
    faultyRows([planned(5, 'Five'), planned(6, 'Six')], faults).map(({ row, status, title, messages }) => [
      row,
      status,
      title,
      ...messages,
    ]),
  ).toEqual([
    [null, 'Error', '', 'too long'],
    [5, 'Not loaded', 'Five'],
    [6, 'Error', 'Six', 'b: wrong', 'odd'],
  ]);
});

test('has real uris and ref_ids for what was stored, and the uris of what came with it', () => {
  const plan = {
    sheet: null,
    records: [],
    attachments: [],
    faults: [],
    rows: [planned(5, 'Five'), planned(6, 'Six', '/repositories/2/archival_objects/3', 'r3')],
    made: [{ row: 5, uri: 'b', says: 'box' }],
    notes: [{ row: 5, message: 'note' }],
  };
  const uris = new Map([
    ['t5', '/repositories/2/archival_objects/9'],
    ['b', '/b/1'],
  ]);
  expect(
    loadedRows(plan, 'Created', uris, new Map([[9, 'r9']])).map(({ uri, refId, messages }) => [
      uri,
      refId,
      ...messages,
    ]),
  ).toEqual([
    ['/repositories/2/archival_objects/9', 'r9', 'box: /b/1', 'note'],
    ['/repositories/2/archival_objects/3', 'r3'],
  ]);
  expect(loadedRows(plan, 'Valid', new Map(), new Map()).map(({ uri, messages }) => [uri, ...messages])).toEqual([
    ['', 'box', 'note'],
    ['/repositories/2/archival_objects/3'],
  ]);
});
