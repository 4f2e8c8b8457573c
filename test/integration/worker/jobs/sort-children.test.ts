// Sorting a level of a tree, over HTTP with a real worker: roots and nodes of each kind of tree, dry runs, refusals; and killed before its commit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortChildren } from '#domain/jobs/sort-children.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { parseSortBy } from '#domain/tree/sort-children.ts';
import { readCaller } from '#store/access/grants.ts';
import { readSorting, writeSorting } from '#store/records/writing/sort-children.ts';
import { handler } from '../../../../apps/worker/jobs/sort-children.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { postJob, runJob } from '#test/support/api-jobs.ts';
import { counting } from '#test/support/count-statements.ts';
import { outside } from '#test/support/outside.ts';
import { resourceBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';

let api: TestApi;
let repoId: number;
let made = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const created = (plural: string, body: object) => api.create(`/repositories/${repoId}/${plural}`, body);
const resource = () => created('resources', resourceBody(`S${(made += 1)}`));
const read = async (uri: string) => (await api.get(uri)).json;
const titlesBelow = async (uri: string): Promise<string[]> =>
  ((await api.get(`${uri}/tree/root`)).json.precomputed_waypoints['']?.[0] ?? []).map(
    (each: { title: string }) => each.title,
  );
const sort = (job: object, session = api.session): Promise<EndedJob> =>
  runJob(api, repoId, { jsonmodel_type: 'sort_children_job', ...job }, { session });

test('puts the children of a root in order: those that stand elsewhere are re-dated and told, the others are not touched; the second time nothing is', async () => {
  const root = await resource();
  const component = (title: string, component_id?: string) =>
    created('archival_objects', {
      title,
      level: 'file',
      resource: { ref: root },
      ...(component_id === undefined ? {} : { component_id }),
    });
  const [first, ten, none, nine] = [
    await component('First', '1'),
    await component('Ten', '10'),
    await component('<emph>None</emph>'),
    await component('Nine', '9'),
  ];
  await created('archival_objects', { title: 'Below', level: 'item', resource: { ref: root }, parent: { ref: ten } });
  const trial = await sort({ parent: root, sort_by: ['component_id'], dry_run: true });
  expect(trial).toMatchObject({ status: 'completed', result: { children: 4, moved: 3, dry_run: true }, records: [] });
  expect(trial.log).toContain(`3 -> 1 ${nine} Nine`);
  expect(await titlesBelow(root)).toEqual(['First', 'Ten', '<emph>None</emph>', 'Nine']);
  const before = await read(first);
  const ended = await sort({ parent: root, sort_by: ['component_id'] });
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { children: 4, moved: 3 } });
  expect([...ended.records].sort()).toEqual([nine, ten, none].sort());
  expect(await titlesBelow(root)).toEqual(['First', 'Nine', 'Ten', '<emph>None</emph>']);
  expect([await read(first), (await read(nine)).lock_version, (await read(`${ten}/children`)).length]).toEqual([
    before,
    0,
    1,
  ]);
  expect(await sort({ parent: root, sort_by: ['component_id'] })).toMatchObject({
    result: { children: 4, moved: 0 },
    records: [],
  });
  await sort({ parent: root, sort_by: ['-title'] });
  expect(await titlesBelow(root)).toEqual(['Ten', '<emph>None</emph>', 'Nine', 'First']);
});

