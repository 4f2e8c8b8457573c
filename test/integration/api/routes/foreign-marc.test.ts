// MARC as catalogues give it, sent as clients send it: main entries, what the log names, and files that are no MARCXML.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { marcField, marcRecord } from '#test/support/marc-document.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository('MARC');
});
afterAll(() => api[Symbol.asyncDispose]());

const imported = (import_type: string, content: string | Uint8Array): Promise<EndedJob> =>
  runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type, filenames: ['foreign'] },
    { file: { name: 'foreign', content } },
  );

const described = (number: string): string =>
  `${marcField('245', '0', '0', { a: `Papers ${number}`, f: '1900' })}${marcField('099', ' ', ' ', { a: number })}${marcField('300', ' ', ' ', { a: '3 Linear Feet' })}`;

test('a uniform title as main entry is a subject, like one as added entry', async () => {
  const ended = await imported(
    'marcxml',
    marcRecord(`${described('M1')}${marcField('130', '0', ' ', { a: 'Bible.', 2: 'local' })}`),
  );
  expect(ended.status, ended.log).toBe('completed');
  const [subject = ''] = ended.records.filter((uri) => uri.startsWith('/subjects/'));
  expect((await api.get(subject)).json).toMatchObject({
    source: 'local',
    terms: [{ term: 'Bible', term_type: 'uniform_title' }],
  });
});

test.each(['marcxml', 'marcxml_accession'])(
  'the log of %s names the number of a record, and what steers its notes',
  async (type) => {
    const note = marcField('520', '2', ' ', { 3: 'Letters', a: 'To a friend.', 5: 'NjP', 8: '1' });
    const ended = await imported(type, marcRecord(`${described(`N ${type}`)}${note}`, { number: 'ocm0123' }));
    expect(ended.status, ended.log).toBe('completed');
    for (const told of [
      'controlfield 001: the number of the record is not imported: ocm0123',
      'datafield 520: subfield 5 is not imported: NjP',
      'datafield 520: subfield 8 is not imported: 1',
    ])
      expect(ended.log).toContain(told);
    expect(ended.log).not.toContain('subfield 3');
  },
);

const binary = (text: string): Uint8Array =>
  Buffer.from(`00074npc  2200049 a 4500245002400000\x1e00\x1fa${text}\x1e\x1d`, 'latin1');

test.each([
  [
    'binary MARC in MARC-8',
    binary('Papers of Jos\xe2e'),
    'MARC in its binary form (ISO 2709), not XML; convert it to MARCXML',
  ],
  ['binary MARC in UTF-8', binary('Papers'), 'MARC in its binary form (ISO 2709), not XML; convert it to MARCXML'],
  ['a workbook', Buffer.from('PK\x03\x04more of it', 'latin1'), 'an archive or a workbook, not XML'],
  ['what is compressed', Buffer.from('\x1f\x8b\x08\x00', 'latin1'), 'compressed, not XML'],
])('%s is refused as what it is', async (_what, content, says) => {
  const ended = await imported('marcxml', content);
  expect(ended.status).toBe('failed');
  expect(ended.log).toContain(says);
});
