// Sheets of assessments as import jobs, over HTTP with a real worker: what is stored, faults with line and column, looked at only, killed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFormat } from '#domain/jobs/import-format.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { readCaller } from '#store/access/grants.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { handler } from '../../../../apps/worker/jobs/import-format.ts';
import { sharedThreads } from '#test/support/threads.ts';

let api: TestApi;
let repoId: number;
let resource: string;
let accession: string;

const read = async (uri: string) => (await api.get(uri)).json;
const lastOf = (uri: string): string => uri.split('/').at(-1) ?? '';

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  const R = `/repositories/${repoId}`;
  resource = await api.create(`${R}/resources`, resourceBody('A1'));
  accession = await api.create(`${R}/accessions`, { title: 'Gift', id_0: '2020', accession_date: '2020-01-01' });
  const definitions = (await read(`${R}/assessment_attribute_definitions`)).definitions;
  const reply = await api.post(`${R}/assessment_attribute_definitions`, {
    definitions: [
      ...definitions,
      { label: 'House Style', type: 'rating' },
      { label: 'Glass Plates', type: 'format' },
      { label: 'Glass plates!', type: 'conservation_issue' },
      { label: 'Same thing', type: 'format' },
      { label: 'Same-thing', type: 'format' },
    ],
  });
  expect(reply.status, reply.text).toBe(200);
  expect((await api.post('/users?password=secret-secret', { username: 'Surveyor', name: 'Sue Veyor' })).status).toBe(
    200,
  );
});
afterAll(() => api[Symbol.asyncDispose]());

const csv = (table: readonly (readonly string[])[]): string =>
  table.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n');

const send = (text: string, more: object = {}): Promise<EndedJob> =>
  runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type: 'assessment_csv', filenames: ['a.csv'], ...more },
    { file: { name: 'a.csv', content: text } },
  );

const head = [
  [
    'basic',
    'basic',
    'basic',
    'basic',
    'basic',
    'basic',
    'basic',
    'basic',
    'rating',
    'rating',
    'rating',
    'format',
    '',
    'conservation',
  ],
  [
    'record',
    'record',
    'surveyed_by',
    'reviewer',
    'survey_begin',
    'survey_end',
    'review_required',
    'purpose',
    'house_style',
    'house_style_note',
    'Physical Condition',
    'Glass Plates',
    'film_negative',
    'glass_plates_',
  ],
];

test('makes an assessment for each row, and more of them the second time', async () => {
  const labels = (await read(`/repositories/${repoId}/assessment_attribute_definitions`)).definitions.map(
    ({ type, label }: any) => `${type} ${label}`,
  );
  const format = labels.find((label: string) => label.startsWith('format ') && !label.includes('Glass'))?.slice(7);
  const rating = labels.find((label: string) => label.startsWith('rating ') && !label.includes('House'))?.slice(7);
  const [sections = [], fields = []] = head;
  const named = fields.map((field) =>
    field === 'film_negative' ? format : field === 'Physical Condition' ? rating : field,
  );
  const table = [
    sections,
    named,
    [
      `resource_${lastOf(resource)}`,
      `accession/${lastOf(accession)}`,
      'surveyor',
      'SURVEYOR',
      '13/2/99',
      'March 1, 1999',
      'TRUE',
      'To see',
      '4',
      'well',
      '3',
      'yes',
      'no',
      '1',
    ],
    [`resource ${lastOf(resource)}`, '', 'Surveyor', '', '2/3/05', '', '', 'NULL', '', '', '', '', '', ''],
  ];
  expect(await send(csv(table), { only_validate: '1' })).toMatchObject({ status: 'completed', records: [] });
  for (const _ of [1, 2]) {
    const ended = await send(csv(table));
    expect(ended.status, ended.log).toBe('completed');
    const [first, second] = (await Promise.all(ended.records.map(read))).sort((a, b) =>
      a.survey_begin.localeCompare(b.survey_begin),
    );
    const agent = first.surveyed_by[0].ref;
    expect(agent).toMatch(/^\/agents\/people\/\d+$/);
    expect(first).toMatchObject({
      records: [{ ref: resource }, { ref: accession }],
      surveyed_by: [{ ref: agent }],
      reviewer: [{ ref: agent }],
      survey_begin: '1999-02-13',
      survey_end: '1999-03-01',
      review_required: true,
      purpose: 'To see',
    });
    const given = (list: readonly any[]) =>
      list
        .filter((entry) => entry.value !== undefined || entry.note !== undefined)
        .map(({ label, value, note }) => [label, value, note]);
    expect(given(first.ratings)).toEqual(
      expect.arrayContaining([
        ['House Style', '4', 'well'],
        [rating, '3', undefined],
      ]),
    );
    expect([given(first.formats), given(first.conservation_issues)]).toEqual([
      [['Glass Plates', 'true', undefined]],
      [['Glass plates!', 'true', undefined]],
    ]);
    expect(second).toMatchObject({ survey_begin: '2005-02-03', review_required: false });
    expect(second).not.toHaveProperty('purpose');
    expect([given(second.ratings), given(second.formats)]).toEqual([[], []]);
  }
});

