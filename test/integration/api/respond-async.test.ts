// Every request that stands on a job, with `Prefer: respond-async`: a 202 with the job's address at once. And what becomes of such jobs
// where their owner loses the right before they run: nothing, with the reason.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { directComponents } from '#domain/calculators/calculated.ts';
import { jobs } from '#domain/jobs/index.ts';
import { readCaller } from '#store/access/grants.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handlers } from '../../../apps/worker/jobs/index.ts';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, noThreads, startTestWorker } from '#test/support/worker.ts';

/** Internal jobs that no request waits for: the clock's, and those of routes that give the address of the job, or its progress, anyway. */
const notWaitedFor = [
  'expire',
  'reindex',
  'batch-import',
  'load-records',
  'migrate-from',
  'lead-back',
  'rename-back',
  'move-files',
];

let api: TestApi;
let connected: Connected;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  connected = connect(api.databaseUrl);
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

async function whileWorking(work: () => Promise<void>): Promise<void> {
  const worker = await startTestWorker(connected, { handlers, threads: noThreads, readCaller });
  await work().finally(() => worker.stop());
}

const merge = (destination: string, ...candidates: readonly string[]): object => ({
  merge_destination: { ref: destination },
  merge_candidates: candidates.map((ref) => ({ ref })),
});
const state = () =>
  api.database.reader.any(sql.type(AnyRow)`
    SELECT kind, id, repo_id, publish, suppressed, lock_version, body::text FROM record WHERE kind NOT IN ('user', 'group') ORDER BY kind, id`);
const rights = [
  'view_repository',
  'update_resource_record',
  'suppress_archival_record',
  'update_accession_record',
  'transfer_archival_record',
  'delete_archival_record',
  'transfer_repository',
  'merge_archival_record',
  'merge_agents_and_subjects',
  'import_records',
  'create_job',
];