test('sorts below nodes, digital objects and classifications, by dates and identifiers', async () => {
  const root = await resource();
  const series = await created('archival_objects', { title: 'Series', level: 'series', resource: { ref: root } });
  for (const begin of ['1950', '1900-05', '1900'])
    await created('archival_objects', {
      level: 'file',
      resource: { ref: root },
      parent: { ref: series },
      dates: [
        { label: 'creation', date_type: 'single', begin: '1999' },
        { label: 'creation', date_type: 'single', begin },
      ],
    });
  await sort({ parent: series, sort_by: ['begin'] });
  expect((await read(`${series}/children`)).map((each: any) => each.dates[1].begin)).toEqual([
    '1900',
    '1900-05',
    '1950',
  ]);
  const object = await created('digital_objects', { title: 'Scans', digital_object_id: 'scans' });
  for (const title of ['Page 10', 'Page 9'])
    await created('digital_object_components', { title, digital_object: { ref: object } });
  await sort({ parent: object, sort_by: ['title'] });
  expect(await titlesBelow(object)).toEqual(['Page 9', 'Page 10']);
  const scheme = await created('classifications', { title: 'Scheme', identifier: 'S' });
  for (const identifier of ['B', 'A'])
    await created('classification_terms', { title: `Term ${identifier}`, identifier, classification: { ref: scheme } });
  await sort({ parent: scheme, sort_by: ['identifier'] });
  expect(await titlesBelow(scheme)).toEqual(['Term A', 'Term B']);
});

test('refuses what has no children, fields that are none, and owners who may not move', async () => {
  const root = await resource();
  const job = { jsonmodel_type: 'sort_children_job', parent: root, sort_by: ['title'] };
  expect((await postJob(api, repoId, { ...job, sort_by: [] })).json).toEqual({
    error: { sort_by: ['At least 1 item(s) is required'] },
  });
  const accession = await created('accessions', { id_0: 'A', accession_date: '2020-01-01' });
  for (const [wrong, told] of [
    [{ parent: accession }, { parent: [expect.stringContaining('tree below it')] }],
    [{ parent: 'elsewhere' }, { parent: [expect.stringContaining('tree below it')] }],
    [{ sort_by: ['title', 'colour'] }, { sort_by: [expect.stringContaining('you provided colour')] }],
  ] as const)
    expect(await postJob(api, repoId, { ...job, ...wrong })).toMatchObject({ status: 400, json: { error: told } });
  const elsewhere = await api.repository();
  for (const [wrong, told] of [
    [{ parent: root.replace(`/${repoId}/`, `/${elsewhere}/`) }, 'tree below it'],
    [{ parent: `${root}99999` }, 'Resource not found'],
    [{ parent: `/repositories/${repoId}/archival_objects/99999` }, 'ArchivalObject not found'],
  ] as const) {
    expect(await sort({ ...job, ...wrong })).toMatchObject({ status: 'failed', log: expect.stringContaining(told) });
  }
  const session = await api.userWith(['view_repository', 'create_job'], repoId);
  expect(await sort(job, session)).toMatchObject({
    status: 'failed',
    log: expect.stringContaining('lacks the permission update_resource_record'),
  });
  expect((await api.get('/job_types')).json).not.toHaveProperty('sort_children_job');
});

const payload = (repo: number, parent: string) => ({
  repoId: repo,
  actor: 'admin',
  job: { parent, sort_by: ['title'] },
  params: {},
});
/** A resource with such components. */
async function rootOf(repo: string, code: string, titles: readonly string[]): Promise<string> {
  const root = await api.create(`${repo}/resources`, resourceBody(code));
  await api.post(`${root}/children`, {
    children: titles.map((title) => ({ title, level: 'file', resource: { ref: root } })),
  });
  return root;
}

test('leaves nothing where it is killed before its commit, may then run again, and takes as many statements for 600 children as for 3', async () => {
  const id = await api.repository();
  const around = { caller: await readCaller(api.database.reader, 'admin') };
  const few = await rootOf(`/repositories/${id}`, 'FEW', ['c', 'b', 'a']);
  await expect(killedOnce(api.database, sortChildren, handler, payload(id, few), around)).rejects.toThrow('killed');
  expect(await titlesBelow(few)).toEqual(['c', 'b', 'a']);
  await runHandler(api.database, sortChildren, handler, payload(id, few), around);
  expect(await titlesBelow(few)).toEqual(['a', 'b', 'c']);
  const many = await rootOf(
    `/repositories/${id}`,
    'MANY',
    Array.from({ length: 600 }, (_, at) => `File ${at + 1}`),
  );
  const statementsOf = (root: string): Promise<number> =>
    api.database.transaction(async (tx) => {
      const { tx: counted, count } = counting(tx);
      const parent = { repoId: id, id: Number(root.split('/').at(-1)), isRoot: true };
      const sorting = await readSorting(counted, archivalObject, parent, parseSortBy(['-title']));
      await writeSorting(counted, sorting, 'admin', async () => undefined);
      return count();
    });
  expect(await statementsOf(few)).toBe(9);
  expect(await statementsOf(many)).toBe(9);
  expect([await titlesBelow(few), (await titlesBelow(many)).slice(0, 2)]).toEqual([
    ['c', 'b', 'a'],
    ['File 600', 'File 599'],
  ]);
});

