// Pages of the list of harvestable records, and single ones. A list is a range of numbers fixed at its first page, so that later pages
// cost what the first does, and concurrent writes neither shift nor repeat anything (docs/decisions/0012).
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Database, Reader } from '../connection/database.ts';
import { readSequencerState } from '../change-log/sequencer.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Fragment, RowQuery } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { oaiFollower } from './follow.ts';
import { oaiLock } from './items.ts';
import type { OaiKey } from './states.ts';
import { readVisible, textOfKey } from './states.ts';

/** What a set selects; all members that are given hold at once. `repositories` are ids. */
export type OaiSelection = {
  readonly repositories?: readonly number[];
  readonly sponsors?: readonly string[];
  readonly level?: string;
};

/** A part of the list: numbers above `after` up to `upTo`. */
export type OaiRange = { readonly after: number; readonly upTo: number };

/** A record as harvesters are told of it. `datestamp` is a time in whole seconds. */
export type OaiItem = OaiKey & { readonly datestamp: string; readonly deleted: boolean; readonly level: string | null };

/** Times between which the datestamps lie, both ends included; null: no bound. */
export type OaiTimes = { readonly from: string | null; readonly until: string | null };

const OaiTimeRow = z.strictObject({ now: column.time, free: column.bool });

const LastRow = z.strictObject({ last: column.maybeTime });

/**
 * The time of the reply: everything harvesters shall see with an earlier datestamp is committed, so that a harvest of what changed since
 * misses nothing. Now; while a worker is writing, the datestamp of what it wrote last.
 */
export async function readOaiTime(reader: Reader): Promise<string> {
  // The lock is gone when the statement ends. What was committed by then is seen by every later statement.
  const { now, free } = await reader.one(sql.type(OaiTimeRow)`
    SELECT clock_timestamp() AS now, pg_try_advisory_xact_lock_shared(${oaiLock}) AS free`);
  if (free) return now;
  const { last } = await reader.one(sql.type(LastRow)`SELECT max(stamp) AS last FROM oai_item`);
  return last ?? now;
}

const OaiRangeRow = z.strictObject({ first: column.maybeInt, last: column.maybeInt });

/** The part of the list between two times, as far as it is at this moment. Served by oai_item_stamp_idx. */
export async function readOaiRange(reader: Reader, { from, until }: OaiTimes): Promise<OaiRange> {
  const row = await reader.one(sql.type(OaiRangeRow)`
    SELECT (SELECT n FROM oai_item WHERE ${from === null ? sql.fragment`true` : sql.fragment`stamp >= ${from}::timestamptz`} ORDER BY stamp, n LIMIT 1) AS first,
      (SELECT n FROM oai_item WHERE ${until === null ? sql.fragment`true` : sql.fragment`stamp <= ${until}::timestamptz`} ORDER BY stamp DESC, n DESC LIMIT 1) AS last`);
  return row.first === null || row.last === null ? { after: 0, upTo: 0 } : { after: row.first - 1, upTo: row.last };
}

const Row = z.strictObject({
  kind: column.text,
  id: column.int,
  repo_id: column.int,
  n: column.int,
  stamp: column.time,
  deleted: column.bool,
  level: column.maybeText,
});
type Row = z.infer<typeof Row>;

const toItem = (row: Row, deleted: boolean): OaiItem => ({
  kind: row.kind,
  id: row.id,
  repoId: row.repo_id,
  datestamp: row.stamp,
  deleted,
  level: row.level,
});

/**
 * The next items of a range, at most `limit`, and the range that is left; null where this is its end. What was hidden a moment ago, and
 * is not followed yet, comes as deleted. One index range, and for several repositories or sponsors one each.
 */
export async function readOaiPage(
  reader: Reader,
  range: OaiRange,
  choice: { readonly kinds: readonly string[]; readonly selection: OaiSelection; readonly limit: number },
): Promise<{ readonly items: readonly OaiItem[]; readonly rest: OaiRange | null }> {
  const rows = await reader.any(pageQuery(range, choice.kinds, choice.selection, choice.limit + 1));
  const page = rows.slice(0, choice.limit);
  const keys = page.filter(({ deleted }) => !deleted).map(({ kind, id, repo_id: repoId }) => ({ kind, id, repoId }));
  const visible = await readVisible(reader, keys);
  const last = page.at(-1);
  return {
    items: page.map((row) =>
      toItem(row, row.deleted || !visible.has(textOfKey({ kind: row.kind, id: row.id, repoId: row.repo_id }))),
    ),
    rest: rows.length > choice.limit && last !== undefined ? { after: last.n, upTo: range.upTo } : null,
  };
}

