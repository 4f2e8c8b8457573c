// Expiry: what has had its time goes, everything else stays.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { expire } from '#domain/jobs/expire.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { startSchedules } from '#store/queue/schedule.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/expire.ts';
import type { Worker } from '../../../../apps/worker/running/worker.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';

let testDatabase: TestDatabase;
let connected: Connected;
let worker: Worker;
beforeAll(async () => {
  testDatabase = await createDatabase();
  connected = connect(testDatabase.url);
  worker = await startTestWorker(connected, { handlers: [handler] });
});
afterAll(async () => {
  await worker.stop();
  await connected[Symbol.asyncDispose]();
  await testDatabase.drop();
});

const payload = {
  sessionTtlSeconds: 3600,
  sessionLongTtlSeconds: 604_800,
  feedRetentionDays: 90,
  sessionLifetimeSeconds: 86_400,
  sessionLongLifetimeSeconds: 0,
  auditDays: 30,
  revisionDays: 20,
  deliveryDays: 7,
  deadDeliveryDays: 30,
  jobDays: 365,
};

test('removes idle and old sessions, old entries of the audit log, failed logins that count no more, old internal jobs, old shifts of siblings, sequenced changes and read partitions of the feed, and nothing else', async () => {
  const { database, listener } = connected;
  await database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM session`);
    await tx.run(sql`INSERT INTO session (token_hash, user_id, expirable, last_used) VALUES
      ('\\x01', 1, true, now() - interval '2 hours'), ('\\x02', 1, true, now()), ('\\x03', 1, false, now() - interval '2 hours'), ('\\x04', 1, false, now() - interval '8 days')`);
    await tx.run(sql`INSERT INTO session (token_hash, user_id, expirable, last_used, create_time) VALUES
      ('\\x05', 1, true, now(), now() - interval '25 hours'), ('\\x06', 1, false, now(), now() - interval '500 days')`);
    await tx.run(sql`INSERT INTO revision (kind, id, lock_version, op, at, label, suppressed, user_mtime, body) VALUES
      ('subject', 9001, 0, 'update', now() - interval '21 days', 'Old', false, now() - interval '400 days', '{}'), ('subject', 9001, 1, 'update', now() - interval '19 days', 'Young', false, now() - interval '21 days', '{}')`);
    await tx.run(
      sql`INSERT INTO merge (id, what, survivor_kind, survivor_id, at) VALUES (9001, 'subject', 'subject', 9001, now() - interval '21 days'), (9002, 'subject', 'subject', 9001, now())`,
    );
    await tx.run(sql`INSERT INTO merge_gone (merge_id, n, kind, id, lock_version, suppressed, label, create_time, user_mtime, body)
      SELECT m, 0, 'subject', m, 0, false, 'Gone', now(), now(), '{"title":"Gone"}' FROM unnest('{9001,9002}'::int[]) AS m`);
    await tx.run(sql`WITH hook AS (INSERT INTO webhook (url, secret) VALUES ('http://localhost', 's') RETURNING id)
      INSERT INTO webhook_delivery (webhook_id, body, status, create_time, last_attempt) SELECT id, b, s, now() - d * interval '1 day', now() - l * interval '1 day' FROM hook,
        (VALUES ('old', 'delivered', 8, NULL), ('young', 'delivered', 6, 6), ('old dead', 'dead', 31, 31), ('young dead', 'dead', 29, NULL), ('waits', 'pending', 99, NULL),
          ('old, delivered now', 'delivered', 8, 0), ('old, dead now', 'dead', 31, 1)) AS v (b, s, d, l)`);
    await tx.run(
      sql`INSERT INTO audit_entry (event, at) VALUES ('login', now() - interval '31 days'), ('logout', now() - interval '29 days')`,
    );
    await tx.run(
      sql`INSERT INTO login_failure (scope, subject, since, failures) VALUES ('user', '\\x01', now() - interval '2 hours', 9), ('user', '\\x02', now(), 9)`,
    );
    await tx.run(
      sql`INSERT INTO login_place (subject, last_login) VALUES ('\\x01', now() - interval '91 days'), ('\\x02', now())`,
    );
    await tx.run(sql`INSERT INTO job (visible, type, mailbox, is_long, payload, body, status, time_finished) VALUES
      (false, 'old internal', 'a', false, '{}', NULL, 'completed', now() - interval '8 days'), (false, 'young internal', 'b', false, '{}', NULL, 'completed', now()),
      (true, 'very old listed', 'c', false, '{}', '{}', 'failed', now() - interval '366 days'), (true, 'old listed', 'c', false, '{}', '{}', 'failed', now() - interval '364 days'), (false, 'deleted', 'd', false, '{}', '{}', 'canceled', now())`);
    await tx.run(
      sql`INSERT INTO change (kind, id, op, at) VALUES ('old', 1, 'create', now() - interval '2 hours'), ('young', 2, 'create', now())`,
    );
    await tx.run(
      sql`INSERT INTO tree_shift (at, version, repo_id, root_id, list_id, kind, taken, ids, ranks) SELECT now() - days * interval '1 day', days, 2, 1, 0, 1, true, '{1}', '{0}' FROM unnest('{1,29,31}'::int[]) AS days`,
    );
  });
  await database.write(sql.type(AnyRow)`SELECT sequence_changes()`);
  // The feed has gone on to its third partition; the first is long read, the second is not.
  await database.transaction(async (tx) => {
    await tx.run(sql`SELECT make_feed_partition(2)`);
    await tx.run(sql`UPDATE feed SET at = now() - interval '91 days'`);
    await tx.run(sql`UPDATE sequencer SET n = 25000000`);
    await tx.run(
      sql`INSERT INTO feed (n, at, seq, changed_at, kind, id, op) VALUES (15000000, now(), 9, now(), 'x', 1, 'create')`,
    );
    await tx.run(sql`DELETE FROM follower`);
    await tx.run(sql`INSERT INTO follower (name, n) VALUES ('reader', 12000000)`);
  });
  const expireOnce = async (): Promise<void> => {
    const { jobId } = await database.transaction(async (tx) => enqueueJob(tx, expire, payload));
    await waitForJob(database, listener, jobId);
  };
  await expireOnce();
  // A transaction open anywhere in the cluster, such as another test's, keeps a change for a round or two longer (decision 0005).
  await vi.waitFor(
    async () => {
      await database.transaction(async (tx) =>
        tx.run(sql`INSERT INTO change (kind, id, op) VALUES ('nudge', 3, 'create')`),
      );
      await database.write(sql.type(AnyRow)`SELECT sequence_changes()`);
      await expireOnce();
      expect(await database.reader.any(sql.type(AnyRow)`SELECT FROM change WHERE kind = 'old'`)).toEqual([]);
    },
    { timeout: 600_000, interval: 200 },
  );
  const left = await database.reader.one(sql.type(AnyRow)`
    SELECT (SELECT string_agg(encode(token_hash, 'hex'), ',' ORDER BY token_hash) FROM session) AS sessions,
      (SELECT string_agg(event, ',') FROM audit_entry) AS audit,
      (SELECT string_agg(label, ',') FROM revision WHERE id = 9001 AND kind = 'subject') AS revisions,
      (SELECT string_agg(merge_id || label || (body::text), ',' ORDER BY merge_id) FROM merge_gone) AS merges,
      (SELECT string_agg(body, ',' ORDER BY id) FROM webhook_delivery) AS deliveries,
      (SELECT string_agg(encode(subject, 'hex'), ',') FROM login_failure) AS failures,
      (SELECT string_agg(encode(subject, 'hex'), ',') FROM login_place) AS places,
      (SELECT string_agg(type, ',' ORDER BY id) FROM job WHERE type <> 'expire') AS jobs,
      (SELECT string_agg(version::text, ',' ORDER BY version) FROM tree_shift) AS shifts,
      (SELECT string_agg(kind, ',') FROM change WHERE kind IN ('old', 'young')) AS changes,
      (SELECT string_agg(inhrelid::regclass::text, ',' ORDER BY inhrelid::regclass::text) FROM pg_inherits WHERE inhparent = 'feed'::regclass) AS partitions`);
  expect(left).toEqual({
    sessions: '02,03,06',
    audit: 'logout',
    revisions: 'Young',
    merges: '9001{},9002Gone{"title":"Gone"}',
    deliveries: 'young,young dead,waits,old, delivered now,old, dead now',
    failures: '02',
    places: '02',
    jobs: 'young internal,old listed',
    shifts: '1,29',
    changes: 'young',
    partitions: 'feed_1,feed_2',
  });
  // Twice is as good as once.
  await expireOnce();
});

test('does what it can where a step fails, and the rest at its next run', async () => {
  const { database, listener } = connected;
  await database.write(sql`INSERT INTO audit_entry (event, at) VALUES ('old', now() - interval '31 days')`);
  await database.write(
    sql`INSERT INTO login_failure (scope, subject, since, failures) VALUES ('user', '\\x07', now() - interval '2 hours', 9)`,
  );
  await database.write(sql`ALTER TABLE login_failure RENAME TO login_failure_away`);
  const { jobId } = await database.transaction(async (tx) => enqueueJob(tx, expire, payload));
  await expect(waitForJob(database, listener, jobId)).rejects.toThrow();
  expect(await database.reader.any(sql.type(AnyRow)`SELECT FROM audit_entry WHERE event = 'old'`)).toEqual([]);
  await database.write(sql`ALTER TABLE login_failure_away RENAME TO login_failure`);
  const next = await database.transaction(async (tx) => enqueueJob(tx, expire, payload));
  await waitForJob(database, listener, next.jobId);
  expect(await database.reader.any(sql.type(AnyRow)`SELECT FROM login_failure WHERE subject = '\\x07'`)).toEqual([]);
});

test('keeps its schedules in the schema pgboss, one of each name, and drops those that are gone', async () => {
  const errors: unknown[] = [];
  const start = async (names: readonly string[]) =>
    startSchedules({
      database: connected.database,
      directUrl: testDatabase.url,
      onError: (error) => errors.push(error),
      schedules: names.map((name) => ({ name, cron: '*/10 * * * *', enqueue: async () => undefined })),
    });
  const kept = async () =>
    (
      await connected.database.reader.any(sql.type(z.strictObject({ name: column.text }))`
      SELECT name FROM pgboss.schedule ORDER BY name`)
    ).map(({ name }) => name);
  const [one, two] = await Promise.all([start(['expire', 'old']), start(['expire', 'old'])]);
  expect(await kept()).toEqual(['expire', 'old']);
  await Promise.all([one(), two()]);
  const three = await start(['expire']);
  expect(await kept()).toEqual(['expire']);
  await three();
  expect(errors).toEqual([]);
});
