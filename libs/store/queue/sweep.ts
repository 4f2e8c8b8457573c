// Making activations and jobs agree where something came between: jobs that were made before there were activations or by a version without
// them, that came back with a backup (pg-boss's schema is in none), whose row was deleted under their run, or whose activation an operator took.
import { z } from 'zod';
import type { Database, Transaction } from '../connection/database.ts';
import { column, EmptyRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { giveBackActivations, queueName, sendActivations } from './activations.ts';
import { queueChannel } from './channels.ts';

/** How many activations were sent, and how many taken from runs that are no more. */
export type Swept = { readonly sent: number; readonly givenBack: number };

const OrphanRow = z.strictObject({ id: column.text, attempt: column.int, mailbox: column.text });

/**
 * Sends as many activations as there are queued jobs without one, and gives those back under which nothing runs. What is counted is seen in
 * one snapshot, and jobs and activations are made, claimed and ended together, so nothing is done in vain; where two sweep at once, what is sent twice
 * finds no job and ends. Cheap where nothing waits.
 */
export async function sweepActivations(database: Database): Promise<Swept> {
  return database.transaction(async (tx) => {
    const orphans = await tx.any(sql.type(OrphanRow)`
      SELECT id, retry_count AS attempt, singleton_key AS mailbox FROM pgboss.job a WHERE name = ${queueName} AND state = 'active'
        AND NOT EXISTS (SELECT FROM job WHERE status = 'running' AND activation = a.id)`);
    await giveBackActivations(tx, orphans);
    const missing = await readMissing(tx);
    await sendActivations(tx, missing);
    const mailboxes = [...new Set([...orphans, ...missing].map(({ mailbox }) => mailbox))];
    if (mailboxes.length > 0)
      await tx.run(
        sql`SELECT pg_notify(${queueChannel}, mailbox) FROM unnest(${sql.array(mailboxes, 'text')}) AS mailbox`,
      );
    return { sent: missing.length, givenBack: orphans.length };
  });
}

const MissingRow = z.strictObject({ mailbox: column.text, at: column.maybeText });

/** What is to be sent; `at` for a job that was put off at its making, whose activation has its moment. All others of a mailbox are interchangeable. */
async function readMissing(tx: Transaction): Promise<readonly z.infer<typeof MissingRow>[]> {
  if ((await tx.maybeOne(sql.type(EmptyRow)`SELECT FROM job WHERE status = 'queued' LIMIT 1`)) === null) return [];
  return tx.any(sql.type(MissingRow)`
    WITH sent AS MATERIALIZED (SELECT singleton_key AS mailbox, start_after FROM pgboss.job WHERE name = ${queueName} AND state IN ('created', 'retry')),
    queued AS MATERIALIZED (SELECT mailbox, CASE WHEN run_after > clock_timestamp() AND attempts = 0 THEN run_after END AS put_off FROM job WHERE status = 'queued'),
    due AS (
      SELECT q.mailbox, q.jobs - coalesce(s.activations, 0) AS count
      FROM (SELECT mailbox, count(*) AS jobs FROM queued WHERE put_off IS NULL GROUP BY mailbox) q
      LEFT JOIN (SELECT mailbox, count(*) AS activations FROM sent WHERE start_after <= clock_timestamp() GROUP BY mailbox) s ON s.mailbox = q.mailbox)
    SELECT mailbox, NULL AS at FROM due, generate_series(1, count)
    UNION ALL
    SELECT mailbox, to_char(put_off, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM queued q WHERE put_off IS NOT NULL
      AND NOT EXISTS (SELECT FROM sent s WHERE s.mailbox = q.mailbox AND s.start_after = q.put_off)`);
}
