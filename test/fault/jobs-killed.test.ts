// Jobs that write, killed before their commit or between their steps, run again, and run once more: nothing half done shows, the second run
// does it, the third changes nothing. Other jobs have such a test beside their own; the last test here finds out which have none.
import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { JobDeclaration } from '#domain/job.ts';
import { duplicateResource } from '#domain/jobs/duplicate-resource.ts';
import { expire } from '#domain/jobs/expire.ts';
import { generateArks } from '#domain/jobs/generate-arks.ts';
import { generateSlugs } from '#domain/jobs/generate-slugs.ts';
import { jobs } from '#domain/jobs/index.ts';
import { moveNodes } from '#domain/jobs/move-nodes.ts';
import { publishRecords } from '#domain/jobs/publish-records.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import { report } from '#domain/jobs/report.ts';
import { deleteRecord } from '#domain/jobs/delete-record.ts';
import { deleteRecords } from '#domain/jobs/delete-records.ts';
import { suppressRecords } from '#domain/jobs/suppress-records.ts';
import type { Caller } from '#domain/access/caller.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { readCaller } from '#store/access/grants.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { generatedValues } from '../../apps/generated-values.ts';
import type { JobContext, JobHandler } from '../../apps/worker/handler.ts';
import { handler as duplicateHandler } from '../../apps/worker/jobs/duplicate-resource.ts';
import { handler as expireHandler } from '../../apps/worker/jobs/expire.ts';
import { handler as arksHandler } from '../../apps/worker/jobs/generate-arks.ts';
import { handler as slugsHandler } from '../../apps/worker/jobs/generate-slugs.ts';
import { handler as moveHandler } from '../../apps/worker/jobs/move-nodes.ts';
import { handler as publishHandler } from '../../apps/worker/jobs/publish-records.ts';
import { handler as reindexHandler } from '../../apps/worker/jobs/reindex.ts';
import { handler as reportHandler } from '../../apps/worker/jobs/report.ts';
import { handler as deleteHandler } from '../../apps/worker/jobs/delete-record.ts';
import { handler as deleteSeveralHandler } from '../../apps/worker/jobs/delete-records.ts';
import { handler as suppressHandler } from '../../apps/worker/jobs/suppress-records.ts';
import type { Threads } from '../../apps/worker/threads/pool.ts';
import type { TestApi } from '../support/api.ts';
import { idOf, startTestApi } from '../support/api.ts';
import { startIndexer } from '../support/indexer.ts';
import { resourceBody } from '../support/records.ts';
import { killedOnce, runHandler } from '../support/run-handler.ts';
import { sharedThreads } from '../support/threads.ts';

let api: TestApi;
let threads: Threads;
let caller: Caller;
let repoId = 0;
let made = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  threads = await sharedThreads();
  caller = await readCaller(api.database.reader, 'admin');
  repoId = await api.repository();
});
afterAll(async () => {
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
  await api[Symbol.asyncDispose]();
});

/** What the jobs here write, as one value; dates and versions apart. */
const state = () =>
  api.database.reader.any(sql.type(AnyRow)`
  SELECT 'record' AS t, concat_ws(' ', kind, id, repo_id, publish, suppressed, body::text) AS row FROM record
  UNION ALL SELECT 'link', concat_ws(' ', source_kind, source_id, ordinal, property, target_kind, target_id) FROM link
  UNION ALL SELECT 'key', concat_ws(' ', rule, scope, value, kind, id) FROM unique_key
  UNION ALL SELECT 'place', concat_ws(' ', t.kind, t.root_id, t.parent_id, t.id, row_number() OVER (PARTITION BY t.repo_id, t.kind, t.root_id, t.list_id ORDER BY b.key, t.ord)) FROM tree_node t JOIN tree_bucket b USING (repo_id, kind, root_id, list_id, bucket)
  ORDER BY 1, 2`);

/** A tree of a resource with two components, the second of which has one below it. */
async function tree(): Promise<{ readonly resource: string; readonly nodes: readonly string[] }> {
  const R = `/repositories/${repoId}`;
  const resource = await api.create(`${R}/resources`, resourceBody(`K${(made += 1)}`, { publish: false }));
  const node = (title: string, more: object = {}) =>
    api.create(`${R}/archival_objects`, { title, level: 'file', resource: { ref: resource }, ...more });
  const [one, two] = [await node('One'), await node('Two')];
  return { resource, nodes: [one, two, await node('Three', { parent: { ref: two } })] };
}
const placed = (resource: string) => ({
  kind: 'resource',
  id: idOf(resource),
  repoId,
  nodeKind: 'archival_object',
  rootId: idOf(resource),
  actor: 'tester',
});
const asked = (job: { readonly [name: string]: string }) => ({ repoId, actor: 'admin', job, params: {} });

