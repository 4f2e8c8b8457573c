// The log of an import as the console reads it: faults by file, record, line and column, and what is left out of each file.
import { expect, it } from 'vitest';
import { givenFiles } from '../../../apps/console/jobs/given-files.ts';
import { readImportLog } from '../../../apps/console/jobs/import-log.ts';

const rule = '='.repeat(50);
const read = (lines: readonly string[]) => {
  const log = readImportLog();
  for (const line of lines) log.take(line);
  return log;
};

it('tells the file, line and column of a document that cannot be read', () => {
  const log = read([
    '1. STARTED: Reading JSON records',
    ...[rule, 'ead_xml: a.xml', rule],
    ...[rule, 'IMPORT ERROR', rule],
    'File: a.xml',
    'The following errors were found:',
    '\tmessage : The document is not well-formed XML: unexpected close tag.',
    '\tline : 4',
    '\tcolumn : 6',
    '\telement : ead',
    '{"message":"The document is not well-formed XML: unexpected close tag.","line":4,"column":6,"element":"ead"}',
  ]);
  expect(log.faults()).toEqual([
    {
      file: 'a.xml',
      record: null,
      line: 4,
      column: '6',
      property: null,
      says: 'The document is not well-formed XML: unexpected close tag.',
    },
  ]);
  expect(log.leftOut()).toEqual([]);
});

it('tells every bad record once, with what each of its properties is', () => {
  const log = read([
    ...[rule, 'IMPORT ERROR', rule],
    'Record 7: resource Letters',
    'The following errors were found:',
    '\tid_0 : That ID is already in use',
    'Bad records: 2',
    'Record 7: resource Letters',
    '\tead_id : Must be unique',
    '\tid_0 : That ID is already in use',
    'File: second.xml',
    'Record 9: archival_object Log',
    '\tlevel : Property is required but was missing',
    '{"record_title":"Letters","errors":{"id_0":["That ID is already in use"]}}',
  ]);
  const place = { line: null, column: null };
  const first = { file: null, record: 'Record 7: resource Letters', ...place };
  expect(log.faults()).toEqual([
    { ...first, property: 'ead_id', says: 'Must be unique' },
    { ...first, property: 'id_0', says: 'That ID is already in use' },
    {
      file: 'second.xml',
      record: 'Record 9: archival_object Log',
      ...place,
      property: 'level',
      says: 'Property is required but was missing',
    },
  ]);
});

it('tells the row of each bad record of a sheet', () => {
  const log = read([
    ...[rule, 'IMPORT ERROR', rule],
    'Line: 5',
    'Record 2: location',
    'The following errors were found:',
    '\tcoded_errors : location_fields_error',
  ]);
  expect(log.faults()).toMatchObject([{ file: null, record: 'Record 2: location', line: 5, property: 'coded_errors' }]);
});

it('tells the row and the column of each cell of a sheet', () => {
  const log = read([
    ...[rule, 'IMPORT ERROR', rule],
    'The following errors were found:',
    '\tmessage : The sheet cannot be read.',
    'Faults of cells: 2',
    '\tline 3, begin: not a date: soon',
    '\tgifts, 2026.csv, line 12, title: missing',
  ]);
  const cell = { record: null, property: null };
  expect(log.faults()).toEqual([
    { ...cell, file: null, line: 3, column: 'begin', says: 'not a date: soon' },
    { ...cell, file: 'gifts, 2026.csv', line: 12, column: 'title', says: 'missing' },
  ]);
});

it('tells what is left out of each file, and how many parts the log does not list', () => {
  const log = read([
    ...[rule, 'ead_xml: one.xml', rule],
    'Read: resource 1',
    'Left out: 3',
    '\tline 2, publisher: not imported from publicationstmt: The press',
    '\t… and 2 more',
    ...[rule, 'ead_xml: two.xml', rule],
    'Read: resource 1',
    ...[rule, 'ead_xml: three.xml', rule],
    'Read: resource 1',
    'Left out: 8',
    '\tline 9, head: not imported inside controlaccess: Subjects',
    '\t… and 7 more: head: why',
    '1. DONE: Reading JSON records',
    '\tname_source: lcnaf',
  ]);
  expect(log.leftOut()).toEqual([
    { file: 'one.xml', total: 3, parts: ['line 2, publisher: not imported from publicationstmt: The press'], more: 2 },
    {
      file: 'three.xml',
      total: 8,
      parts: ['line 9, head: not imported inside controlaccess: Subjects', '… and 7 more: head: why'],
      more: 0,
    },
  ]);
  expect(log.faults()).toEqual([]);
});

it('knows the files that a job was given', () => {
  expect(givenFiles({ jsonmodel_type: 'import_job', filenames: ['a.xml', 'b.xml'] })).toEqual(['a.xml', 'b.xml']);
  expect(givenFiles({ jsonmodel_type: 'bulk_import_job', filename: 'a.csv' })).toEqual(['a.csv']);
  expect(givenFiles({ jsonmodel_type: 'bulk_archival_object_updater_job' })).toEqual(['sheet']);
  expect(givenFiles({ jsonmodel_type: 'trim_whitespace_job' })).toEqual([]);
});
