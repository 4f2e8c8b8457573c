// What a job's log says of what was left out of a file: examples of each sort, and how many more there are of which; and of bad records.
import { expect, test } from 'vitest';
import { importFailure } from '#domain/batch-import/block.ts';
import { createFaultList } from '#domain/batch-import/faults.ts';
import { fail } from '#domain/errors.ts';
import { createReportBuilder } from '#domain/formats/reading/report.ts';
import { errorLines, fileHeading, phaseLog, reportLines } from '../../../apps/worker/formats/import-log.ts';

const leftOut = (fill: (drop: (element: string, text: string) => void) => void): readonly string[] => {
  const builder = createReportBuilder();
  builder.count('resource');
  fill((element, text) => builder.dropText(1, element, text, 'not imported'));
  const lines = reportLines(builder.report());
  return lines.slice(lines.findIndex((line) => line.startsWith('Left out: ')));
};

test('lists all of a few', () => {
  expect(
    leftOut((drop) => {
      drop('one', 'a\n b');
      drop('one', 'c');
    }),
  ).toEqual(['Left out: 2', '\tline 1, one: not imported: a b', '\tline 1, one: not imported: c']);
});

test('what every record has leaves room for what one has, and is counted', () => {
  const lines = leftOut((drop) => {
    for (let record = 0; record < 5000; record += 1) drop('controlfield 001', String(record));
    drop('datafield 773', 'Host');
  });
  expect(lines[0]).toBe('Left out: 5001');
  expect(lines.filter((line) => line.startsWith('\tline 1, controlfield 001'))).toHaveLength(20);
  expect(lines.slice(-2)).toEqual([
    '\tline 1, datafield 773: not imported: Host',
    '\t… and 4980 more: controlfield 001: not imported',
  ]);
});

test('names more sorts than it lists parts, and counts those behind a bound', () => {
  const lines = leftOut((drop) => {
    for (let sort = 0; sort < 1500; sort += 1) drop(`element${sort}`, 'text');
  });
  expect(lines).toHaveLength(402);
  expect(lines[200]).toBe('\tline 1, element199: not imported: text');
  expect(lines[201]).toBe('\t… and 1 more: element200: not imported');
  expect(lines.at(-1)).toBe('\t… and 1100 more');
});

test('bad records are named by what they say of themselves, and by their number alone where they say nothing', () => {
  const faults = createFaultList(10);
  faults.add(fail('malformed_body', 'Must be an object'), 0);
  const letters = { jsonmodel_type: 'accession', title: 'Letters', uri: '/repositories/2/accessions/import_1' };
  faults.add(importFailure({ record: letters, number: 1 }, { id_0: ['Property is required but was missing'] }), 1);
  faults.add(importFailure({ record: {}, number: 2 }, { jsonmodel_type: ['Property is required but was missing'] }), 2);
  const lines = errorLines(fail('import_failed', 'Three records are bad', { report: faults.report() }));
  expect(lines.slice(lines.indexOf('Bad records: 3') + 1)).toEqual([
    'Record 1',
    '\trecord : Must be an object',
    'Record 2: accession Letters /repositories/2/accessions/import_1',
    '\tid_0 : Property is required but was missing',
    'Record 3: record 3',
    '\tjsonmodel_type : Property is required but was missing',
  ]);
});

test('has phases by their numbers, each begun and done once', () => {
  const lines: string[] = [];
  const { step, end } = phaseLog((line) => void lines.push(line));
  end();
  for (const label of ['Reading', 'Reading', 'Saving', 'Reading']) step({ label, done: 0, total: null });
  end();
  end();
  expect(lines).toEqual([
    ...['1. STARTED: Reading', '1. DONE: Reading', '2. STARTED: Saving', '2. DONE: Saving'],
    ...['3. STARTED: Reading', '3. DONE: Reading'],
  ]);
  expect(fileHeading('aid.xml', 'ead_xml')).toEqual(['='.repeat(50), 'ead_xml: aid.xml', '='.repeat(50)]);
});

test('says what was read of a file, and why nothing was', () => {
  const builder = createReportBuilder();
  builder.count('resource');
  for (let count = 0; count < 3; count += 1) builder.count('archival_object');
  expect(reportLines(builder.report())).toEqual(['Read: resource 1, archival_object 3']);
  const nothing = ['No records were found in the input file!', 'Read: nothing'];
  expect(reportLines(createReportBuilder().report())).toEqual(nothing);
  expect(reportLines({ ...createReportBuilder().report(), emptyBecause: 'It is a list of headings' })).toEqual([
    nothing[0],
    'Nothing was made of the file: It is a list of headings',
    nothing[1],
  ]);
});

test('has the block of an error that clients look for, with the place and all that is wrong', () => {
  const rule = '='.repeat(50);
  const head = [rule, 'IMPORT ERROR', rule];
  const found = 'The following errors were found:';
  expect(errorLines(fail('import_failed', { title: ['is missing', 'is odd'], line: 7, hint: null }))).toEqual([
    ...head,
    found,
    '\ttitle : ["is missing","is odd"]',
    '\tline : 7',
  ]);
  expect(errorLines(fail('import_failed', 'Not XML'))).toEqual([...head, found, '\tNot XML']);
  expect(errorLines(new Error('secret'))).toEqual([
    ...head,
    found,
    '\tThe job failed for a reason that is in the log of the server',
  ]);
  const placeOf = (record: number | null) =>
    record === null ? { file: 'a.csv', line: null } : { file: record === 2 ? 'b.csv' : null, line: record };
  const about = {
    record_number: 2,
    record_type: 'accession',
    record_title: '',
    errors: { title: ['is missing'], date: 'odd' },
  };
  expect(errorLines(fail('import_failed', about), placeOf)).toEqual([
    ...head,
    ...['File: b.csv', 'Line: 2', 'Record 2: accession', found],
    ...['\ttitle : is missing', '\tdate : odd'],
  ]);
  const faults = [
    { file: 'x.csv', line: 3, column: 'title', message: 'is missing' },
    { line: 4, column: 5, message: 'is odd' },
  ];
  expect(errorLines(fail('import_failed', { message: 'Cells are wrong', faults }), placeOf)).toEqual([
    ...head,
    ...['File: a.csv', found, '\tmessage : Cells are wrong', 'Faults of cells: 2'],
    ...['\tx.csv, line 3, title: is missing', '\tline 4, 5: is odd'],
  ]);
  const report = (complete: boolean) => ({ report: { complete, faults: [{ record_number: 9 }] } });
  const bad = (complete: boolean): readonly string[] =>
    errorLines(fail('import_failed', 'Bad', report(complete)), placeOf).slice(head.length + 3);
  expect([bad(true), bad(false)]).toEqual([
    ['Bad records: 1', 'Line: 9', 'Record 9'],
    ['Bad records: the first 1', 'Line: 9', 'Record 9'],
  ]);
});
