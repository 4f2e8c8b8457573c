// The sequencer moves the change log into the dense, numbered feed (docs/decisions/0005). Any number of processes may run it: each
// round is one call of sequence_changes(), whose row lock is the lease. Also keeps the next partitions of feed and revisions ready and prunes the log.
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import type { Listener } from '../connection/listener.ts';
import { createWaker } from '../connection/listener.ts';
import { changeChannel } from './wake-sequencer.ts';
import { keepRevisionParts } from '../records/history/parts.ts';
import { column, NumberRow, EmptyRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

// The name of the file of the log that is written begins with it. Whoever may read anything may read this.
const currentTimeline = sql.fragment`left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

// Numbers that clients saw and that are lost do not come again.
const leap = 1_000_000;

/** How far the log and the feed are; for metrics and /health. */
export const SequencerState = z.strictObject({ n: column.int, waitingSeconds: column.number });
export type SequencerState = z.infer<typeof SequencerState>;

const RoundRow = z.strictObject({ published: column.int, n: column.int });
const TimelineRow = z.strictObject({ n: column.int, isKnown: column.bool });

/** What a round did: changes published, 0 where there were none, -1 where another process is at it, -2 where the timeline is another one and none may be; and the last number of the feed, or one before. */
type Round = { readonly published: number; readonly n: number };

// The case is looked at before the function is called, in the snapshot of the statement.
async function sequenceRound(database: Database): Promise<Round> {
  const [round] = await database.write(sql.type(RoundRow)`
    SELECT CASE WHEN s.timeline = ${currentTimeline} THEN sequence_changes() ELSE -2 END AS published, s.n FROM sequencer s`);
  if (round === undefined) throw new Error('no sequencer');
  return { published: round.published, n: round.n + Math.max(0, round.published) };
}

/** One round: the number of changes published, 0 where there were none, -1 where another process is at it, -2 where the timeline is another one (adoptTimeline). */
export async function sequenceChanges(database: Database): Promise<number> {
  return (await sequenceRound(database)).published;
}

/** The age in seconds of the oldest change that is committed and not yet published (0: none), of a row of `sequencer`. One that was under way at the last round is not behind it. */
export const unsequencedAge = sql.fragment`coalesce(extract(epoch FROM clock_timestamp() - (
      SELECT min(at) FROM (
        SELECT at FROM change WHERE xid >= pg_snapshot_xmax(position)
        UNION ALL SELECT c.at FROM pg_snapshot_xip(position) AS running JOIN change c ON c.xid = running) AS waiting)), 0)::float8`;

/** The last number of the feed, and the age of the oldest change that is committed and not yet published (0: none). */
export async function readSequencerState(database: Database): Promise<SequencerState> {
  return database.reader.one(sql.type(SequencerState)`
    SELECT n, ${unsequencedAge} AS "waitingSeconds" FROM sequencer`);
}

/** What runSequencer needs. `onError` hears of failed rounds; they are tried again. */
export type SequencerSettings = {
  readonly database: Database;
  readonly listener: Listener;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
};

/**
 * Runs rounds until the signal: woken by commits (wake-sequencer.ts), at least every 250 ms. Checks the cluster first, so start it before
 * writes are accepted. Keeps the partitions and prunes the log once a minute.
 */
export async function runSequencer(settings: SequencerSettings): Promise<void> {
  const { database, listener, signal, onError } = settings;
  const bell = createWaker();
  const unsubscribe = await listener.subscribe(changeChannel, bell.wake);
  let isChecked = false;
  let keptAt = 0;
  let known: number | null = null;
  while (!signal.aborted) {
    try {
      if (!isChecked) await adoptCluster(database);
      isChecked = true;
      const { published, n } = await sequenceRound(database);
      if (published === -2 || n < (known ?? 0)) {
        await adoptTimeline(database, known);
        known = null;
        continue;
      }
      known = n;
      if (performance.now() - keptAt > 60_000) {
        keptAt = performance.now();
        await keepPartitions(database);
        await keepRevisionParts(database);
        await pruneChanges(database);
      }
      // After a full round wait 3 ms, so that a burst becomes few rounds.
      if (published > 0) await new Promise((resolve) => setTimeout(resolve, 3));
      else await bell.wait(250, signal);
    } catch (error) {
      onError(error);
      await bell.wait(500, signal);
    }
  }
  unsubscribe();
}

/**
 * After a restore into another cluster transaction ids start low and new changes would look already seen. Where the cluster is not
 * the one of the last round, publishes what the log still holds under numbers a million further (numbers that clients saw after the
 * backup must not return) and starts the position anew. Returns whether that was needed.
 */
export async function adoptCluster(database: Database): Promise<boolean> {
  const same = await database.reader.maybeOne(
    sql.type(EmptyRow)`SELECT FROM sequencer, pg_control_system() AS control WHERE cluster = control.system_identifier`,
  );
  if (same !== null) return false;
  return database.transaction(async (tx) => {
    await tx.run(sql`LOCK TABLE change IN SHARE ROW EXCLUSIVE MODE`);
    const other = await tx.maybeOne(sql.type(NumberRow)`
      SELECT n FROM sequencer, pg_control_system() AS control WHERE cluster <> control.system_identifier FOR UPDATE OF sequencer`);
    if (other === null) return false;
    const first = other.n + leap;
    await ensurePartition(tx, first);
    await tx.run(sql`
      INSERT INTO feed
      SELECT ${first} + row_number() OVER (ORDER BY seq) - 1, clock_timestamp(), seq, at, actor, kind, id, ids, repo_id, op, lock_version
      FROM change WHERE NOT EXISTS (SELECT FROM feed WHERE feed.seq = change.seq)`);
    // The identity of seq too must not go back, or the order of a record's changes would break.
    await tx.run(
      sql`SELECT setval(pg_get_serial_sequence('change', 'seq'), greatest((SELECT max(seq) FROM change), (SELECT max(seq) FROM feed), 1))`,
    );
    await tx.run(sql`
      UPDATE sequencer SET n = greatest(${first}, (SELECT max(n) FROM feed)), at = clock_timestamp(), cluster = control.system_identifier, timeline = ${currentTimeline},
        position = (pg_current_xact_id()::text || ':' || pg_current_xact_id()::text || ':')::pg_snapshot
      FROM pg_control_system() AS control`);
    await tx.run(sql`TRUNCATE change`);
    // What was hidden in the other cluster was so before everything here.
    await tx.run(sql`UPDATE search_hidden SET xid = '3'`);
    // Numbers of transactions come again here: one that hides something and found its own would be taken for looked at (search_hide_note).
    await tx.run(sql`TRUNCATE search_hiding`);
    return true;
  });
}

/**
 * After a failover, or a recovery to an earlier point, the database goes on under another timeline. Where `known`, a number that this process saw published, is
 * still there, nothing was lost and numbers go on as they did. Else they go on a million further: changes since the point are gone, and what
 * comes must not have the numbers under which clients know those. Positions of followers and of the sequencer itself are of the same moment as all else, and
 * stay. `known` null: this process has just begun, and cannot tell. Returns whether numbers were passed over.
 */
export async function adoptTimeline(database: Database, known: number | null): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { n, isKnown } = await tx.one(sql.type(TimelineRow)`
      SELECT n, timeline = ${currentTimeline} AS "isKnown" FROM sequencer FOR UPDATE`);
    const isLost = known === null ? !isKnown : n < known;
    const last = isLost ? Math.max(n, known ?? 0) + leap : n;
    if (isLost) await ensurePartition(tx, last);
    await tx.run(sql`UPDATE sequencer SET n = ${last}, timeline = ${currentTimeline}`);
    return isLost;
  });
}

const partitionSize = 10_000_000;

/** Makes the feed's partition after the one now written, long before it is needed. */
async function keepPartitions(database: Database): Promise<void> {
  const missing = await database.reader.maybeOne(sql.type(NumberRow)`
    SELECT n FROM sequencer WHERE to_regclass('feed_' || (n / ${partitionSize} + 1)) IS NULL OR to_regclass('feed_' || (n / ${partitionSize})) IS NULL`);
  if (missing === null) return;
  await database.transaction(async (tx) => ensurePartition(tx, missing.n));
}

/** Makes the partition that holds `n` and the next one. */
async function ensurePartition(tx: Parameters<Parameters<Database['transaction']>[0]>[0], n: number): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('muniment.feed.partitions'))`);
  await tx.run(
    sql`SELECT make_feed_partition(${Math.floor(n / partitionSize)}), make_feed_partition(${Math.floor(n / partitionSize) + 1})`,
  );
}

/** Removes what was published over an hour ago, ten thousand at a time. The log lives for hours; the feed is what is kept. */
export async function pruneChanges(database: Database): Promise<number> {
  for (let removed = 0; ;) {
    const count = await database.transaction(async (tx) =>
      tx.run(sql`
        DELETE FROM change WHERE ctid = ANY (ARRAY(
          SELECT change.ctid FROM change, sequencer
          WHERE xid < pg_snapshot_xmin(position) AND change.at < now() - interval '1 hour' LIMIT 10000))`),
    );
    removed += count;
    if (count < 10_000) return removed;
  }
}

/**
 * Drops the feed's partitions that lie wholly before the retention and that every follower has read. A follower that did not read
 * for the retention holds nothing: it is removed and starts anew. Waits two seconds for the lock at most, then leaves it for later.
 */
export async function pruneFeed(database: Database, retentionDays: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL lock_timeout = '2s'`);
    await tx.run(
      sql`DELETE FROM follower WHERE EXISTS (SELECT FROM feed WHERE feed.n > follower.n AND feed.at < now() - ${retentionDays} * interval '1 day')`,
    );
    await tx.run(sql`SELECT drop_feed_partitions(${partitionSize}, ${retentionDays} * interval '1 day')`);
  });
}