test('holds nobody up in other parts of the tree; who changes the list meanwhile has it sorted anew, and waits the third time', async () => {
  const id = await api.repository();
  const root = await rootOf(`/repositories/${id}`, 'BUSY', ['d', 'c', 'z']);
  const [d = ''] = (await api.get(`${root}/tree/root`)).json.precomputed_waypoints[''][0].map(
    (each: { uri: string }) => each.uri,
  );
  const add = (title: string, parent?: string) =>
    api.create(`/repositories/${id}/archival_objects`, {
      title,
      level: 'file',
      resource: { ref: root },
      ...(parent === undefined ? {} : { parent: { ref: parent } }),
    });
  const lines: string[] = [];
  const sorted = async (work: (tries: number) => Promise<unknown>): Promise<number> => {
    let tries = 0;
    await runHandler(api.database, sortChildren, handler, payload(id, root), {
      caller: await readCaller(api.database.reader, 'admin'),
      log: (line) => void lines.push(line),
      completeAhead: async () => void (await outside(() => work((tries += 1)))),
    });
    return tries;
  };
  expect(await sorted(() => add('Below', d))).toBe(1);
  expect(await titlesBelow(root)).toEqual(['c', 'd', 'z']);
  await add('b');
  expect(await sorted(async (tries) => tries === 1 && add('a'))).toBe(2);
  expect(await titlesBelow(root)).toEqual(['a', 'b', 'c', 'd', 'z']);
  expect(lines.slice(-7)).toEqual([
    expect.stringContaining('sorted anew'),
    expect.stringMatching(/^4 -> 0 .* a$/),
    expect.stringMatching(/^3 -> 1 .* b$/),
    expect.stringMatching(/^0 -> 2 .* c$/),
    expect.stringMatching(/^1 -> 3 .* d$/),
    expect.stringMatching(/^2 -> 4 .* z$/),
    `5 of 5 children of ${root} change their places.`,
  ]);
  let last: Promise<unknown> = Promise.resolve();
  await add('0');
  const tries = await sorted(async (tries) => {
    const adding = add(`${tries}`);
    if (tries < 3) await adding;
    else last = adding;
  });
  await last;
  expect(tries).toBe(3);
  expect(await titlesBelow(root)).toEqual(['0', '1', '2', 'a', 'b', 'c', 'd', 'z', '3']);
});

test('a parent that the owner may not see is not there, as for moves; children that one may not see are sorted with the others', async () => {
  const root = await resource();
  const component = (title: string) => created('archival_objects', { title, level: 'file', resource: { ref: root } });
  const [, hidden] = [await component('Zeta'), await component('Alpha')];
  await api.post(`${hidden}/suppressed?suppressed=true`);
  const editor = await api.userWith(['view_repository', 'create_job', 'update_resource_record'], repoId);
  const job = (parent: string) => ({ parent, sort_by: ['title'] });
  expect(await sort(job(root), editor)).toMatchObject({ status: 'completed', result: { children: 2, moved: 2 } });
  await api.post(`${root}/suppressed?suppressed=true`);
  for (const parent of [hidden, root]) {
    const refused = await sort(job(parent), editor);
    expect(refused.status, refused.log).toBe('failed');
    expect(refused.log).toContain('not found');
    expect((await sort(job(parent))).status).toBe('completed');
  }
});
