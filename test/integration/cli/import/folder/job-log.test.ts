// The log of an import job of several files, as lines.
import { expect, it } from 'vitest';
import { JobLog, faultsOf } from '../../../../../apps/cli/import/folder/job-log.ts';

const rule = '='.repeat(50);
const linesOf = (name: string, id: string, more: readonly string[] = []): readonly string[] => [
  rule,
  `eac_xml: ${name}`,
  rule,
  'Read: agent_person 1',
  ...more,
  `Temporary uris: import_${id}`,
];
const read = (lines: readonly string[]): JobLog => {
  const log = new JobLog('eac_xml');
  for (const line of lines) log.take(line);
  return log;
};

it('tells of each file what was read and left out, and of which a record is', () => {
  const log = read([
    '1. STARTED: Reading JSON records',
    ...linesOf('a.xml', 'aa-1', ['Left out: 3', '\tline 4, x: why: text', '\t… and 2 more']),
    ...linesOf('b.xml', 'bb-2'),
    '1. DONE: Reading JSON records',
    'Created: /agents/people/import_bb-2-1',
    'Created: /agents/people/import_aa-1-1',
  ]);
  expect(log.sectionOf('a.xml')).toMatchObject({ leftOutTotal: 3, leftOut: ['line 4, x: why: text', '… and 2 more'] });
  expect(log.sectionOf('b.xml')).toMatchObject({ read: 'agent_person 1', leftOutTotal: 0, leftOut: [] });
  expect(log.ownersOf(2)).toEqual(['b.xml', 'a.xml']);
  // Where the log has not all of them nobody knows which is whose.
  expect(log.ownersOf(3)).toBeNull();
});

it('forgets what a worker wrote that was killed', () => {
  const first = [
    '1. STARTED: Reading JSON records',
    ...linesOf('a.xml', 'aa-1'),
    'Created: /agents/people/import_aa-1-1',
  ];
  const log = read([
    ...first,
    '1. STARTED: Reading JSON records',
    ...linesOf('a.xml', 'cc-3'),
    'Created: /agents/people/import_cc-3-1',
  ]);
  expect(log.ownersOf(1)).toEqual(['a.xml']);
});

it('gathers the lines of an error into faults', () => {
  expect(
    faultsOf([
      'The following errors were found:',
      'message : not well-formed',
      'line : 7',
      'column : 3',
      'element : ead',
      'Faults of cells: 1',
      'b.csv, line 9, accession_date: Not a date',
      'Bad records: 1',
      'File: c.xml',
      'Record 2: resource Papers /x',
      'id_0 : already in use',
      'id_0 : already in use',
      'File: d.csv',
      'Line: 12',
      'Record 3: location',
      'coded_errors : location_fields_error',
      'File: e.csv',
      'Line: 4',
      'Record 4',
      'record : Must be an object',
      '{"record_number":2}',
    ]),
  ).toEqual([
    { line: 7, text: 'ead: not well-formed' },
    { line: 9, text: 'accession_date: Not a date' },
    { line: null, text: 'Record 2: resource Papers /x: id_0 : already in use' },
    { line: 12, text: 'Record 3: location: coded_errors : location_fields_error' },
    { line: 4, text: 'Record 4: record : Must be an object' },
  ]);
});
