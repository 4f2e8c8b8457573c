// The queue as it was until pg-boss scheduled mailboxes: rows that workers claim by a function of our own, a unique index for the mutex. Kept to be
// measured against, word for word, in a schema of its own.
import pg from 'pg';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { step } from '../../support/worker-jobs.ts';
import type { Contender } from './contender.ts';

const tables = `
CREATE SCHEMA earlier;
SET LOCAL search_path = earlier;
CREATE TABLE job (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  visible boolean NOT NULL,
  type text NOT NULL,
  mailbox text NOT NULL,
  is_long boolean NOT NULL,
  repo_id int,
  owner text,
  payload json NOT NULL,
  body json,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'canceled')),
  time_submitted timestamptz NOT NULL DEFAULT now(), time_started timestamptz, time_finished timestamptz,
  system_mtime timestamptz NOT NULL DEFAULT now(),
  lock_version int NOT NULL DEFAULT 0,
  run_after timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 0,
  max_attempts int NOT NULL DEFAULT 1,
  run int NOT NULL DEFAULT 0,
  worker int,
  deadline timestamptz,
  cancel_requested timestamptz,
  outcome json
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX job_running_mailbox_key ON job (mailbox) WHERE status = 'running';
CREATE INDEX job_queued_idx ON job (id) WHERE status = 'queued';
CREATE INDEX job_mailbox_idx ON job (mailbox, id) WHERE status IN ('queued', 'running');
CREATE INDEX job_repo_idx ON job (repo_id, id) WHERE visible;
CREATE INDEX job_finished_idx ON job (time_finished) WHERE time_finished IS NOT NULL;

CREATE FUNCTION claim_job(as_worker int, deadlines json, with_long boolean, after_mailbox text) RETURNS SETOF job LANGUAGE plpgsql
SET search_path = earlier SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off AS $$
DECLARE found_id int; start_at text;
BEGIN
  SELECT j.id INTO found_id
  FROM (SELECT id FROM job WHERE status = 'queued' ORDER BY id LIMIT 200) oldest JOIN job j ON j.id = oldest.id
  WHERE j.status = 'queued' AND j.run_after <= now() AND (with_long OR NOT j.is_long) AND deadlines ->> j.type IS NOT NULL
    AND NOT EXISTS (SELECT FROM job r WHERE r.mailbox = j.mailbox AND r.status = 'running')
    AND NOT EXISTS (SELECT FROM job b WHERE b.mailbox = j.mailbox AND b.id < j.id AND b.status IN ('queued', 'running') AND (b.run_after <= now() OR b.attempts > 0))
  ORDER BY j.id LIMIT 1 FOR UPDATE OF j SKIP LOCKED;
  IF found_id IS NULL AND (SELECT count(*) FROM (SELECT FROM job WHERE status = 'queued' LIMIT 200) AS few) = 200 THEN
    FOREACH start_at IN ARRAY ARRAY[after_mailbox, ''] LOOP
      WITH RECURSIVE box AS (
        (SELECT mailbox FROM job WHERE status IN ('queued', 'running') AND mailbox > start_at ORDER BY mailbox LIMIT 1)
        UNION ALL
        SELECT (SELECT n.mailbox FROM job n WHERE n.status IN ('queued', 'running') AND n.mailbox > box.mailbox ORDER BY n.mailbox LIMIT 1) FROM box WHERE box.mailbox IS NOT NULL)
      SELECT j.id INTO found_id
      FROM box CROSS JOIN LATERAL (
        SELECT h.id FROM job h WHERE h.mailbox = box.mailbox AND h.status IN ('queued', 'running') AND (h.run_after <= now() OR h.attempts > 0) ORDER BY h.id LIMIT 1) head
      JOIN job j ON j.id = head.id
      WHERE j.status = 'queued' AND j.run_after <= now() AND (with_long OR NOT j.is_long) AND deadlines ->> j.type IS NOT NULL
        AND NOT EXISTS (SELECT FROM job r WHERE r.mailbox = j.mailbox AND r.status = 'running')
      LIMIT 1 FOR UPDATE OF j SKIP LOCKED;
      EXIT WHEN found_id IS NOT NULL;
    END LOOP;
  END IF;
  IF found_id IS NULL THEN RETURN; END IF;
  RETURN QUERY
    UPDATE job SET status = 'running', worker = as_worker, run = run + 1, attempts = attempts + 1,
      deadline = now() + (deadlines ->> type)::int * interval '1 second',
      time_started = coalesce(time_started, now()), system_mtime = now(), lock_version = lock_version + 1
    WHERE id = found_id RETURNING job.*;
END $$;
`;

