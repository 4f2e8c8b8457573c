// Linking archival objects to top containers from end to end: the template is fetched, filled in, and sent back as CSV or as a workbook.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkContainers } from '#domain/jobs/link-containers.ts';
import { readCodedSheet } from '#domain/spreadsheets/coded-sheet.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { readCaller } from '#store/access/grants.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/link-containers.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { noThreads } from '#test/support/worker.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { lockWaits } from '#test/support/lock-waits.ts';
import { resourceBody } from '#test/support/records.ts';
import { csv, sheetOf, xlsx } from '#test/support/sheet-job.ts';
import { loadJob } from '#test/support/sheet-loads.ts';
import { bulkUpdate } from '#domain/jobs/bulk-update.ts';
import { loadSheet } from '#domain/jobs/load-sheet.ts';

type Cells = { readonly [code: string]: string };

let api: TestApi;
let repoId: number;
let count = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const read = async (uri: string) => (await api.get(uri)).json;

/** A resource with an EAD ID and components. */
async function collection(
  titles: readonly string[],
): Promise<{ readonly resource: string; readonly id: number; readonly components: readonly string[] }> {
  const R = `/repositories/${repoId}`;
  count += 1;
  const resource = await api.create(`${R}/resources`, resourceBody(`C${count}`, { ead_id: `ead-${count}` }));
  const components: string[] = [];
  for (const title of titles)
    components.push(await api.create(`${R}/archival_objects`, { title, level: 'file', resource: { ref: resource } }));
  return { resource, id: Number(resource.split('/').at(-1)), components };
}

/** The template of a resource with cells filled in, row by row; a list of cells for a component gives it several rows. */
async function filled(resource: string, edits: readonly (Cells | readonly Cells[])[]): Promise<string[][]> {
  const table: string[][] = parse((await api.get(`${resource}/templates/top_container_creation.csv`)).text);
  const codes = table[2] ?? [];
  const rows = table
    .slice(4)
    .flatMap((row, index) =>
      [edits[index] ?? {}].flat().map((cells: Cells) => codes.map((code, column) => cells[code] ?? row[column] ?? '')),
    );
  return [...table.slice(0, 4), ...rows];
}

const send = (
  bytes: Buffer,
  id: number,
  more: object = {},
  session = api.session,
  params: object = { rid: id },
): Promise<EndedJob> =>
  runJob(
    api,
    repoId,
    {
      jsonmodel_type: 'top_container_linker_job',
      resource_id: String(id),
      filename: 'x.csv',
      content_type: 'csv',
      ...more,
    },
    { session, params, file: { name: 'x.csv', content: bytes } },
  );

test('makes containers once, links to those there are, as the API would, and nothing the second time', async () => {
  const { resource, id, components } = await collection(['One', 'Two', 'Three']);
  const shelf = await api.create('/locations', { building: 'Main', floor: '1', barcode: `s${id}` });
  const profile = await api.create('/container_profiles', {
    name: `Box ${id}`,
    extent_dimension: 'height',
    height: '1',
    width: '1',
    depth: '1',
    dimension_units: 'inches',
  });
  const old = await api.create(`/repositories/${repoId}/top_containers`, { indicator: '9', type: 'box' });
  const lastOf = (uri: string): string => uri.split('/').at(-1) ?? '';
  const box = { instance_type: 'Mixed Materials', top_container_type: 'Box', top_container_indicator: '1' };
  const table = await filled(resource, [
    {
      ...box,
      top_container_barcode: `b${id}`,
      location_id: lastOf(shelf),
      container_profile_id: lastOf(profile),
      child_type: 'folder',
      child_indicator: '3',
      child_barcode: `f${id}`,
    },
    [box, { instance_type: 'text', top_container_id: lastOf(old) }],
    { instance_type: 'text', top_container_id: lastOf(old), child_type: 'folder' },
  ]);
  const looked = await send(csv(table), id, { only_validate: 'true' });
  expect(looked).toMatchObject({
    status: 'completed',
    result: { linked: 4, top_containers: 1, only_validate: true },
    records: [],
  });
  expect((await read(components[0] ?? '')).lock_version).toBe(0);
  const ended = await send(csv(table), id);
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { linked: 4, top_containers: 1 } });
  expect(ended.log).toContain('a child needs both child_type and child_indicator');
  const [one, two, three] = await Promise.all(components.map(read));
  const made = one.instances[0].sub_container.top_container.ref;
  expect(new Set(ended.records)).toEqual(new Set([made, ...components]));
  expect(await read(made)).toMatchObject({
    type: 'box',
    indicator: '1',
    barcode: `b${id}`,
    container_locations: [{ ref: shelf, status: 'current' }],
    container_profile: { ref: profile },
    collection: [{ ref: resource }],
  });
  expect(one).toMatchObject({
    lock_version: 1,
    last_modified_by: 'admin',
    instances: [
      { instance_type: 'mixed_materials', sub_container: { type_2: 'folder', indicator_2: '3', barcode_2: `f${id}` } },
    ],
  });
  expect(two.instances.map((each: any) => [each.instance_type, each.sub_container.top_container.ref])).toEqual([
    ['mixed_materials', made],
    ['text', old],
  ]);
  expect(three.instances).toHaveLength(1);
  // Saved by the API as it stands, nothing changes but the version: the job stores what the API stores.
  const again = await api.post(components[1] ?? '', two);
  expect(again.status, again.text).toBe(200);
  const timeless = (record: any) =>
    JSON.parse(JSON.stringify(record, (key, value) => (/_time|mtime|lock_version/.test(key) ? undefined : value)));
  expect(timeless(await read(components[1] ?? ''))).toEqual(timeless(two));
  // Box 1 is there now, so its row is wrong; rows that name containers by id find their links.
  const second = await send(csv(table), id);
  expect(second.status).toBe('failed');
  expect(second.log).toContain('Row 5, column top_container_indicator: The resource has a container box 1 already');
  const byId = await filled(resource, [
    { instance_type: 'mixed_materials', top_container_id: lastOf(made), child_type: 'Folder', child_indicator: '3' },
    { instance_type: 'text', top_container_id: lastOf(old) },
    { instance_type: 'text', top_container_id: lastOf(old) },
  ]);
  const linked = await send(xlsx(byId), id, { content_type: 'xlsx' });
  expect(linked, linked.log).toMatchObject({
    status: 'completed',
    result: { linked: 1, top_containers: 0 },
    records: [components[0]],
  });
  expect(await send(xlsx(byId), id, { content_type: 'xlsx' })).toMatchObject({
    status: 'completed',
    result: { linked: 0 },
    records: [],
  });
  expect((await checkDatabase(api.database)).filter((each: any) => each.count > 0)).toEqual([]);
});

