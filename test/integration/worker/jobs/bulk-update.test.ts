// Changes by spreadsheet from end to end: the workbook is fetched, edited by an independent program, and sent back as a job with a file.
import { read as readWorkbook, utils, write as writeWorkbook } from '@e965/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkUpdate } from '#domain/jobs/bulk-update.ts';
import { readUpdateSheet } from '#domain/spreadsheets/rows.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { readCaller } from '#store/access/grants.ts';
import { handler } from '../../../../apps/worker/jobs/bulk-update.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { noThreads } from '#test/support/worker.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { postJob, runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repoId: number;
let resource: string;

const created = (plural: string, body: object) => api.create(`/repositories/${repoId}/${plural}`, body);
const read = async (uri: string) => (await api.get(uri)).json;
const component = (title: string, more: object = {}) =>
  created('archival_objects', { title, level: 'file', resource: { ref: resource }, ...more });

beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository();
  resource = await created('resources', resourceBody('B1'));
});
afterAll(() => api[Symbol.asyncDispose]());

type Edit = { readonly [path: string]: string };

/** The workbook of records with cells replaced (row by row, '' blanks one); `mangle` may change the table as a whole. */
async function edited(
  uris: readonly string[],
  edits: readonly Edit[],
  mangle: (table: string[][]) => void = () => undefined,
): Promise<Buffer> {
  const form = new URLSearchParams([
    ...uris.map((uri): [string, string] => ['uri[]', uri]),
    ['resource_uri', resource],
  ]);
  const reply = await fetch(`${api.url}/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`, {
    method: 'POST',
    headers: { 'x-service-session': api.session },
    body: form,
  });
  const book = readWorkbook(Buffer.from(await reply.arrayBuffer()));
  const table = utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 });
  const paths = table[1] ?? [];
  for (const [index, edit] of edits.entries())
    for (const [path, text] of Object.entries(edit)) {
      const column = paths.indexOf(path);
      expect(column, path).toBeGreaterThanOrEqual(0);
      (table[index + 2] ?? [])[column] = text;
    }
  mangle(table);
  book.Sheets['Updates'] = utils.aoa_to_sheet(table);
  return writeWorkbook(book, { type: 'buffer', bookType: 'xlsx', bookSST: true });
}

const send = (bytes: Buffer, more: object = {}): Promise<EndedJob> =>
  runJob(
    api,
    repoId,
    { jsonmodel_type: 'bulk_archival_object_updater_job', ...more },
    { file: { name: 'updates.xlsx', content: bytes } },
  );

test('changes what differs, keeps what the sheet does not show, and nothing the second time', async () => {
  const subject = (
    await api.post('/subjects', {
      source: 'lcsh',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Maps', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    })
  ).json.uri;
  const first = await component('First', {
    subjects: [{ ref: subject }],
    dates: [{ date_type: 'bulk', label: 'creation', begin: '1900', end: '1910', era: 'ce' }],
    notes: [
      {
        jsonmodel_type: 'note_multipart',
        type: 'scopecontent',
        subnotes: [
          { jsonmodel_type: 'note_text', content: 'Old' },
          { jsonmodel_type: 'note_text', content: 'Stays' },
        ],
      },
    ],
  });
  const second = await component('Second');
  const bytes = await edited(
    [first, second],
    [
      {
        title: 'First, changed',
        'dates/0/end': '1911',
        'dates/1/expression': 'undated',
        'note/scopecontent/0/content': 'New',
        'note/abstract/0/content': 'Brief',
        'language_and_script/0/language': 'German [ger]',
        'note_langmaterial/0/content': 'In German',
        'extents/0/portion': 'Whole [whole]',
        'extents/0/number': '2',
        'extents/0/extent_type': 'Linear Feet [linear_feet]',
      },
      {},
    ],
  );
  const ended = await send(bytes);
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { updated: 1 }, records: [first] });
  expect(ended.log).toContain('Bulk update job successfully completed. 1 record(s) were updated.');
  const after = await read(first);
  expect(after).toMatchObject({
    title: 'First, changed',
    lock_version: 1,
    last_modified_by: 'admin',
    subjects: [{ ref: subject }],
    dates: [
      { date_type: 'bulk', begin: '1900', end: '1911', era: 'ce' },
      { date_type: 'single', label: 'creation', expression: 'undated' },
    ],
    extents: [{ portion: 'whole', number: '2', extent_type: 'linear_feet' }],
    lang_materials: [{ language_and_script: { language: 'ger' } }, { notes: [{ content: ['In German'] }] }],
    notes: [{ subnotes: [{ content: 'New' }, { content: 'Stays' }] }, { type: 'abstract', content: ['Brief'] }],
  });
  expect((await read(second)).lock_version).toBe(0);
  expect(await send(await edited([first, second], []))).toMatchObject({
    status: 'completed',
    result: { updated: 0 },
    records: [],
  });
});