it('answers 202 with the address of the job; a job whose owner has lost the right since does nothing and says why', async () => {
  const [repoId, target] = [await api.repository(), await api.repository()];
  const R = `/repositories/${repoId}`;
  const node = (resource: string, title: string) =>
    api.create(`${R}/archival_objects`, { title, level: 'file', resource: { ref: resource } });
  const [root, other, accession] = [
    await api.create(`${R}/resources`, resourceBody('R1')),
    await api.create(`${R}/resources`, resourceBody('R2')),
    await api.create(`${R}/accessions`, { id_0: 'A', accession_date: '2020-01-01' }),
  ];
  const large = await largeTree(api, repoId, { code: 'R3', count: directComponents + 1 });
  const [one, two] = [await node(root, 'One'), await node(root, 'Two')];
  const [kept, gone, merged] = [
    await api.create('/agents/people', personBody('Kept')),
    await api.create('/agents/people', personBody('Gone')),
    await api.create('/agents/people', personBody('Merged')),
  ];
  let undone = '';
  await whileWorking(async () => {
    const reply = await api.post('/merge_requests/agent', merge(kept, merged));
    ok(reply);
    undone = /<(.*?)>/.exec(reply.headers.get('link') ?? '')?.[1] ?? '';
  });
  // One user with a group in each repository, whose grants are taken away below.
  ok(await api.ask('/users?password=secret', { json: { username: 'doer', name: 'Doer' } }));
  const groups = [];
  for (const id of [repoId, target])
    groups.push(
      await api.create(`/repositories/${id}/groups`, {
        group_code: 'doers',
        description: 'for a test',
        member_usernames: ['doer'],
        grants_permissions: rights,
      }),
    );
  // Deleting a repository, making the search index anew and changing lists are rights of the whole service.
  groups.push(
    await api.create(`/repositories/${globalRepoId}/groups`, {
      group_code: 'doers',
      description: 'for a test',
      member_usernames: ['doer'],
      grants_permissions: ['delete_repository', 'index_system', 'manage_enumeration_record'],
    }),
  );
  const session = await api.login('doer', 'secret');

  const extents = ok(await api.get('/config/enumerations/names/extent_extent_type'));
  const cassettes = extents.enumeration_values.find(({ value }: { readonly value: string }) => value === 'cassettes');

  const requests: readonly { readonly path: string; readonly method?: string; readonly json?: object }[] = [
    { path: `${one}/parent?parent=${two.split('/').at(-1)}` },
    { path: `${root}/accept_children?children[]=${two}&position=0` },
    { path: `${root}/publish` },
    { path: `${one}/unpublish` },
    { path: `${root}/suppressed?suppressed=true` },
    { path: '/merge_requests/agent', json: merge(kept, gone) },
    { path: `/merge_requests/resource?repo_id=${repoId}`, json: merge(root, other) },
    { path: `${undone}/undo` },
    { path: `${accession}/transfer?target_repo=/repositories/${target}` },
    { path: `${R}/transfer?target_repo=/repositories/${target}` },
    { path: `${R}/component_transfers?target_resource=${other}&component=${one}` },
    { path: `${R}/resource_descriptions/${root.split('/').at(-1)}.pdf`, method: 'GET' },
    { path: `${root}/templates/digital_object_creation.csv`, method: 'GET' },
    { path: `/bulk_archival_object_updater${R}/generate_spreadsheet?uri[]=${one}&resource_uri=${root}` },
    { path: `/date_calculator?record_uri=${large}`, method: 'GET' },
    { path: `/extent_calculator?record_uri=${large}`, method: 'GET' },
    { path: large, method: 'DELETE' },
    { path: `/batch_delete?record_uris[]=${large}` },
    {
      path: '/config/enumerations/migration',
      json: { enum_uri: extents.uri, from: 'cassettes', to: 'reels' },
    },
    { path: cassettes.uri, json: { ...cassettes, value: 'tapes' } },
    { path: R, method: 'DELETE' },
  ];
  const stranger = await api.userWith(['view_repository'], target);
  const before = await state();
  const uris: { readonly id: number; readonly uri: string }[] = [];
  for (const { path, method = 'POST', json } of requests) {
    const reply = await api.ask(path, {
      method,
      headers: { prefer: 'respond-async' },
      session,
      ...(json === undefined ? {} : { json }),
    });
    expect([path, reply.status, reply.json], reply.text).toEqual([
      path,
      202,
      { status: 'Accepted', id: expect.any(Number), uri: expect.stringMatching(/\/jobs\/\d+$/) },
    ]);
    expect([reply.headers.get('location'), reply.headers.get('preference-applied')]).toEqual([
      reply.json.uri,
      'respond-async',
    ]);
    const job = ok(await api.get(reply.json.uri, session));
    expect(job).toMatchObject({
      uri: reply.json.uri,
      status: 'queued',
      owner: 'doer',
      inactive_record: false,
      job_type: expect.stringMatching(/^[a-z]/),
    });
    expect(job.job.jsonmodel_type).toBe(job.job_type);
    expect((await api.get(`${reply.json.uri}/log`, session)).text).toBe('');
    // Jobs of no repository are their owner's and the administrators'.
    if (job.repository === undefined) expect((await api.get(reply.json.uri, stranger)).status).toBe(403);
    uris.push(reply.json);
  }
  const types = await api.database.reader.any(sql.type(z.strictObject({ type: column.text }))`
    SELECT DISTINCT type FROM job WHERE status = 'queued'`);
  // A job kind that a request waits for and that is not among the requests above is missing here.
  const waitedFor = [
    ...Object.values(jobs)
      .filter((job) => job.wire === undefined && !notWaitedFor.includes(job.name))
      .map(({ name }) => name),
    'print-finding-aid',
  ];
  expect(types.map(({ type }) => type).toSorted()).toEqual(waitedFor.toSorted());
  // And those of imports.
  const batch = JSON.stringify([
    { jsonmodel_type: 'accession', uri: `${R}/accessions/import_1`, id_0: 'I', accession_date: '2020-01-01' },
  ]);
  const importing = api.ask(`${R}/batch_imports`, { body: batch, session });
  await expect
    .poll(
      async () => (await api.database.reader.any(sql.type(AnyRow)`SELECT FROM job WHERE type = 'batch-import'`)).length,
    )
    .toBe(1);
  const form = new FormData();
  form.set(
    'job',
    JSON.stringify({
      jsonmodel_type: 'job',
      job: { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: ['a.xml'] },
    }),
  );
  form.append('files[]', new Blob(['<ead/>']), 'a.xml');
  const file = ok(await api.ask(`${R}/jobs_with_files`, { form, session }));

  const reindexing = await api.ask('/system/reindex', { method: 'POST', session });
  expect(reindexing.status).toBe(202);

  for (const uri of groups) ok(await api.post(uri, { ...ok(await api.get(uri)), grants_permissions: [] }));
  await whileWorking(async () => {
    expect((await importing).json.at(-1)).toMatchObject({
      errors: ['Server error: The owner of the job lacks the permission import_records'],
    });
    for (const { id } of [...uris, file, reindexing.json]) {
      const job = () =>
        api.database.reader.one(sql.type(z.strictObject({ status: column.text, failure: column.text }))`
          SELECT status, outcome->'failure'->>'code' AS failure FROM job WHERE id = ${Number(id)}`);
      await expect.poll(async () => (await job()).status).toBe('failed');
      expect((await job()).failure).toBe('access_denied');
    }
    for (const { uri } of uris) {
      expect((await api.get(uri)).json).toMatchObject({ status: 'failed' });
      expect((await api.get(`${uri}/log`)).text).toContain('The owner of the job lacks the permission');
    }
    expect((await api.get(`${file.uri}/log`)).text).toContain('The owner of the job lacks the permission create_job');
  });
  expect(await state()).toEqual(before);
});