test('tells every fault with row and column, and changes nothing', async () => {
  const { resource, id, components } = await collection(['One', 'Two', 'Three']);
  await api.create(`/repositories/${repoId}/top_containers`, { indicator: '1', type: 'carton', barcode: `taken${id}` });
  const table = await filled(resource, [
    {
      ref_id: 'nonsense',
      ead_id: 'other',
      instance_type: 'nonsense',
      top_container_indicator: '1',
      top_container_id: '99999999',
    },
    [
      {
        instance_type: 'text',
        top_container_type: 'box',
        top_container_indicator: '2',
        top_container_barcode: `taken${id}`,
        location_id: '99999999',
        container_profile_id: 'x',
      },
      { ref_id: '', ead_id: '', top_container_indicator: '3', top_container_type: 'nonsense' },
    ],
    [
      {
        instance_type: 'text',
        top_container_indicator: '4',
        top_container_barcode: `n1${id}`,
        child_type: 'folder',
        child_indicator: '1',
        child_barcode: 'f',
      },
      {
        instance_type: 'text',
        top_container_indicator: '4',
        top_container_barcode: `n2${id}`,
        child_type: 'folder',
        child_indicator: '2',
        child_barcode: 'f',
      },
      { instance_type: 'text', top_container_indicator: '5' },
    ],
  ]);
  const ended = await send(csv(table), id);
  expect(ended).toMatchObject({ status: 'failed', records: [] });
  const told = [...ended.log.matchAll(/^Row (\d+), column (\w+):/gm)].map(([, row, column]) => `${row} ${column}`);
  expect(told.sort()).toEqual(
    [
      '5 ead_id',
      '5 instance_type',
      '5 ref_id',
      '5 top_container_id',
      '5 top_container_indicator',
      '6 container_profile_id',
      '6 location_id',
      '6 top_container_barcode',
      '7 ead_id',
      '7 instance_type',
      '7 ref_id',
      '7 top_container_type',
      '9 child_barcode',
      '9 top_container_barcode',
    ].sort(),
  );
  for (const uri of components) expect(await read(uri)).toMatchObject({ lock_version: 0, instances: [] });
  for (const bad of [
    Buffer.from('no,codes\n'),
    csv([
      ['Field codes', 'ref_id', 'ref_id'],
      ['', 'x', 'y'],
    ]),
  ])
    expect((await send(bad, id)).status).toBe('failed');
  expect((await send(csv(table), id, { content_type: 'pdf' })).log).toContain('must be csv or xlsx');
  expect((await send(csv(table), 99999999)).status).toBe('failed');
  for (const rid of ['/repositories/1/resources/1', 'nonsense', null])
    expect((await send(csv(table), id, { resource_id: rid ?? 'x' }, api.session, { rid })).status).toBe('failed');
  expect((await api.get('/job_types')).json).not.toHaveProperty('top_container_linker_job');
});