/** Killed it leaves everything as it was; run again it does its work; a third run leaves that as it is. Gives what the two runs gave. */
async function isDoneOnce<Payload>(
  declared: JobDeclaration<Payload>,
  handler: JobHandler,
  payload: Payload,
): Promise<readonly unknown[]> {
  const around = { caller, threads };
  const before = await state();
  await expect(killedOnce(api.database, declared, handler, payload, around)).rejects.toThrow('killed');
  expect(await state()).toEqual(before);
  const first = await runHandler(api.database, declared, handler, payload, around);
  const after = await state();
  expect(after).not.toEqual(before);
  const second = await runHandler(api.database, declared, handler, payload, around).catch((error: unknown) => error);
  expect(await state()).toEqual(after);
  return [first, second];
}

test('publishing a tree', async () => {
  const { resource, nodes } = await tree();
  const [first] = await isDoneOnce(publishRecords, publishHandler, {
    ...placed(resource),
    publish: true,
    seesSuppressed: true,
  });
  expect(first).toEqual({ written: 1 + nodes.length });
});

test('suppressing a tree', async () => {
  const { resource } = await tree();
  await isDoneOnce(suppressRecords, suppressHandler, { ...placed(resource), suppressed: true });
});

test('deleting a tree', async () => {
  const { resource, nodes } = await tree();
  const [first, second] = await isDoneOnce(deleteRecord, deleteHandler, {
    ...placed(resource),
    lockVersion: null,
    isHeldByMany: false,
  });
  expect([first, second]).toMatchObject([{ deleted: 1 + nodes.length }, { code: 'not_found' }]);
});

test('deleting several at once', async () => {
  const uris = [(await tree()).resource, (await tree()).nodes[0] ?? ''];
  const by = { actor: 'admin', address: null, requestId: null };
  const [first, second] = await isDoneOnce(deleteRecords, deleteSeveralHandler, { uris, by });
  expect([first, second]).toMatchObject([{ deleted: 2 }, { code: 'access_denied' }]);
});

test('a move', async () => {
  const {
    resource,
    nodes: [one = '', two = ''],
  } = await tree();
  await isDoneOnce(moveNodes, moveHandler, {
    repoId,
    nodeKind: 'archival_object',
    rootId: idOf(resource),
    parentId: idOf(two),
    position: 0,
    ids: [idOf(one)],
    actor: 'tester',
  });
  expect((await api.get(one)).json).toMatchObject({ parent: { ref: two }, position: 0 });
});

test('a copy of a resource, which cannot be made twice', async () => {
  const { resource } = await tree();
  const [first, second] = await isDoneOnce(duplicateResource, duplicateHandler, asked({ source: resource }));
  expect(first).toMatchObject({ uri: expect.stringMatching(/\/resources\/\d+$/) });
  expect(second).toMatchObject({ code: 'import_failed' });
});

test('a report: no file where it is killed, and the same file from each run', async () => {
  await api.create(`/repositories/${repoId}/accessions`, { id_0: 'R', accession_date: '2020-01-01' });
  const payload = asked({ report_type: 'accession_report', format: 'csv' });
  const files = () =>
    api.database.reader.any(sql.type(z.strictObject({ text: column.text }))`
      SELECT string_agg(encode(c.bytes, 'escape'), '' ORDER BY c.n) AS text FROM job_file f JOIN blob_chunk c USING (blob_id) WHERE f.role = 'output' GROUP BY f.id ORDER BY f.id`);
  await expect(killedOnce(api.database, report, reportHandler, payload, { caller, threads })).rejects.toThrow('killed');
  expect(await files()).toEqual([]);
  for (const _ of [1, 2])
    expect(await runHandler(api.database, report, reportHandler, payload, { caller, threads })).toEqual({
      rows: 1,
      format: 'csv',
    });
  const [one, two] = await files();
  expect([one?.text.length ?? 0, two]).toEqual([expect.any(Number), one]);
});

