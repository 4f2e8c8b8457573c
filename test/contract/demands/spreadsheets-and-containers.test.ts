// Sheets as spreadsheet programs save them, and the containers that their rows name: typed cells are read as they look, a row means the
// container that is there, never one of another repository, and what is wrong is told with its row and its column before anything is stored.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';
import { runSheetJob, sheetOf, xlsx } from '#test/support/sheet-job.ts';

let api: TestApi;
let here = 0;
let there = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  [here, there] = [await api.repository(), await api.repository()];
});
afterAll(async () => api[Symbol.asyncDispose]());

type Cell = string | number | Date;
const codes = [
  'ead',
  'title',
  'hierarchy',
  'level',
  'begin',
  'cont_instance_type',
  'type_1',
  'indicator_1',
  'barcode',
] as const;

/** Loads rows into a new resource of a repository, or into the one given, as a workbook with cells of these types. */
async function load(
  repoId: number,
  rows: readonly (readonly Cell[])[],
  into?: string,
): Promise<{
  readonly status: string;
  readonly log: string;
  readonly records: readonly string[];
  readonly resource: string;
}> {
  const code =
    into === undefined ? `S${repoId}-${Math.round(performance.now() * 1000)}` : String(ok(await api.get(into)).ead_id);
  const resource =
    into ?? (await api.create(`/repositories/${repoId}/resources`, resourceBody(code, { ead_id: code })));
  const [note = [], head = [], names = []] = sheetOf([Object.fromEntries(codes.map((each) => [each, '']))]);
  const table = [note, head, names, ...rows.map((row) => ['', code, ...row])];
  const id = resource.split('/').at(-1) ?? '';
  const job = {
    jsonmodel_type: 'bulk_import_job',
    resource_id: id,
    filename: 'x.xlsx',
    load_type: 'ao',
    content_type: 'xlsx',
    format: 'xlsx',
  };
  return { ...(await runSheetJob(api, repoId, xlsx(table), job, { params: { rid: Number(id) } })), resource };
}
const containers = async (repoId: number): Promise<readonly any[]> =>
  ok(await api.get(`/repositories/${repoId}/top_containers?page=1&page_size=100`)).results;
const boxOf = async (uri: string): Promise<string> =>
  ok(await api.get(uri)).instances[0].sub_container.top_container.ref;

test('numbers and days in cells are read as they look', async () => {
  const ended = await load(here, [['One', 1, 'file', 1901, 'Mixed Materials', 'Box', 7, 31234000123]]);
  expect(ended.status, ended.log).toBe('completed');
  const node = ok(await api.get(ended.records[0] ?? ''));
  expect(node).toMatchObject({ title: 'One', dates: [{ begin: '1901' }] });
  expect(ok(await api.get(await boxOf(node.uri)))).toMatchObject({ indicator: '7', barcode: '31234000123' });
  const dated = await load(here, [['Two', 1, 'file', new Date(Date.UTC(1984, 1, 29)), '', '', '', '']]);
  expect(dated.status, dated.log).toBe('completed');
  expect(ok(await api.get(dated.records[0] ?? '')).dates[0].begin).toBe('1984-02-29');
});

test('rows mean the container of the collection by type and indicator, the second time as the first, and that of another repository never', async () => {
  const row = (title: string, barcode: string): readonly Cell[] => [title, 1, 'file', '', 'text', 'box', '12', barcode];
  const first = await load(here, [row('A', ''), row('B', '')]);
  const second = await load(here, [row('C', '')], first.resource);
  expect([first.status, second.status], first.log + second.log).toEqual(['completed', 'completed']);
  const boxes = await Promise.all(
    [...first.records, ...second.records].filter((uri) => uri.includes('archival_objects')).map(boxOf),
  );
  expect([boxes.length, new Set(boxes).size]).toEqual([3, 1]);
  // The same words in another collection mean another box.
  const elsewhere = await load(here, [row('D', '')]);
  expect(boxes).not.toContain(await boxOf(elsewhere.records[0] ?? ''));
  // A barcode of another repository names nothing here; the box is made.
  const foreign = await api.create(`/repositories/${there}/top_containers`, {
    indicator: '12',
    type: 'box',
    barcode: 'THERE-1',
  });
  const own = await load(here, [row('E', 'THERE-1')]);
  expect(own.status, own.log).toBe('completed');
  expect(await boxOf(own.records[0] ?? '')).toMatch(new RegExp(`^/repositories/${here}/`));
  expect(ok(await api.get(foreign)).collection).toEqual([]);
});

test('a box of another repository is a 400 that names it, one at a time and in a batch', async () => {
  const foreign = await api.create(`/repositories/${there}/top_containers`, { indicator: '1', type: 'box' });
  const resource = await api.create(`/repositories/${here}/resources`, resourceBody('FOREIGN'));
  const node = {
    jsonmodel_type: 'archival_object',
    title: 'X',
    level: 'file',
    resource: { ref: resource },
    instances: [{ instance_type: 'text', sub_container: { top_container: { ref: foreign } } }],
  };
  const refused = await api.post(`/repositories/${here}/archival_objects`, node);
  expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining(foreign)]);
  const batch = await api.ask(`/repositories/${here}/batch_imports`, {
    body: JSON.stringify([{ ...node, uri: `/repositories/${here}/archival_objects/import_1` }]),
  });
  expect(batch.json.at(-1).errors).toEqual([expect.stringContaining(foreign)]);
  expect(ok(await api.get(`${resource}/tree/root`)).child_count).toBe(0);
});

test('every wrong cell is told with its row and column, and nothing is stored', async () => {
  const before = (await containers(here)).length;
  const ended = await load(here, [
    ['Right', 1, 'file', '', 'text', 'box', '1', ''],
    ['Wrong', 1, 'no level', '', 'text', 'box', '2', ''],
    ['Wrong too', 5, 'file', '', '', '', '', ''],
  ]);
  expect([ended.status, ended.records]).toEqual(['failed', []]);
  expect(ended.log).toMatch(/5\b.*level/);
  expect(ended.log).toMatch(/6\b.*hierarchy/);
  expect((await containers(here)).length).toBe(before);
});

test('a file that is no workbook ends its job with the reason', async () => {
  const resource = await api.create(`/repositories/${here}/resources`, resourceBody('POISON'));
  const id = resource.split('/').at(-1) ?? '';
  const job = {
    jsonmodel_type: 'bulk_import_job',
    resource_id: id,
    filename: 'x.xlsx',
    load_type: 'ao',
    content_type: 'xlsx',
    format: 'xlsx',
  };
  const ended = await runSheetJob(api, here, Buffer.from('PK no workbook'), job, { params: { rid: Number(id) } });
  expect(ended.status).toBe('failed');
  expect(ended.log).not.toMatch(/log of the server|Internal/i);
  expect(ended.log).toMatch(/workbook|xlsx/i);
});