test('needs the rights to change descriptions, and containers where it makes some', async () => {
  const { resource, id } = await collection(['One']);
  const table = csv(await filled(resource, [{ instance_type: 'text', top_container_indicator: '1' }]));
  const run = async (rights: readonly string[]) =>
    await send(table, id, {}, await api.userWith(['create_job', 'view_repository', ...rights], repoId));
  expect((await run([])).log).toContain('update_resource_record');
  expect((await run(['update_resource_record'])).log).toContain('update_container_record');
  expect((await run(['update_resource_record', 'update_container_record'])).status).toBe('completed');
});

test('leaves nothing where it is killed before its commit, and may then run again', async () => {
  const repo = await api.repository();
  const R = `/repositories/${repo}`;
  const root = (await api.post(`${R}/resources`, resourceBody('K1', { ead_id: 'k1' }))).json;
  const { uri } = (
    await api.post(`${R}/archival_objects`, {
      title: 'Killed',
      level: 'file',
      ref_id: 'r1',
      resource: { ref: root.uri },
    })
  ).json;
  const blob = await writeBlob(api.database, [
    csv([
      ['Field codes', 'ref_id', 'ead_id', 'instance_type', 'top_container_indicator'],
      ['', 'r1', 'k1', 'text', '1'],
    ]),
  ]);
  const around = {
    caller: await readCaller(api.database.reader, 'admin'),
    files: async () => [
      { id: 1, blobId: blob.id, role: 'input', fileName: 'x.csv', mediaType: null, sizeBytes: blob.sizeBytes },
    ],
    threads: { ...noThreads, run: async (_name: string, file: never) => readCodedSheet(file) as never },
  };
  const payload = { repoId: repo, actor: 'admin', job: { content_type: 'csv' }, params: { rid: root.id } };
  const containers = async () => (await api.get(`${R}/top_containers?all_ids=true`)).json;
  await expect(killedOnce(api.database, linkContainers, handler, payload, around)).rejects.toThrow('killed');
  expect([(await api.get(uri)).json.instances, await containers()]).toEqual([[], []]);
  await runHandler(api.database, linkContainers, handler, payload, around);
  expect((await api.get(uri)).json).toMatchObject({ lock_version: 1, instances: [{ instance_type: 'text' }] });
  expect(await containers()).toHaveLength(1);
});

test('a sheet that is loaded meanwhile takes the containers that are made here, and makes none of its own', async () => {
  const { resource, id, components } = await collection(['One']);
  const box = { instance_type: 'mixed_materials', top_container_type: 'box', top_container_indicator: '1' };
  const table = await filled(resource, [box]);
  const row = { res_uri: resource, title: 'Two', hierarchy: '1', level: 'file', cont_instance_type: 'mixed_materials' };
  const sheet = csv(sheetOf([{ ...row, type_1: 'box', indicator_1: '1' }]));
  const { both } = await api.database.transaction(async (tx) => {
    const component = Number(components[0]?.split('/').at(-1));
    await tx.run(sql`SELECT id FROM record WHERE kind = 'archival_object' AND id = ${component} FOR UPDATE`);
    // It has made its container, and waits for the archival object.
    const linked = send(csv(table), id);
    await expect.poll(() => lockWaits(api.database)).toBeGreaterThan(0);
    const file = { name: 'sheet', content: sheet };
    const loaded = runJob(api, repoId, loadJob(id), { params: { rid: id }, file });
    // A job that came after it, and has nothing to wait for, is done: it would be under way by now.
    const loads = sql.type(NumberRow)`SELECT count(*)::int AS n FROM job WHERE type = ${loadSheet.name}`;
    await expect.poll(async () => (await api.database.reader.one(loads)).n).toBe(1);
    await runJob(api, repoId, { jsonmodel_type: 'ns2_remover_job', dry_run: true });
    return { both: Promise.all([linked, loaded]) };
  });
  expect((await both).map(({ status }) => status)).toEqual(['completed', 'completed']);
  const refs = (await Promise.all((await both).map(({ records }) => Promise.all(records.map(read))))).map((records) =>
    records.flatMap(({ instances = [] }) => instances.map((each: any) => each.sub_container.top_container.ref)),
  );
  expect(refs[0]).toHaveLength(1);
  expect(refs[1]).toEqual(refs[0]);
  const asked = { repoId, actor: null, job: {}, params: {} };
  expect([linkContainers, bulkUpdate].map(({ mailbox }) => mailbox(asked))).toEqual([
    loadSheet.mailbox(asked),
    loadSheet.mailbox(asked),
  ]);
});
