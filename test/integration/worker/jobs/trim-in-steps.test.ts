// Trimming titles in blocks, over HTTP with a real worker: who holds a record of a later block holds up nothing of the earlier ones; canceled, killed and
// run again it trims each record once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { trimWhitespace } from '#domain/jobs/trim-whitespace.ts';
import { readCaller } from '#store/access/grants.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { runAgainLine } from '#store/queue/log.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { endOfJob, postJob, runJob } from '#test/support/api-jobs.ts';
import { siblingsAsRows } from '#test/support/large-tree.ts';
import { lockWaits } from '#test/support/lock-waits.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { handler } from '../../../../apps/worker/jobs/trim-whitespace.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(() => api[Symbol.asyncDispose]());

const count = 2 * holdersAtOnce + 100;
const job = { jsonmodel_type: 'trim_whitespace_job' };

const StateRow = z.strictObject({ trimmed: column.int, version: column.int, revisions: column.int });

/** A repository with three blocks of components whose titles have blanks around them. */
async function untrimmed() {
  const repoId = await api.repository();
  const { first } = await siblingsAsRows(api, repoId, { code: `T${repoId}`, count });
  await api.database.transaction((tx) =>
    tx.run(
      sql`UPDATE record SET body = with_property(body, 'title', to_json(' ' || (body->>'title') || ' ')) WHERE kind = 'archival_object' AND repo_id = ${repoId}`,
    ),
  );
  const uri = (nth: number): string => `/repositories/${repoId}/archival_objects/${first + nth}`;
  return {
    repoId,
    uri,
    /** Begins the job with a record of its second block held, and runs `work` when the job waits for that. */
    held: async <T>(work: (job: string) => Promise<T>): Promise<T> => {
      const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = api.database.transaction(async (tx) => {
        await tx.run(
          sql`SELECT FROM record WHERE kind = 'archival_object' AND id = ${first + holdersAtOnce + 50} FOR NO KEY UPDATE`,
        );
        isHeld.resolve();
        await mayEnd.promise;
      });
      await Promise.race([isHeld.promise, holding]);
      try {
        const { uri: asked } = ok(await postJob(api, repoId, job));
        await expect.poll(() => lockWaits(api.database)).toBe(1);
        return await work(asked);
      } finally {
        mayEnd.resolve();
        await holding;
      }
    },
    /** How many titles are trimmed, the highest version, and how many revisions there are. */
    state: () =>
      api.database.reader.one(sql.type(StateRow)`
        SELECT (count(*) FILTER (WHERE body->>'title' = btrim(body->>'title')))::int AS trimmed, max(lock_version)::int AS version,
          (SELECT count(*)::int FROM revision v WHERE v.kind = 'archival_object' AND v.repo_id = ${repoId}) AS revisions
        FROM record WHERE kind = 'archival_object' AND repo_id = ${repoId}`),
    recordsOf: async (asked: string): Promise<number> => ok(await api.get(`${asked}/records?page=1&page_size=1`)).total,
  };
}

test('nobody is held up by a block that is done, or by one that is to come', async () => {
  const { uri, held, state, recordsOf } = await untrimmed();
  const asked = await held(async (asked) => {
    expect(await state()).toEqual({ trimmed: holdersAtOnce, version: 1, revisions: holdersAtOnce });
    for (const nth of [10, count - 10]) {
      const body = ok(await api.get(uri(nth)));
      expect(body.title).toBe(nth === 10 ? 'File 10' : ` File ${nth} `);
      ok(await api.post(uri(nth), { ...body, title: `Saved ${nth}` }));
      expect(await lockWaits(api.database)).toBe(1);
    }
    return asked;
  });
  expect(await endOfJob(api, asked)).toMatchObject({
    status: 'completed',
    result: { changed: { archival_object: count - 1, resource: 0, accession: 0 } },
  });
  // The one had been trimmed and was saved; of the other, nothing was left to trim.
  expect([ok(await api.get(uri(10))).title, ok(await api.get(uri(10))).lock_version]).toEqual(['Saved 10', 2]);
  expect(ok(await api.get(uri(count - 10))).lock_version).toBe(1);
  expect(await state()).toEqual({ trimmed: count, version: 2, revisions: count + 1 });
  expect(await recordsOf(asked)).toBe(count - 1);
});