function pageQuery(
  { after, upTo }: OaiRange,
  kinds: readonly string[],
  selection: OaiSelection,
  limit: number,
): RowQuery<Row> {
  const single = kinds.length === 1 ? kinds[0] : undefined;
  // A constant, so that the partial index of resources is known to serve it; other single kinds have none.
  const ofKind =
    single === 'resource'
      ? sql.fragment`AND kind = 'resource'`
      : single === undefined
        ? sql.fragment``
        : sql.fragment`AND kind = ${single}`;
  const ofLevel = selection.level === undefined ? sql.fragment`` : sql.fragment`AND level = ${selection.level}`;
  const part = (condition: Fragment): Fragment => sql.fragment`
    SELECT kind, id, repo_id, n, stamp, deleted, level FROM oai_item WHERE n > ${after} AND n <= ${upTo} ${ofKind} ${ofLevel} ${condition} ORDER BY n LIMIT ${limit}`;
  if (selection.repositories !== undefined) {
    return sql.type(Row)`
      SELECT p.* FROM unnest(${sql.array([...selection.repositories], 'int4')}) AS w (repo) CROSS JOIN LATERAL (${part(sql.fragment`AND repo_id = w.repo`)}) AS p ORDER BY n LIMIT ${limit}`;
  }
  if (selection.sponsors !== undefined) {
    return sql.type(Row)`
      SELECT p.* FROM (SELECT DISTINCT s FROM unnest(${sql.array([...selection.sponsors], 'text')}) AS s) AS w CROSS JOIN LATERAL (${part(sql.fragment`AND sponsor = w.s`)}) AS p ORDER BY n LIMIT ${limit}`;
  }
  return sql.type(Row)`${part(sql.fragment``)}`;
}

/** One record as it is at this moment, deleted where it once was there; null where harvesters were never told of it. */
export async function readOaiItem(reader: Reader, key: OaiKey): Promise<OaiItem | null> {
  const row = await reader.maybeOne(sql.type(Row)`
    SELECT kind, id, repo_id, n, stamp, deleted, level FROM oai_item WHERE kind = ${key.kind} AND id = ${key.id} AND repo_id = ${key.repoId}`);
  const visible = (await readVisible(reader, [key])).get(textOfKey(key));
  if (visible === undefined) return row === null ? null : toItem(row, true);
  if (row === null || row.deleted) return { ...key, datestamp: visible.changed, deleted: false, level: null };
  return toItem(row, false);
}

const mostWaitMs = 1500;

const DoneRow = z.strictObject({ done: column.bool });

/** Waits until everything committed so far is followed, at most a second and a half: a list shows what its reader has written before. */
export async function waitForOai(database: Database): Promise<void> {
  const end = performance.now() + mostWaitMs;
  let target: number | null = null;
  for (let pause = 5; performance.now() < end; pause = Math.min(pause * 2, 50)) {
    if (target === null) {
      const { n, waitingSeconds } = await readSequencerState(database);
      // What waits for the sequencer longer than a fifth of a second came after this request began, or nobody sequences.
      if (waitingSeconds === 0 || performance.now() > end - mostWaitMs + 200) target = n;
    }
    if (target !== null) {
      const { done } = await database.reader.one(sql.type(DoneRow)`
        SELECT coalesce((SELECT n >= ${target} FROM follower WHERE name = ${oaiFollower}), false) AS done`);
      if (done) return;
    }
    await sleep(pause);
  }
}

/** Ids of the repositories of some codes. */
export async function readRepositoryIds(reader: Reader, codes: readonly string[]): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'repository' AND body->>'repo_code' = ANY(${sql.array([...codes], 'text')}) ORDER BY id`);
  return rows.map(({ id }) => id);
}
