// The index made anew beside the live one: batches write documents into tables without indexes, these are indexed at once, what was written live
// meanwhile is carried over, and the tables change places (migration 0027; docs/decisions/0017).
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { documentVersion } from '#domain/search/documents/version.ts';
import type { Database, Reader, Transaction } from '../../connection/database.ts';
import { isRetryable } from '../../connection/pg-errors.ts';
import { column, EmptyRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { appendDependents } from '../pending.ts';
import { readEdition } from '../document-version.ts';
import { findByKey, isGone } from './write.ts';
import { RecordKey, keyTable } from '../../records/record-key.ts';

/** The tables that are replaced. Whoever reads them by several statements of one snapshot holds them before it is taken (`Database.transaction`, `tables`). */
export const replacedTables = ['search_doc', 'search_body'];

const rebuiltTables = replacedTables.map((table) => `beside.${table}`);

/** How far the end of a making is. */
export type Finishing = {
  readonly label: 'Making the indexes' | 'Carrying over';
  readonly done: number;
  readonly total: number;
};

const hours = 3_600_000;
// Whoever wants a lock has others wait behind it. An autovacuum makes room for who has waited a second (deadlock_timeout).
const patientMs = 400;
const mostPatientMs = 1500;
// An index of many documents sorts them in this room, of each of two connections.
const sortingMemory = '256MB';

/** Begins a making for a job, in the place of whichever was begun before. Waits for those who write documents at the moment; fails where these take long (`isRetryable`). */
export async function beginRebuild(tx: Transaction, jobId: number): Promise<void> {
  await waitAtMost(tx, mostPatientMs);
  await tx.run(sql`SELECT search_build_begin(${jobId}, ${documentVersion})`);
}

/** Ends a making without effect. Waits for the batches that are at it. */
export async function dropRebuild(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT search_build_drop()`);
}

const HasRow = z.strictObject({ has: column.bool });

/** Ends the making of a job that has ended, however that was cut off. Does nothing where there is none. */
export async function dropAbandoned(database: Database): Promise<void> {
  const isAbandoned = sql.fragment`NOT EXISTS (SELECT FROM job WHERE job.id = search_build.job_id AND status IN ('queued', 'running'))`;
  const { has } = await database.reader.one(sql.type(HasRow)`
    SELECT EXISTS (SELECT FROM search_build WHERE ${isAbandoned}) AS has`);
  if (!has) return;
  await database.transaction(async (tx) => {
    const held = await tx.maybeOne(
      sql.type(EmptyRow)`SELECT FROM search_build WHERE ${isAbandoned} FOR UPDATE SKIP LOCKED`,
    );
    if (held !== null) await dropRebuild(tx);
  });
}

const IsRow = z.strictObject({ is: column.bool });

/**
 * Whether the making under way is this job's. One that an upgrade cut off is not, where the tables or the documents are of another version since.
 */
export async function isBuilding(reader: Reader, jobId: number): Promise<boolean> {
  const columns = (table: string) =>
    sql.fragment`(SELECT array_agg((attname, atttypid) ORDER BY attnum) FROM pg_attribute WHERE attrelid = to_regclass(${table}) AND attnum > 0 AND NOT attisdropped)`;
  const { is } = await reader.one(sql.type(IsRow)`
    SELECT EXISTS (SELECT FROM search_build WHERE job_id = ${jobId} AND form = ${documentVersion} AND ${columns('search_doc')} = ${columns('beside.search_doc')} AND ${columns('search_body')} = ${columns('beside.search_body')}) AS is`);
  return is;
}

const BytesRow = z.strictObject({ bytes: column.int });

/** The bytes that the live index has on the disk: another like it has some less. */
export async function sizeOfIndex(reader: Reader): Promise<number> {
  return (
    await reader.one(sql.type(BytesRow)`
      SELECT pg_total_relation_size('search_doc') + pg_total_relation_size('search_body') AS bytes`)
  ).bytes;
}

/**
 * Ends a making whose documents are all written: they are searched from then on, and the live ones of before are gone. Every step may be cut off
 * and begun again; fails where the making is not this job's (any more). Searches and writers go on until the tables change places, and wait for that as long as what was written last is carried over.
 */
export async function finishRebuild(
  database: Database,
  jobId: number,
  signal: AbortSignal,
  report: (step: Finishing) => void,
): Promise<void> {
  await makeIndexes(database, report);
  for (let attempt = 1; ; attempt++) {
    await carryOver(database, report);
    if (await changePlaces(database, jobId, attempt % 5 === 0 ? mostPatientMs : patientMs)) break;
    await sleep(1000, undefined, { signal });
  }
  await database.transaction((tx) => tx.run(sql`SELECT search_count_tidy()`), { statementTimeoutMs: hours });
}

/** Tells the planner of the documents, and index-only scans what is visible: autovacuum would come to it after the first searches. */
async function vacuumDocuments(database: Database): Promise<void> {
  await database.withClient(
    async (client) => {
      await client.query('SET statement_timeout = 0');
      try {
        await client.query('VACUUM (ANALYZE, PROCESS_TOAST false) beside.search_doc');
      } finally {
        await client.query('RESET statement_timeout');
      }
    },
    { statementTimeoutMs: 0 },
  );
}

const NameRow = z.strictObject({ name: column.text });

/** Makes the indexes that are missing, by two connections; the largest last, which PostgreSQL makes by several processes. */
async function makeIndexes(database: Database, report: (step: Finishing) => void): Promise<void> {
  const missing = (await database.reader.any(sql.type(NameRow)`SELECT name FROM search_build_missing() AS name`)).map(
    ({ name }) => name,
  );
  let done = 0;
  report({ label: 'Making the indexes', done, total: missing.length });
  if (missing.length > 0) await vacuumDocuments(database);
  const left = [...missing];
  const make = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const index = name;
      await database.transaction(
        async (tx) => {
          await tx.run(sql`SELECT set_config('maintenance_work_mem', ${sortingMemory}, true)`);
          await tx.run(sql`SELECT search_build_index(${index})`);
        },
        { statementTimeoutMs: 24 * hours },
      );
      done += 1;
      report({ label: 'Making the indexes', done, total: missing.length });
    }
  };
  await Promise.all([make(), make()]);
}

// Records of a step, and so many that searches may wait for.
const carriedAtOnce = 1000;
const fewEnough = 50;

const LeftRow = z.strictObject({ left: column.int });

/** Carries over what was written live, until hardly anything is left. */
async function carryOver(database: Database, report: (step: Finishing) => void): Promise<void> {
  for (let done = 0; ;) {
    const { left } = await database.reader.one(sql.type(LeftRow)`SELECT count(*) AS left FROM search_touched`);
    const total = done + left;
    report({ label: 'Carrying over', done, total });
    if (left <= fewEnough) return;
    // What comes meanwhile is counted then: counting a million rows at each step would take longer than the steps.
    while (done < total) {
      done += await database.transaction((tx) => carry(tx), { statementTimeoutMs: hours });
      report({ label: 'Carrying over', done: Math.min(done, total), total });
    }
  }
}

/** Locks the tables, carries the last over and lets the rebuilt ones take the place of the live ones; false where somebody was at these for longer than that. */
async function changePlaces(database: Database, jobId: number, patienceMs: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    try {
      await tx.nested(async () => {
        // Nobody waits for the rebuilt ones.
        await lockTables(tx, rebuiltTables, mostPatientMs);
        // Those who come now wait behind this lock.
        await lockTables(tx, replacedTables, patienceMs);
        for (let carried = carriedAtOnce; carried === carriedAtOnce;) carried = await carry(tx);
        await tx.run(sql`SELECT search_build_swap(${jobId})`);
      });
      return true;
    } catch (error) {
      if (isRetryable(error)) return false;
      throw error;
    }
  });
}

async function lockTables(tx: Transaction, tables: readonly string[], patienceMs: number): Promise<void> {
  await waitAtMost(tx, patienceMs);
  await tx.run(
    sql`LOCK TABLE ${sql.join(
      tables.map((table) => sql.identifier(table.split('.'))),
      sql.fragment`, `,
    )} IN ACCESS EXCLUSIVE MODE`,
  );
}

const Touched = RecordKey.extend({
  live: column.maybeInt,
  isHidden: column.bool,
  isCurrent: column.bool,
  rebuilt: column.maybeInt,
  isGone: column.bool,
});
type Touched = z.infer<typeof Touched>;

/**
 * Brings the rebuilt documents in line with live ones that were written since the making began. Of two readings of a record the later counts; both are
 * of the edition that the making began, which every live document has that tells of a change after that. What is hidden stays so. Where neither is
 * known to be the later, the record is due again. Gives the number of rows of search_touched that it used.
 */
async function carry(tx: Transaction): Promise<number> {
  await findByKey(tx);
  const taken = await tx.any(sql.type(RecordKey)`
    DELETE FROM search_touched WHERE n = ANY(ARRAY(SELECT n FROM search_touched ORDER BY n LIMIT ${carriedAtOnce})) RETURNING kind, record_id AS id`);
  if (taken.length === 0) return 0;
  const edition = await readEdition(tx);
  const touched = await tx.any(sql.type(Touched)`
    SELECT k.kind, k.id, l.seq AS live, coalesce(l.is_hidden, false) AS "isHidden", coalesce(l.is_current, false) AS "isCurrent", n.seq AS rebuilt, ${isGone(
      sql.fragment`k.kind`,
      sql.fragment`k.id`,
      taken.map(({ kind }) => kind),
    )} AS "isGone"
    FROM (SELECT DISTINCT kind, id FROM ${keyTable(taken)} AS t (kind, id)) AS k
    CROSS JOIN LATERAL (SELECT min(d.seq) AS seq, bool_or(d.suppressed AND d.digest = '') AS is_hidden, bool_and(d.digest LIKE ${`${edition}.%`}) AS is_current FROM search_doc d WHERE d.kind = k.kind AND d.record_id = k.id) AS l
    CROSS JOIN LATERAL (SELECT max(d.seq) AS seq FROM beside.search_doc d WHERE d.kind = k.kind AND d.record_id = k.id) AS n`);
  const there = touched.filter((record) => !record.isGone);
  const carried = there.filter(
    ({ live, rebuilt, isHidden, isCurrent }) =>
      live !== null && (isHidden || rebuilt === null || (isCurrent && live >= rebuilt)),
  );
  await tx.run(sql`
    WITH gone AS (DELETE FROM beside.search_doc d USING ${keyTable([...touched.filter((record) => record.isGone), ...carried])} AS r (kind, id) WHERE d.kind = r.kind AND d.record_id = r.id RETURNING d.no)
    DELETE FROM beside.search_body b USING gone WHERE b.no = gone.no`);
  await tx.run(sql`
    WITH carried AS (INSERT INTO beside.search_doc OVERRIDING SYSTEM VALUE SELECT d.* FROM ${keyTable(carried)} AS r (kind, id) JOIN search_doc d ON d.kind = r.kind AND d.record_id = r.id RETURNING no)
    INSERT INTO beside.search_body SELECT b.* FROM carried JOIN search_body b USING (no)`);
  // As dependents, which wait for nobody: a batch that holds such a record may be waiting for these tables.
  const doubtful = there.filter(({ isHidden, isCurrent }) => isHidden || !isCurrent);
  await appendDependents(
    tx,
    [...Map.groupBy(doubtful, ({ kind }) => kind)].map(([kind, records]) => ({
      way: 'ids',
      lane: 0,
      kind,
      ids: records.map(({ id }) => id),
    })),
  );
  return taken.length;
}

/** Notes that records have no documents (any more): what a rebuild made of them must not stay. Does nothing where no making is under way. */
export async function noteWithoutDocuments(tx: Transaction, records: readonly RecordKey[]): Promise<void> {
  if (records.length === 0) return;
  await tx.run(
    sql`INSERT INTO search_touched (kind, record_id) SELECT kind, id FROM ${keyTable(records)} AS r (kind, id) WHERE EXISTS (SELECT FROM search_build)`,
  );
}

async function waitAtMost(tx: Transaction, ms: number): Promise<void> {
  await tx.run(sql`SELECT set_config('lock_timeout', ${String(ms)}, true)`);
}
