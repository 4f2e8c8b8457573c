// Claiming jobs: an activation from pg-boss, then the oldest job of its mailbox, in one transaction (docs/decisions/0007).
import type pg from 'pg';
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';
import type { Reader } from '../connection/reader.ts';
import { readerOn } from '../connection/reader.ts';
import type { Activation } from './activations.ts';
import { completeActivations, fetchActivation } from './activations.ts';
import { presenceClass } from './presence.ts';

const Begun = z.strictObject({
  id: column.int,
  run: column.int,
  attempt: column.int,
  type: column.text,
  mailbox: column.text,
  isLong: column.bool,
  repoId: column.maybeInt,
  owner: column.maybeText,
  /** JSON text. */
  payload: column.text,
  body: column.maybeText,
  /** Of the trace that it was made in, where there is one. */
  traceparent: column.maybeText,
  pauseMs: column.number,
  isAbsent: column.bool,
});

/** A job that this worker runs now, and the activation that it runs under: the end of the run is the end of that. `attempt` counts from 1. */
export type ClaimedJob = Readonly<Omit<z.infer<typeof Begun>, 'pauseMs' | 'isAbsent'>> & {
  readonly activation: Activation;
};

/** Mailboxes whose oldest job may not run now, with when to look again (milliseconds of performance.now()). A worker keeps one. */
export type PassedOver = Map<string, number>;

/**
 * What to claim: the job types that this worker knows with the seconds after which a run of each counts as hung, whether long jobs
 * too, and the mailboxes that are not worth a look. `onAbsent` is told where the database does not know the worker's presence (any more): then
 * nothing is claimed, for whoever looks next would take it for a dead worker's. Without it nobody asks.
 */
export type ClaimSettings = {
  readonly worker: number;
  readonly deadlines: Readonly<Record<string, number>>;
  readonly withLong: boolean;
  readonly passedOver?: PassedOver;
  readonly onAbsent?: () => void;
};

// The plans of the claim are pinned: pg-boss's table has no statistics after it grew, and those of a quiet hour are worse than none. And the
// mailboxes that are busy are named to pg-boss: it would find each of their activations to be so by a look of its own, at a cost that
// hangs on statistics, too.
const begin = `BEGIN READ WRITE; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off;
  SELECT mailbox FROM job WHERE status = 'running'`;

/** A mailbox that cannot go on now is looked at again after this time at the latest, though nobody told that it can. */
const longestPauseMs = 1000;

// A job put off at its making (attempts = 0) holds up nobody; one that waits to be tried again does. What is locked is being canceled,
// or a transaction of a lost run is still open on it: it is left for the next time, as is what its owner just changed.
// Who gets the lock of the worker's own presence knows that the worker has none: its connection may have ended in the server alone.
const takeHead = `
  WITH head AS (
    SELECT id, run_after FROM job WHERE mailbox = $1 AND status IN ('queued', 'running') AND (status = 'running' OR run_after <= now() OR attempts > 0)
    ORDER BY id LIMIT 1),
  ready AS (
    SELECT id FROM job WHERE id = (SELECT id FROM head) AND status = 'queued' AND run_after <= now()
      AND ($2::boolean OR NOT is_long) AND $3::json ->> type IS NOT NULL FOR UPDATE SKIP LOCKED),
  begun AS (
    UPDATE job SET status = 'running', worker = $4, run = run + 1, attempts = attempts + 1, activation = $5, activation_attempt = $6,
      deadline = now() + ($3::json ->> type)::int * interval '1 second',
      time_started = coalesce(time_started, now()), system_mtime = now(), lock_version = lock_version + 1
    WHERE id = (SELECT id FROM ready)
    RETURNING id, run, attempts AS attempt, type, mailbox, is_long AS "isLong", repo_id AS "repoId", owner, payload::text AS payload, body::text AS body, traceparent,
      $7::boolean AND pg_try_advisory_xact_lock(${presenceClass}, $4::int) AS "isAbsent")
  SELECT begun.*, extract(epoch FROM head.run_after - now())::float8 * 1000 AS "pauseMs" FROM head LEFT JOIN begun ON true`;