test('links containers, digital objects and accessions, and makes containers where asked', async () => {
  const box = await created('top_containers', { indicator: '1', type: 'box' });
  const object = await created('digital_objects', { title: 'Scan', digital_object_id: 'D1' });
  const accession = await created('accessions', {
    title: 'Gift',
    id_0: '2020',
    id_1: '7',
    accession_date: '2020-01-01',
  });
  await component('Uses the box', {
    instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }],
  });
  const first = await component('Linked');
  const inBox = {
    'instances/0/instance_type': 'Text [text]',
    'instances/0/top_container_type': 'Box [box]',
    'instances/0/top_container_indicator': '1',
  };
  const edit = {
    ...inBox,
    'instances/0/sub_container_type_2': 'Folder [folder]',
    'instances/0/sub_container_indicator_2': '4',
    publish: 'true',
    'digital_object/0/digital_object_id': 'D1',
    'digital_object/0/digital_object_title': 'Scan, renamed',
    'digital_object/1/digital_object_id': 'D2',
    'digital_object/1/digital_object_title': 'New one',
    'digital_object/1/file_version_file_uri': 'http://x.org/2',
    'related_accessions/0/id_0': '2020',
    'related_accessions/0/id_1': '7',
  };
  const ended = await send(await edited([first], [edit]));
  expect(ended, ended.log).toMatchObject({
    status: 'completed',
    result: { updated: 1, digital_objects: 2, top_containers: 0 },
  });
  const after = await read(first);
  expect(after).toMatchObject({
    publish: true,
    accession_links: [{ ref: accession }],
    instances: [
      { instance_type: 'text', sub_container: { top_container: { ref: box }, type_2: 'folder', indicator_2: '4' } },
      { digital_object: { ref: object } },
      { instance_type: 'digital_object' },
    ],
  });
  expect((await read(object)).title).toBe('Scan, renamed');
  expect(await read(after.instances[2].digital_object.ref)).toMatchObject({
    digital_object_id: 'D2',
    title: 'New one',
    file_versions: [{ file_uri: 'http://x.org/2' }],
  });
  const other = {
    ...inBox,
    'instances/1/instance_type': 'Text [text]',
    'instances/1/top_container_type': 'Box [box]',
    'instances/1/top_container_indicator': '99',
  };
  const refused = await send(await edited([first], [other]));
  expect(refused.status).toBe('failed');
  expect(refused.log).toContain('Row number: 3\nColumn: instances/1\n');
  const allowed = await send(await edited([first], [other]), { create_missing_top_containers: true });
  expect(allowed, allowed.log).toMatchObject({ status: 'completed', result: { top_containers: 1 } });
});

test('leaves a box where it is when something else of its instance changes, though another is of its type and indicator', async () => {
  const boxes = [
    await created('top_containers', { indicator: 'twin', type: 'box' }),
    await created('top_containers', { indicator: 'twin', type: 'box' }),
  ];
  const uris: string[] = [];
  for (const ref of boxes)
    uris.push(
      await component('In a twin', {
        instances: [
          { instance_type: 'text', sub_container: { top_container: { ref }, type_2: 'folder', indicator_2: '1' } },
        ],
      }),
    );
  const ended = await send(
    await edited(
      uris,
      uris.map(() => ({ 'instances/0/sub_container_indicator_2': '2' })),
    ),
  );
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { updated: 2 } });
  for (const [index, uri] of uris.entries())
    expect((await read(uri)).instances).toMatchObject([
      { sub_container: { top_container: { ref: boxes[index] }, indicator_2: '2' } },
    ]);
});

test('refuses records of several resources, records that are not there, blanked parts, and more files than one', async () => {
  const other = await created('resources', resourceBody('B2'));
  const elsewhere = await created('archival_objects', { title: 'Elsewhere', level: 'file', resource: { ref: other } });
  const dated = await component('Dated', { dates: [{ date_type: 'single', label: 'creation', begin: '1900' }] });
  expect((await send(await edited([dated, elsewhere], [{ title: 'x' }]))).log).toContain(
    'Row number: N/A\nColumn: N/A\nJSONModel Property: N/A\nErrors: Archival Objects must all belong to the same resource.',
  );
  const gone = await edited([dated], [{ id: '88888888' }]);
  expect((await send(gone)).log).toContain('Errors: Archival Object not found for id: 88888888');
  expect((await send(await edited([dated], [{ 'dates/0/label': '', 'dates/0/begin': '' }]))).log).toContain(
    'Row number: 3\nColumn: dates/0\nJSONModel Property: N/A\nErrors: Deleting a subrecord is disabled.',
  );
  expect(await read(dated)).toMatchObject({ lock_version: 0, dates: [{ begin: '1900' }] });
  const none = await runJob(api, repoId, { jsonmodel_type: 'bulk_archival_object_updater_job' });
  expect([none.status, none.log]).toEqual(['failed', expect.stringContaining('No spreadsheet found.')]);
});

