// What a job's log says of what was left out of a file: examples of each sort, and how many more there are of which; and of bad records.
import { expect, test } from 'vitest';
import { importFailure } from '#domain/batch-import/block.ts';
import { createFaultList } from '#domain/batch-import/faults.ts';
import { fail } from '#domain/errors.ts';
import { createReportBuilder } from '#domain/formats/reading/report.ts';
import { errorLines, reportLines } from '../../../apps/worker/formats/import-log.ts';

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