test('names what is wrong with line and column, and stores nothing', async () => {
  const least = ['basic', 'basic', 'basic'];
  const fields = ['record', 'surveyed_by', 'survey_begin'];
  const good = [`resource_${lastOf(resource)}`, 'surveyor', '2020-01-01'];
  const before = (await read(`/repositories/${repoId}/assessments?all_ids=true`)).length;
  const cases: readonly (readonly [readonly (readonly string[])[], string])[] = [
    [[['rating'], ['x'], ['1']], "begin with 'basic'"],
    [[least, fields, good, ['top_container_1', 'surveyor', '2020-01-01']], 'Record type top_container not allowed'],
    [
      [least, fields, ['nonsense', 'surveyor', '2020-01-01']],
      'Invalid basic_record reference nonsense. Must have the form',
    ],
    [[least, fields, [good[0] ?? '', 'nobody', '2020-01-01']], "User 'nobody' does not exist"],
    [[least, fields, [good[0] ?? '', 'surveyor', '31/31/2020']], 'Not a date: 31/31/2020'],
    [[least, fields, [...good, '', 'more']], 'There is no heading above this cell: more'],
    [[least, fields, ['resource_99999999', 'surveyor', '2020-01-01']], 'resources/99999999'],
    [
      [
        [...least, 'rating'],
        [...fields, 'Nonsense'],
      ],
      'Unknown rating in column header: Nonsense. Allowed ratings for this repository: ',
    ],
    [
      [
        [...least, 'format'],
        [...fields, 'same_thing'],
      ],
      'Ambiguous format in column header: same_thing',
    ],
    [[least, ['record', 'surveyed_by', 'purpose'], good], 'survey_begin'],
  ];
  for (const [table, says] of cases) {
    const ended = await send(csv(table));
    expect([ended.status, ended.records], says).toEqual(['failed', []]);
    expect(ended.log).toContain(says);
  }
  expect((await send(csv([least, fields, ['nonsense', 'surveyor', '2020-01-01']]))).log).toMatch(/line : 3/);
  expect((await read(`/repositories/${repoId}/assessments?all_ids=true`)).length).toBe(before);
});

test('finds labels without their commas and other signs, as the template of peers has them', async () => {
  const R = `/repositories/${repoId}`;
  const table = [
    ['basic', 'basic', 'basic', 'basic', 'rating', 'rating', 'format', 'conservation'],
    [
      'record',
      'surveyed_by',
      'survey_begin',
      'documentation_notes',
      'Physical Access (arrangement)',
      'Physical Access (arrangement)_note',
      'Film (negative slide or motion picture)',
      'Heat-Sensitive Paper',
    ],
    [`resource_${lastOf(resource)}`, 'surveyor', '2017-07-04', 'Great', '2', 'Neat', 'Y', 'Y'],
  ];
  const ended = await send(csv(table));
  expect(ended.status, ended.log).toBe('completed');
  const stored = await read(ended.records[0] ?? '');
  expect(stored.existing_description_notes).toBe('Great');
  const { definitions } = await read(`${R}/assessment_attribute_definitions`);
  const labelsOf = (list: readonly { definition_id: number; value?: string }[]): readonly unknown[] =>
    list
      .filter(({ value }) => value !== undefined)
      .map(({ definition_id: id, value }) => [definitions.find((each: { id: number }) => each.id === id).label, value]);
  expect(labelsOf(stored.ratings)).toEqual([['Physical Access (arrangement)', '2']]);
  expect(labelsOf(stored.formats)).toEqual([['Film (negative, slide, or motion picture)', 'true']]);
  expect(labelsOf(stored.conservation_issues)).toEqual([['Heat-Sensitive Paper', 'true']]);
});

test('tells every fault of a sheet, of cells that cannot be read and of assessments that are wrong', async () => {
  const table = [
    ['basic', 'basic', 'basic', 'format'],
    ['record', 'surveyed_by', 'survey_begin', 'Nonsense'],
    ['nonsense', 'nobody', '2020-01-01', 'Y'],
    [`resource_${lastOf(resource)}`, 'surveyor', '', ''],
  ];
  const ended = await send(csv(table));
  expect([ended.status, ended.records]).toEqual(['failed', []]);
  expect(ended.log).toMatch(
    /Faults of cells: 3\n\ta\.csv, line 2, Nonsense: Unknown format.*\n\ta\.csv, line 3, record: Invalid basic_record reference.*\n\ta\.csv, line 3, surveyed_by: User 'nobody' does not exist\n/,
  );
  expect(ended.log).toMatch(/Bad records: 1\nLine: 4\nRecord 1: assessment.*\n\tsurvey_begin : /);
});

test('leaves nothing where it is killed before its commit, and may then run again', async () => {
  const threads = await sharedThreads();
  const repo = await api.repository();
  const R = `/repositories/${repo}`;
  const root = (await api.post(`${R}/resources`, resourceBody('K1'))).json;
  const blob = await writeBlob(api.database, [
    Buffer.from(
      csv([
        ['basic', 'basic', 'basic'],
        ['record', 'surveyed_by', 'survey_begin'],
        [`resource.${root.id}`, 'surveyor', '2020-01-01'],
      ]),
    ),
  ]);
  const around = {
    threads,
    caller: await readCaller(api.database.reader, 'admin'),
    files: async () => [
      { id: 1, blobId: blob.id, role: 'input', fileName: 'x.csv', mediaType: null, sizeBytes: blob.sizeBytes },
    ],
  };
  const payload = {
    repoId: repo,
    actor: 'admin',
    job: { import_type: 'assessment_csv', filenames: ['x.csv'] },
    params: {},
  };
  const ids = async () => (await api.get(`${R}/assessments?all_ids=true`)).json;
  await expect(killedOnce(api.database, importFormat, handler, payload, around)).rejects.toThrow('killed');
  expect(await ids()).toEqual([]);
  await runHandler(api.database, importFormat, handler, payload, around);
  expect(await ids()).toHaveLength(1);
});