test('tells every fault with sheet, row and column, and changes nothing', async () => {
  const first = await component('Good');
  const second = await component('Bad');
  const third = await component('Stale');
  const bytes = await edited(
    [first, second, third],
    [
      { title: 'Would be fine' },
      { 'dates/0/begin': '1950-99', level: 'Nonsense [nonsense]' },
      { 'extents/0/number': '1' },
    ],
  );
  const ended = await send(bytes);
  expect(ended).toMatchObject({ status: 'failed', records: [] });
  expect(ended.log).toContain('Errors encountered during processing.\nAll changes have been reverted.\n');
  for (const place of [
    'Row number: 4\nColumn: dates/0',
    'Row number: 4\nColumn: level',
    'Row number: 5\nColumn: extents/0',
  ])
    expect(ended.log).toContain(`Sheet name: Updates\n${place}`);
  expect((await read(first)).title).toBe('Good');
  const stale = await edited([third], [{ title: 'Later' }]);
  await api.post(third, { ...(await read(third)), title: 'Meanwhile' });
  expect((await send(stale)).log).toContain(
    'Column: lock_version\nJSONModel Property: N/A\nErrors: Versions are out of sync: 0 record is now: 1',
  );
  const odd = await send(
    await edited([first], [], (table) => {
      (table[1] ?? [])[2] = 'nonsense';
      (table[2] ?? [])[0] = '99999999';
    }),
  );
  expect(odd.log).toContain('Row number: 2\nColumn: nonsense');
  expect((await send(Buffer.from('no workbook'))).status).toBe('failed');
  expect((await read(first)).lock_version).toBe(0);
});

test('tells a thousand faults, and how many more there are', async () => {
  const only = await component('Only');
  const absent = (table: string[][]): void => {
    table.length = 2;
    for (let row = 0; row < 1003; row++) table.push([String(90_000_000 + row), '0', 'Absent']);
  };
  const { status, log } = await send(await edited([only], [], absent));
  expect([status, log.match(/^Errors: Archival Object not found for id: /gm)?.length]).toEqual(['failed', 1000]);
  // A blank line keeps it from the messages of the last fault, as faults from each other.
  expect(log).toMatch(
    /Row number: 1002\nColumn: id\nJSONModel Property: N\/A\nErrors: Archival Object not found for id: 90000999\n\n… and 3 more\n/,
  );
});