const Job = z.strictObject({
  id: column.int,
  run: column.int,
  attempt: column.int,
  type: column.text,
  mailbox: column.text,
  isLong: column.bool,
  repoId: column.maybeInt,
  owner: column.maybeText,
  payload: column.text,
  body: column.maybeText,
});
type Job = z.infer<typeof Job>;

const channels = { queue: 'earlier_queue', job: 'earlier_job' };

/** The queue that was. */
export const earlier: Contender<Job> = {
  name: 'the earlier queue',
  channels,
  tables: ['earlier.job'],
  prepare: async (database) => {
    await database.transaction(async (tx) => tx.client.query(tables));
  },
  enqueue: async (tx, mailbox) => {
    const { jobId } = await tx.one(sql.type(z.strictObject({ jobId: column.int, told: column.text }))`
      WITH made AS (
        INSERT INTO earlier.job (visible, type, mailbox, is_long, max_attempts, repo_id, owner, payload, body, run_after)
        VALUES (false, ${step.name}, ${`box/${mailbox}`}, false, 3, ${null}::int, ${null}::text, ${sql.json({ box: mailbox, note: '', ms: 0, failTimes: 0, code: '' })}, ${null}::json, coalesce(${null}::timestamptz, now()))
        RETURNING id
      )
      SELECT id AS "jobId", pg_notify(${channels.queue}, '') AS told FROM made`);
    return jobId;
  },
  fill: async (database, mailboxes) => {
    await database.transaction((tx) =>
      tx.run(sql`INSERT INTO earlier.job (visible, type, mailbox, is_long, max_attempts, payload)
        SELECT false, ${step.name}, 'box/' || mailbox, false, 3, '{}' FROM unnest(${sql.array(mailboxes, 'text')}) WITH ORDINALITY AS given (mailbox, place) ORDER BY place`),
    );
  },
  claimer: (database, worker) => {
    let after = '';
    return async () => {
      try {
        const [job] = await database.write(sql.type(Job)`
          SELECT id, run, attempts AS attempt, type, mailbox, is_long AS "isLong", repo_id AS "repoId", owner, payload::text AS payload, body::text AS body
          FROM earlier.claim_job(${worker}, ${sql.json({ [step.name]: 60 })}, true, ${after})`);
        after = job?.mailbox ?? after;
        return job ?? null;
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.constraint === 'job_running_mailbox_key') return null;
        throw error;
      }
    };
  },
  end: async (tx, job) => {
    await tx.maybeOne(sql.type(AnyRow)`
      SELECT FROM earlier.job WHERE id = ${job.id} AND run = ${job.run} AND status = 'running' FOR KEY SHARE`);
    await tx.run(sql`
      UPDATE earlier.job SET status = 'completed', outcome = ${sql.json({ ok: { note: '' } })}, time_finished = now(), system_mtime = now(), worker = NULL, deadline = NULL
      WHERE id = ${job.id} AND run = ${job.run} AND status = 'running' AND cancel_requested IS NULL`);
    await tx.run(sql`
      SELECT pg_notify(${channels.job}, ${String(job.id)}), pg_notify(${channels.queue}, '')`);
  },
};
