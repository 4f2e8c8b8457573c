// MARC with more in a field than a record has room for: the log of the job names each part that no record has.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { marcField, marcRecord } from '#test/support/marc-document.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository('MARCTOLD');
});
afterAll(() => api[Symbol.asyncDispose]());

/** What the log of an import tells as left out, without the numbers of lines. */
async function told(import_type: string, content: string): Promise<readonly string[]> {
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type, filenames: ['f'] },
    { file: { name: 'f', content } },
  );
  expect(ended.status, ended.log).toBe('completed');
  return (ended.log.match(/datafield \d{3}: .*/g) ?? []).toSorted();
}

const field = (tag: string, indicators: string, subfields: readonly (readonly [string, string])[]): string =>
  `<datafield tag="${tag}" ind1="${indicators.charAt(0)}" ind2="${indicators.charAt(1)}">${subfields
    .map(([code, text]) => `<subfield code="${code}">${text}</subfield>`)
    .join('')}</datafield>`;

const described =
  marcField('245', '0', '0', { a: 'Papers', f: '1900' }) +
  marcField('099', ' ', ' ', { a: 'T1' }) +
  marcField('300', ' ', ' ', { a: '3 Linear Feet' });

test('repeats and sources of a description that no property has are told', async () => {
  const fields = [
    field('040', '  ', [
      ['e', 'dacs'],
      ['e', 'rda'],
    ]),
    field('264', ' 1', [
      ['6', '880-02'],
      ['c', '1900'],
    ]),
    field('536', '  ', [
      ['a', 'A fund'],
      ['8', '1.2'],
    ]),
    field('650', ' 0', [
      ['a', 'Harbours'],
      ['2', 'fast'],
    ]),
    field('650', ' 7', [
      ['a', 'Ships'],
      ['2', 'fast'],
    ]),
    field('690', '  ', [
      ['a', 'Boats'],
      ['2', 'ourlist'],
    ]),
    field('700', '1 ', [
      ['a', 'Berry, Ann'],
      ['0', 'n123'],
      ['0', 'viaf456'],
    ]),
  ];
  expect(await told('marcxml', marcRecord(described + fields.join('')))).toEqual([
    'datafield 040: a finding aid follows one set of rules: rda',
    'datafield 264: subfield 6 is not imported: 880-02',
    'datafield 536: subfield 8 is not imported: 1.2',
    'datafield 650: the source of the heading is lcsh: fast',
    'datafield 690: the source of the heading is local: ourlist',
    'datafield 700: only the first subfield 0 is imported: viaf456',
  ]);
});

const authority = (fields: string): string => marcRecord(fields, { leader: '00000nz  a2200000n  4500' });

test('numbers without a value, and relations and languages that are not known, of an authority record are told', async () => {
  const fields = [
    field('035', '  ', [['z', '(DLC)canceled']]),
    field('035', '  ', [
      ['a', '(Local)1'],
      ['a', '(Local)2'],
    ]),
    field('040', '  ', [
      ['a', 'DLC'],
      ['b', 'qqx'],
    ]),
    field('040', '  ', [
      ['a', 'NjP'],
      ['d', 'CtY'],
    ]),
    field('100', '1 ', [['a', 'Told, Ann']]),
    field('372', '  ', [
      ['a', 'Harbours'],
      ['s', '1900'],
      ['s', '1920'],
    ]),
    field('500', '1 ', [
      ['w', 'h'],
      ['a', 'Told, Bert'],
    ]),
  ];
  const content = authority(fields.join(''));
  const job = { jsonmodel_type: 'import_job', import_type: 'marcxml_auth_agent', filenames: ['f'] };
  const ended = await runJob(api, repoId, { ...job, import_subjects: '1' }, { file: { name: 'f', content } });
  expect(ended.status, ended.log).toBe('completed');
  expect((ended.log.match(/datafield \d{3}: .*/g) ?? []).toSorted()).toEqual([
    'datafield 035: a number without subfield a: $z (DLC)canceled',
    'datafield 035: only the first subfield a is imported: (Local)2',
    'datafield 040: only the first field 040 is imported: $a NjP $d CtY',
    'datafield 040: subfield b is not imported: qqx',
    'datafield 372: only the first subfield s is imported: 1920',
    'datafield 500: this relation ($w) is imported as associative: h',
  ]);
});

test('the history of a subject and the scope note of an agent among descriptions are told', async () => {
  const both = field('678', '  ', [['a', 'A history']]) + field('680', '  ', [['i', 'A scope note']]);
  expect(await told('marcxml', authority(field('150', '  ', [['a', 'Told topic']]) + both))).toEqual([
    'datafield 678: the field is not imported: $a A history',
  ]);
  expect(await told('marcxml', authority(field('100', '1 ', [['a', 'Told, Carl']]) + both))).toEqual([
    'datafield 680: the field is not imported: $i A scope note',
  ]);
});

test('subfields without a code are no texts of the record, and markup in a subfield is part of its text', async () => {
  const content = marcRecord(
    `<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Papers of <i>Ann</i> Told</subfield><subfield>no code</subfield><subfield code="ab">two codes</subfield><other>not MARC</other></datafield>${marcField('099', ' ', ' ', { a: 'T9' })}`,
  );
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type: 'marcxml', filenames: ['f'] },
    { file: { name: 'f', content } },
  );
  expect(ended.status, ended.log).toBe('completed');
  const [resource = ''] = ended.records.filter((uri) => uri.includes('/resources/'));
  expect((await api.get(resource)).json.title).toBe('Papers of Ann Told');
  for (const text of [
    'subfield: no part of a MARC record: no code',
    'subfield: no part of a MARC record: two codes',
    'other: no part of a MARC record: not MARC',
  ])
    expect(ended.log).toContain(text);
});