test('takes no cell for what it does not say: errors and merged cells are faults, beside those of versions, and numbers are read as they look', async () => {
  const [first, second, third] = [
    await component('First'),
    await component('Second'),
    await component('Third', { component_id: 'keep' }),
  ];
  await created('top_containers', { indicator: '8', barcode: 'taken-8' });
  const bytes = await edited([first, second, third], [{ component_id: '7', 'extents/0/number': '0.3' }]);
  const book = readWorkbook(bytes);
  const sheet = book.Sheets['Updates'] ?? {};
  const paths = utils.sheet_to_json<string[]>(sheet, { header: 1 })[1] ?? [];
  const at = (path: string, row: number): string => `${utils.encode_col(paths.indexOf(path))}${row}`;
  sheet[at('component_id', 3)] = { t: 'n', v: 7, z: '00000' };
  sheet[at('title', 4)] = { t: 'e', v: 0x2a, w: '#N/A', f: 'NA()' };
  delete sheet[at('title', 5)];
  sheet['!merges'] = [utils.decode_range(`${at('title', 4)}:${at('title', 5)}`)];
  await api.post(third, { ...(await read(third)), component_id: 'kept' });
  const faulty = await send(writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' }));
  expect(faulty.status).toBe('failed');
  for (const told of [
    'Row number: 4\nColumn: title\nJSONModel Property: N/A\nErrors: The cell shows an error: #N/A',
    `Row number: 5\nColumn: title\nJSONModel Property: N/A\nErrors: The cell is merged with ${at('title', 4)}`,
    'Row number: 5\nColumn: lock_version',
  ])
    expect(faulty.log).toContain(told);
  expect([(await read(second)).title, (await read(third)).title]).toEqual(['Second', 'Third']);

  sheet['!merges'] = [];
  const numbers = readWorkbook(await edited([first], []));
  const alone = numbers.Sheets['Updates'] ?? {};
  for (const [path, cell] of [
    ['component_id', { t: 'n', v: 7, z: '00000' }],
    ['extents/0/number', { t: 'n', v: 0.1 + 0.2 }],
    ['extents/0/portion', { t: 's', v: 'whole' }],
    ['extents/0/extent_type', { t: 's', v: 'reels' }],
    ['instances/0/instance_type', { t: 's', v: 'text' }],
    ['instances/0/top_container_indicator', { t: 's', v: '9' }],
    ['instances/0/top_container_barcode', { t: 's', v: 'taken-8' }],
  ] as const)
    alone[at(path, 3)] = { ...cell };
  const taken = await send(writeWorkbook(numbers, { type: 'buffer', bookType: 'xlsx' }), {
    create_missing_top_containers: true,
  });
  expect(taken.log).toContain(
    'Row number: 3\nColumn: instances/0\nJSONModel Property: N/A\nErrors: The barcode taken-8 is that of another top container',
  );
  alone[at('instances/0/top_container_barcode', 3)] = { t: 'n', v: 32044012345678 };
  expect(
    (await send(writeWorkbook(numbers, { type: 'buffer', bookType: 'xlsx' }), { create_missing_top_containers: true }))
      .status,
  ).toBe('completed');
  const record = await read(first);
  expect([
    record.component_id,
    record.extents[0].number,
    (await read(record.instances[0].sub_container.top_container.ref)).barcode,
  ]).toEqual(['00007', '0.3', '32044012345678']);
});

test('a dry run tells what would change and changes nothing', async () => {
  const first = await component('Dry');
  const bytes = await edited([first], [{ title: 'Wet' }]);
  expect(await send(bytes, { dry_run: true })).toMatchObject({
    status: 'completed',
    result: { updated: 1, dry_run: true },
    records: [],
  });
  expect((await read(first)).title).toBe('Dry');
  const session = await api.userWith(['view_repository', 'create_job'], repoId);
  expect(
    (
      await postJob(
        api,
        repoId,
        { jsonmodel_type: 'bulk_archival_object_updater_job' },
        { session, file: { name: 'x.xlsx', content: 'x' } },
      )
    ).status,
  ).toBe(403);
});

test('takes the sheet out of its files when it is applied, and keeps one that was refused or only tried', async () => {
  const only = await component('Sent');
  const bytes = await edited([only], [{ title: 'Applied' }]);
  const filesOf = async ({ uri }: EndedJob): Promise<readonly number[]> => read(`${uri}/output_files`);
  const tried = await send(bytes, { dry_run: true });
  const applied = await send(bytes);
  // The version of the sheet is that of before.
  const refused = await send(bytes);
  expect([tried.status, applied.status, refused.status]).toEqual(['completed', 'completed', 'failed']);
  expect(await filesOf(applied)).toEqual([]);
  for (const job of [tried, refused]) {
    const [file, ...others] = await filesOf(job);
    expect(others).toEqual([]);
    expect(
      (await fetch(`${api.url}${job.uri}/output_files/${file}`, { headers: { 'x-service-session': api.session } }))
        .status,
    ).toBe(200);
  }
});

test('leaves nothing where it is killed before its commit, and may then run again', async () => {
  await using quiet = await startTestApi({ worker: false });
  const R = `/repositories/${await quiet.repository()}`;
  const root = (await quiet.post(`${R}/resources`, resourceBody('K1'))).json.uri;
  const { id, uri } = (
    await quiet.post(`${R}/archival_objects`, { title: 'Killed', level: 'file', resource: { ref: root } })
  ).json;
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Id', 'Version', 'Title'],
      ['id', 'lock_version', 'title'],
      [String(id), '0', 'Alive'],
    ]),
    'Updates',
  );
  const blob = await writeBlob(quiet.database, [writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' })]);
  const around = {
    caller: await readCaller(quiet.database.reader, 'admin'),
    files: async () => [
      { id: 1, blobId: blob.id, role: 'input', fileName: 'x.xlsx', mediaType: null, sizeBytes: blob.sizeBytes },
    ],
    threads: { ...noThreads, run: async (_name: string, bytes: never) => readUpdateSheet(bytes) as never },
  };
  const payload = { repoId: 2, actor: 'admin', job: {}, params: {} };
  await expect(killedOnce(quiet.database, bulkUpdate, handler, payload, around)).rejects.toThrow('killed');
  expect((await quiet.get(uri)).json).toMatchObject({ title: 'Killed', lock_version: 0 });
  await runHandler(quiet.database, bulkUpdate, handler, payload, around);
  expect((await quiet.get(uri)).json).toMatchObject({ title: 'Alive', lock_version: 1 });
});