test('canceled, it leaves the blocks that it has done, and nothing else; the next one does the rest', async () => {
  const { repoId, held, state, recordsOf } = await untrimmed();
  const asked = await held(async (asked) => {
    ok(await api.post(`${asked}/cancel`));
    await expect.poll(async () => ok(await api.get(asked)).time_finished).toMatch(/UTC$/);
    return asked;
  });
  const { status, log } = await endOfJob(api, asked);
  expect(status).toBe('canceled');
  expect(log.match(/^Trimmed: /gm)).toHaveLength(holdersAtOnce);
  expect(log).toMatch(/\nThe job was canceled\n$/);
  expect(await recordsOf(asked)).toBe(holdersAtOnce);
  expect(await state()).toEqual({ trimmed: holdersAtOnce, version: 1, revisions: holdersAtOnce });
  expect(await runJob(api, repoId, job)).toMatchObject({
    status: 'completed',
    result: { changed: { archival_object: count - holdersAtOnce } },
  });
  expect(await state()).toEqual({ trimmed: count, version: 1, revisions: count });
});

test('cut off, it is run again, trims what is left, and tells of all that it has trimmed', async () => {
  const { held, state, recordsOf } = await untrimmed();
  const asked = await held(async (asked) => {
    await api.database.withClient((client) =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    );
    // The log of the second run begins with its first block.
    await expect.poll(async () => (await api.get(`${asked}/log`)).text).toContain(`${runAgainLine}\n`);
    await expect.poll(() => lockWaits(api.database)).toBe(1);
    expect(await state()).toEqual({ trimmed: holdersAtOnce, version: 1, revisions: holdersAtOnce });
    return asked;
  });
  const { status, result, log } = await endOfJob(api, asked);
  expect([status, result.changed.archival_object]).toEqual(['completed', count]);
  const told = log.match(/^Trimmed: .*$/gm) ?? [];
  expect([told.length, new Set(told).size]).toEqual([count, count]);
  expect(await recordsOf(asked)).toBe(count);
  expect(await state()).toEqual({ trimmed: count, version: 1, revisions: count });
});

test('killed at its end, it loses its last block alone', async () => {
  const { repoId, state } = await untrimmed();
  const payload = { repoId, actor: 'admin', job: {}, params: {} };
  const caller = await readCaller(api.database.reader, 'admin');
  await expect(killedOnce(api.database, trimWhitespace, handler, payload, { caller })).rejects.toThrow('killed');
  const whole = 2 * holdersAtOnce;
  expect(await state()).toEqual({ trimmed: whole, version: 1, revisions: whole });
  // Another job, which tells of its own alone.
  expect(await runHandler(api.database, trimWhitespace, handler, payload, { caller })).toMatchObject({
    changed: { archival_object: count - whole },
  });
  expect(await state()).toEqual({ trimmed: count, version: 1, revisions: count });
  expect(await runHandler(api.database, trimWhitespace, handler, payload, { caller })).toMatchObject({
    changed: { archival_object: 0 },
  });
});

test('a block that a deadlock has done anew is told of once', async () => {
  const { repoId, state } = await untrimmed();
  const caller = await readCaller(api.database.reader, 'admin');
  const lines: string[] = [];
  let blocks = 0;
  await runHandler(
    api.database,
    trimWhitespace,
    handler,
    { repoId, actor: 'admin', job: {}, params: {} },
    (context) => ({
      caller,
      log: (line) => lines.push(line),
      changedRecords: async (tx, uris) => {
        blocks += 1;
        await context.changedRecords(tx, uris);
        // The first block, and the last.
        if (blocks === 1 || blocks === 4)
          await tx.run(sql`DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = 'deadlock_detected'; END $$`);
      },
    }),
  );
  expect(blocks).toBe(5);
  expect([lines.length, new Set(lines).size]).toEqual([count, count]);
  expect(await state()).toEqual({ trimmed: count, version: 1, revisions: count });
});