// The job that was begun, or nothing of it where the first of the mailbox may not run now.
const Head = z.union([
  Begun,
  z.strictObject({
    id: z.null(),
    run: z.null(),
    attempt: z.null(),
    type: z.null(),
    mailbox: z.null(),
    isLong: z.null(),
    repoId: z.null(),
    owner: z.null(),
    payload: z.null(),
    body: z.null(),
    traceparent: z.null(),
    isAbsent: z.null(),
    pauseMs: column.number,
  }),
]);

/** What came of one activation. */
type Taken =
  | { readonly job: ClaimedJob }
  | { readonly waiting: string; readonly pauseMs: number }
  | 'spare'
  | 'lost'
  | 'absent'
  | null;

/**
 * Claims the job that is first in a mailbox where nothing runs, of the mailboxes the one whose activation has waited longest; null where
 * there is none. Mailboxes whose first job may not run now are added to `passedOver`.
 */
export async function claimJob(database: Database, settings: ClaimSettings): Promise<ClaimedJob | null> {
  const { passedOver = new Map<string, number>() } = settings;
  for (const [mailbox, until] of passedOver) if (until <= performance.now()) passedOver.delete(mailbox);
  return database.withClient(async (client) => {
    for (;;) {
      const taken = await inTransaction(client, async (busy) =>
        take(readerOn(client, database.settings.rowsChecked), settings, [...passedOver.keys(), ...busy]),
      );
      if (taken === 'absent') settings.onAbsent?.();
      if (taken === null || taken === 'absent') return null;
      if (typeof taken === 'string') continue;
      if ('job' in taken) return taken.job;
      passedOver.set(taken.waiting, performance.now() + Math.min(longestPauseMs, Math.max(1, taken.pauseMs)));
    }
  });
}

async function take(reader: Reader, settings: ClaimSettings, passedOver: readonly string[]): Promise<Taken> {
  const { worker, deadlines, withLong, onAbsent } = settings;
  const activation = await fetchActivation(reader, passedOver);
  if (activation === null || activation === 'lost') return activation;
  const { mailbox, id, attempt } = activation;
  const [head] = await reader.named({ name: 'claim_head', text: takeHead, parser: Head }, [
    mailbox,
    withLong,
    JSON.stringify(deadlines),
    worker,
    id,
    attempt,
    onAbsent !== undefined,
  ]);
  if (head === undefined) {
    // Its job was canceled or deleted, or ran under another activation of the mailbox.
    await completeActivations(reader, [activation]);
    return 'spare';
  }
  const { pauseMs, isAbsent, ...job } = head;
  if (job.id === null) return { waiting: mailbox, pauseMs: pauseMs > 0 ? pauseMs : longestPauseMs };
  if (isAbsent === true) return 'absent';
  return { job: { ...job, activation: { id, attempt } } };
}

const BusyMailboxes = z.looseObject({ rows: z.array(z.strictObject({ mailbox: column.text })) });

/** Commits what took a job or used an activation up; what did neither leaves nothing. */
async function inTransaction(client: pg.PoolClient, work: (busy: readonly string[]) => Promise<Taken>): Promise<Taken> {
  // Several statements at once give a list of results, which the types of pg do not say.
  const results: unknown = await client.query(begin);
  const last: unknown = Array.isArray(results) ? results.at(-1) : results;
  const { rows } = BusyMailboxes.parse(last);
  try {
    const taken = await work(rows.map(({ mailbox }) => mailbox));
    const isKept = taken === 'spare' || (taken !== null && typeof taken !== 'string' && 'job' in taken);
    await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
    return taken;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // The connection may be what failed; the first error tells more.
    throw error;
  }
}