test.each([
  {
    what: 'ARKs',
    declared: generateArks,
    handler: arksHandler,
    naming: { ...namingOff, arks: { ...namingOff.arks, isOn: true } },
  },
  {
    what: 'slugs',
    declared: generateSlugs,
    handler: slugsHandler,
    naming: { ...namingOff, slugs: { from: 'title' as const } },
  },
])(
  '$what: whole steps are kept where it is killed between them, and the rest is done when it runs again',
  async ({ declared, handler, naming }) => {
    await tree();
    const around: Partial<JobContext> = { caller, generatedValues: { ...generatedValues, naming } };
    const before = await state();
    let steps = 0;
    let kept = 0;
    const killed = {
      ...around,
      changedRecords: async (_tx: unknown, uris: readonly string[]) => {
        if (uris.length > 0) steps += 1;
        if (steps === 2) throw new Error('killed');
        kept += uris.length;
      },
    };
    await expect(runHandler(api.database, declared, handler, asked({}), killed)).rejects.toThrow('killed');
    expect(kept).toBeGreaterThan(0);
    expect(await state()).not.toEqual(before);
    const changed = (value: unknown): number =>
      Object.values(Object(Object(value).changed)).reduce((sum: number, n) => sum + Number(n), 0);
    expect(changed(await runHandler(api.database, declared, handler, asked({}), around))).toBeGreaterThan(0);
    const after = await state();
    expect(changed(await runHandler(api.database, declared, handler, asked({}), around))).toBe(0);
    expect(await state()).toEqual(after);
  },
);

test('expiry: the steps before the end are done, and the others when it runs again', async () => {
  await api.database.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO session (token_hash, user_id, expirable, last_used) VALUES ('\\x01', 1, true, now() - interval '2 hours')`,
    );
    await tx.run(
      sql`INSERT INTO job (visible, type, mailbox, is_long, payload, status, time_finished) VALUES (false, 'old internal', 'a', false, '{}', 'completed', now() - interval '8 days')`,
    );
  });
  const left = () =>
    api.database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*)::int FROM session WHERE token_hash = '\\x01') AS sessions, (SELECT count(*)::int FROM job WHERE type = 'old internal') AS jobs`);
  const payload = {
    sessionTtlSeconds: 3600,
    sessionLongTtlSeconds: 604_800,
    feedRetentionDays: 90,
    sessionLifetimeSeconds: 0,
    sessionLongLifetimeSeconds: 0,
    auditDays: 0,
    revisionDays: 20,
    deliveryDays: 7,
    deadDeliveryDays: 30,
    jobDays: 365,
  };
  const killed = {
    log: (line: string) => {
      if (line.startsWith('sessions')) throw new Error('killed');
    },
  };
  await expect(runHandler(api.database, expire, expireHandler, payload, killed)).rejects.toThrow('killed');
  expect(await left()).toEqual({ sessions: 0, jobs: 1 });
  for (const _ of [1, 2]) {
    await runHandler(api.database, expire, expireHandler, payload);
    expect(await left()).toEqual({ sessions: 0, jobs: 0 });
  }
});

test('reindexing: a run that is cut off is not begun anew by the next run of the job', async () => {
  const count = 600;
  await api.database.transaction((tx) =>
    tx.run(
      sql`INSERT INTO record (kind, id, label, body) SELECT 'location', n, 'Shelf ' || n, json_build_object('jsonmodel_type', 'location', 'building', 'Depot') FROM generate_series(1, ${count}::int) AS n`,
    ),
  );
  const payload = { kinds: ['location'], repoId: null, rewrite: false };
  await expect(
    runHandler(api.database, reindex, reindexHandler, payload, {
      progress: () => {
        throw new Error('killed');
      },
    }),
  ).rejects.toThrow('killed');
  const { jobId } = await api.database.reader.one(sql.type(z.strictObject({ jobId: column.int }))`
    SELECT job_id AS "jobId" FROM reindex_run`);
  const due = () =>
    api.database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*)::int FROM reindex_fan) AS fans, (SELECT count(*)::int FROM reindex_due WHERE lane = 1) AS due`);
  const before = await due();
  await using _indexing = await startIndexer(api.database);
  const seen: number[] = [];
  expect(
    await runHandler(api.database, reindex, reindexHandler, payload, {
      jobId,
      progress: ({ total }) => void seen.push(total ?? 0),
    }),
  ).toEqual({ records: count });
  expect(before).not.toEqual({ fans: 0, due: 0 });
  expect(new Set(seen)).toEqual(new Set([count]));
  expect(await api.database.reader.one(sql.type(AnyRow)`SELECT count(*)::int AS runs FROM reindex_run`)).toEqual({
    runs: 1,
  });
  expect(await due()).toEqual({ fans: 0, due: 0 });
});

test('every job has a test that kills it', () => {
  const folder = new URL('../', import.meta.url);
  const kills = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .filter((text) => /killedOnce\(|SIGKILL|Error\('killed'\)/.test(text));
  expect(
    Object.values(jobs)
      .map(({ name }) => name)
      .filter((name) => !kills.some((text) => text.includes(`/jobs/${name}.ts`))),
  ).toEqual([]);
});
