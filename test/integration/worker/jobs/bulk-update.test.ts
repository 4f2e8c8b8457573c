// Changes by spreadsheet from end to end: the workbook is fetched, edited by an independent program, and sent back as a job with a file.
import { utils, write as writeWorkbook } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { bulkUpdate } from '#domain/jobs/bulk-update.ts';
import { readUpdateSheet } from '#domain/spreadsheets/rows.ts';
import { readCaller } from '#store/access/grants.ts';
import { writeBlob } from '#store/files/blobs.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { postJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { sheetUpdates } from '#test/support/sheet-updates.ts';
import { noThreads } from '#test/support/worker.ts';
import { handler } from '../../../../apps/worker/jobs/bulk-update.ts';

const { api, repoId, created, component, read, edited, send } = await sheetUpdates();

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

test('a sheet that comes back as it went out changes nothing, whatever a cell cannot say, and then one cell alone', async () => {
  const long = 'y'.repeat(40_000);
  const note = (type: string, content: string) => ({
    jsonmodel_type: 'note_multipart',
    type,
    label: ' Label ',
    subnotes: [{ jsonmodel_type: 'note_text', content }],
  });
  const object = await created('digital_objects', {
    title: ' Scan ',
    digital_object_id: ' D0 ',
    file_versions: [{ file_uri: 'https://x.org/0 ', caption: ' One' }],
  });
  const accession = await created('accessions', { title: 'Gift', id_0: ' 2019', accession_date: '2019-01-01' });
  const uri = await component(' Blanks ', {
    component_id: ' c ',
    repository_processing_note: '_x0041_ \u000bb ',
    dates: [{ label: 'creation', date_type: 'single', expression: ' ca. 1900 ' }],
    extents: [{ portion: 'whole', number: ' 1 ', extent_type: 'linear_feet', physical_details: ' ' }],
    notes: [note('scopecontent', 'one\r\ntwo\r\n'), note('bioghist', long)],
    instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }],
    accession_links: [{ ref: accession }],
  });
  const [before, objectBefore] = [await read(uri), await read(object)];
  const unchanged = await send(await edited([uri], []));
  expect(unchanged, unchanged.log).toMatchObject({ status: 'completed', result: { updated: 0 }, records: [] });
  expect([await read(uri), await read(object)]).toEqual([before, objectBefore]);
  const ended = await send(await edited([uri], [{ 'note/bioghist/0/label': 'Life' }]));
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { updated: 1 } });
  const { title, component_id, notes } = await read(uri);
  expect([title, component_id, notes.map((each: any) => [each.label, each.subnotes[0].content])]).toEqual([
    ' Blanks ',
    ' c ',
    [
      [' Label ', 'one\r\ntwo\r\n'],
      ['Life', long],
    ],
  ]);
  const cut = await send(await edited([uri], [{ 'note/bioghist/0/content': 'yy' }]));
  expect([cut.status, cut.log]).toEqual([
    'failed',
    expect.stringContaining(
      'Column: note/bioghist/0/content\nJSONModel Property: N/A\nErrors: What is stored is longer',
    ),
  ]);
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
  const R = `/repositories/${repoId}`;
  const root = (await api.post(`${R}/resources`, resourceBody('K1'))).json.uri;
  const { id, uri } = (
    await api.post(`${R}/archival_objects`, { title: 'Killed', level: 'file', resource: { ref: root } })
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
  const blob = await writeBlob(api.database, [writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' })]);
  const around = {
    caller: await readCaller(api.database.reader, 'admin'),
    files: async () => [
      { id: 1, blobId: blob.id, role: 'input', fileName: 'x.xlsx', mediaType: null, sizeBytes: blob.sizeBytes },
    ],
    threads: { ...noThreads, run: async (_name: string, bytes: never) => readUpdateSheet(bytes) as never },
  };
  const payload = { repoId, actor: 'admin', job: {}, params: {} };
  await expect(killedOnce(api.database, bulkUpdate, handler, payload, around)).rejects.toThrow('killed');
  expect((await api.get(uri)).json).toMatchObject({ title: 'Killed', lock_version: 0 });
  await runHandler(api.database, bulkUpdate, handler, payload, around);
  expect((await api.get(uri)).json).toMatchObject({ title: 'Alive', lock_version: 1 });
});

test('a sheet of somebody who is not shown suppressed records changes what it shows, and the record keeps the rest', async () => {
  const [hidden, open, other] = [
    await created('digital_objects', { title: 'Hidden', digital_object_id: 'HID-1' }),
    await created('digital_objects', { title: 'Open', digital_object_id: 'OPN-1' }),
    await created('digital_objects', { title: 'Other', digital_object_id: 'OTH-1' }),
  ];
  const uri = await component('With both', {
    instances: [hidden, open].map((ref) => ({ instance_type: 'digital_object', digital_object: { ref } })),
  });
  const objects = async (): Promise<readonly string[]> =>
    (await read(uri)).instances.map((each: any) => each.digital_object.ref).sort();
  expect((await api.ask(`${hidden}/suppressed?suppressed=true`, { method: 'POST' })).status).toBe(200);
  const session = await api.userWith(['create_job', 'view_repository', 'update_resource_record'], repoId);
  const sheet = async (edit: { readonly [path: string]: string }): Promise<Buffer> =>
    edited([uri], [edit], () => undefined, session);
  const unchanged = await sheet({});
  expect(await send(unchanged, {}, session)).toMatchObject({ status: 'completed', records: [] });
  expect(await send(await sheet({ title: 'Told anew' }), {}, session)).toMatchObject({ status: 'completed' });
  expect([(await read(uri)).title, await objects()]).toEqual(['Told anew', [hidden, open].sort()]);
  const moved = await send(
    await sheet({ 'digital_object/0/digital_object_id': 'OTH-1', 'digital_object/0/digital_object_title': 'Other' }),
    {},
    session,
  );
  expect(moved.status, moved.log).toBe('completed');
  expect(await objects()).toEqual([hidden, other].sort());
  // The same sheet of somebody who was shown all.
  expect(await send(await edited([uri], [{ title: 'Seen whole' }]), {}, session)).toMatchObject({
    status: 'completed',
  });
  expect([(await read(uri)).title, await objects()]).toEqual(['Seen whole', [hidden, other].sort()]);
});

test('a sheet that describes a digital object that is suppressed is refused, and says so', async () => {
  const object = await created('digital_objects', { title: 'Scan', digital_object_id: 'D9' });
  const uri = await component('Scanned', {
    instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }],
  });
  expect((await api.post(`${object}/suppressed?suppressed=true`)).status).toBe(200);
  const ended = await send(await edited([uri], [{ 'digital_object/0/digital_object_title': 'Scan, renamed' }]));
  expect([ended.status, ended.log]).toEqual(['failed', expect.stringContaining('has been suppressed')]);
  expect(await read(object)).toMatchObject({ title: 'Scan', suppressed: true });
});
