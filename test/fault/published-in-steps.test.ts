// A large tree is published and unpublished in steps: while one of them is held up, those who work elsewhere in the tree are not; a worker that is
// killed in the middle leaves whole steps, and the next one does the rest; what is unpublished is hidden from the first step on.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, IdRow, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import { holdingRecord } from '../support/held-record.ts';
import type { TestApi } from '../support/api.ts';
import { idOf, ok, startTestApi } from '../support/api.ts';
import type { ImportWorker } from '../support/import-worker.ts';
import { spawnImportWorker } from '../support/import-worker.ts';
import { amount } from '../support/long.ts';
import { resourceBody } from '../support/records.ts';

// Three steps, in the second of which is the component in the middle.
const components = amount(2200, 3000);
let api: TestApi;
let resource = '';
let box = '';
let nodes: readonly number[] = [];
beforeAll(async () => {
  // Whoever has to wait is told so soon: nothing here may be held up for as long as it takes.
  api = await startTestApi({ worker: false, database: { lockPatience: { atOnceMs: 250, wholeMs: 5000 } } });
  const repoId = await api.repository();
  resource = await api.create(`/repositories/${repoId}/resources`, resourceBody('STEPS', { publish: false }));
  box = await api.create(`/repositories/${repoId}/top_containers`, { indicator: '1', type: 'box' });
  const container = { jsonmodel_type: 'sub_container', top_container: { ref: box } };
  const instances = [{ jsonmodel_type: 'instance', instance_type: 'mixed_materials', sub_container: container }];
  const body = { jsonmodel_type: 'archival_object', title: 'File', level: 'file', publish: false, instances };
  nodes = await api.database.transaction(async (tx) => {
    const made = await tx.any(sql.type(IdRow)`INSERT INTO record (kind, id, repo_id, publish, label, body)
      SELECT 'archival_object', nextval('archival_object_id_seq'), ${repoId}, false, 'File', ${JSON.stringify(body)}::json FROM generate_series(1, ${components}::int) RETURNING id`);
    const tree = treeUnder(kindNamed('archival_object'), repoId, idOf(resource));
    const first = Math.min(...made.map(({ id }) => id));
    await bulkLoadTree(
      tx,
      tree,
      sql.fragment`SELECT id, ${tree.rootId}::int AS root_id, CASE WHEN id - ${first}::int < 20 THEN NULL ELSE ${first}::int + id % 20 END AS parent_id, id AS position, id AS seq, false AS visible, 'file' AS level FROM record WHERE kind = 'archival_object'`,
      { keepsPositions: true },
    );
    await tx.run(sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id)
      SELECT kind, id, 0, 'instances.sub_container.top_container', 'top_container', ${idOf(box)}::int, repo_id FROM record WHERE kind = 'archival_object'`);
    return made.map(({ id }) => id).toSorted((a, b) => a - b);
  });
});
afterAll(async () => {
  await stop();
  await api[Symbol.asyncDispose]();
});

const workers = new Set<ImportWorker>();
const start = async (): Promise<void> => {
  // Its jobs have no work for threads.
  workers.add(await spawnImportWorker(api.databaseUrl, 1));
};
/** As a power failure does. */
async function stop(): Promise<void> {
  for (const worker of workers) {
    worker.process.kill('SIGKILL');
    await once(worker.process, 'exit');
    workers.delete(worker);
  }
}

const at = (n: number): string => `${resource.split('/resources')[0]}/archival_objects/${nodes.at(n)}`;
const count = async (query: Fragment): Promise<number> =>
  (await api.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n ${query}`)).n;
const published = (): Promise<number> =>
  count(
    sql.fragment`FROM record WHERE kind = 'archival_object' AND publish AND id = ANY(${sql.array([...nodes], 'int4')})`,
  );

/** Holds the component in the middle while `work` runs, once the job waits for it. */
async function whileHeld(path: string, work: (job: string) => Promise<void>): Promise<string> {
  return holdingRecord(api.database, { kind: 'archival_object', id: nodes.at(components / 2) ?? 0 }, async (isMet) => {
    const asked = await api.ask(path, { method: 'POST', headers: { prefer: 'respond-async' } });
    expect(asked.status).toBe(202);
    await isMet();
    await work(String(asked.json.uri));
    return String(asked.json.uri);
  });
}

const isDone = async (job: string): Promise<void> => {
  await expect.poll(async () => ok(await api.get(job)).status).toBe('completed');
};
const saved = async (uri: string): Promise<number> => (await api.post(uri, ok(await api.get(uri)))).status;

test('publishing: editors elsewhere in the tree go on beside it, and a killed worker leaves whole steps', async () => {
  await start();
  let added = '';
  const job = await whileHeld(`${resource}/publish`, async () => {
    // Of what was published, of what comes later, of the root, and of what it links to.
    for (const uri of [at(0), at(-1), resource, box]) expect([uri, await saved(uri)]).toEqual([uri, 200]);
    added = await api.create(`${resource.split('/resources')[0]}/archival_objects`, {
      title: 'Added',
      level: 'file',
      resource: { ref: resource },
    });
    expect((await api.post(added, { ...ok(await api.get(added)), publish: true })).status).toBe(200);
    expect(await api.get(`${at(0)}`)).toMatchObject({ json: { publish: true, has_unpublished_ancestor: true } });
    await stop();
  });
  const half = await published();
  expect([half > 0, half < components, half % 1000]).toEqual([true, true, 0]);
  expect(ok(await api.get(resource)).publish).toBe(false);
  await start();
  await isDone(job);
  expect(await published()).toBe(components);
  expect(ok(await api.get(at(0)))).toMatchObject({ publish: true, has_unpublished_ancestor: false });
  // Each once, whichever worker did it.
  expect(await count(sql.fragment`FROM revision WHERE kind = 'archival_object' AND op = 'publish'`)).toBe(components);
  const { attempts } = await api.database.reader.one(
    sql.type(z.strictObject({ attempts: column.int }))`SELECT attempts FROM job WHERE type = 'publish-records'`,
  );
  expect(attempts).toBe(2);
  expect((await checkDatabase(api.database)).filter((flaw) => flaw.count > 0)).toEqual([]);
  expect(ok(await api.del(added)).status).toBe('Deleted');
});

test.each(['suppressed?suppressed=true', 'unpublish'])(
  '%s: all of it is hidden from the public from the first step on',
  async (how) => {
    await api.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
    if (workers.size === 0) await start();
    const job = await whileHeld(`${resource}/${how}`, async () => {
      expect(ok(await api.get(resource))).toMatchObject(
        how === 'unpublish' ? { publish: false } : { suppressed: true },
      );
      // Suppressed blocks are hidden from the staff too; what is below the top, from the public.
      const hidden = sql.fragment`FROM (SELECT DISTINCT id FROM search_hidden WHERE kind = 'archival_object' AND reach = 'public') AS h`;
      expect(await count(hidden)).toBe(components);
      expect(await saved(at(-1))).toBe(200);
    });
    await isDone(job);
    expect((await checkDatabase(api.database)).filter((flaw) => flaw.count > 0)).toEqual([]);
    if (how !== 'unpublish') ok(await api.post(`${resource}/suppressed?suppressed=false`));
  },
);
