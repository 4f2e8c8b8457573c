// What transactions that last changed before a time and told it only after it: records and tombstones have the time at which their transaction began, so
// that whoever asks every minute for what is new since the last minute would never hear of an import of ten.
import type { Kind } from '#domain/kind.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

// No transaction takes longer; so what was loaded with its times of old is not news, and of a time long ago a day of the feed is read.
const longest = sql.fragment`interval '1 day'`;

// A day after the last moment that there is would be none.
const bounded = (time: Fragment): Fragment => sql.fragment`least(${time}, timestamptz '9999-01-01')`;

/** A SELECT of the ids of a kind's records whose `system_mtime` is before a time, and that were published at it or later. `repoId` null: of every repository. */
export function publishedLate(kind: Kind, repoId: number | null, since: Fragment): Fragment {
  const time = bounded(since);
  const [ofRecord, ofEntry] =
    repoId === null
      ? [sql.fragment``, sql.fragment``]
      : [sql.fragment` AND repo_id = ${repoId}`, sql.fragment` AND f.repo_id = ${repoId}`];
  // What is dated in that day is looked for first: where there is nothing, as mostly, the feed is not read. IS TRUE: never a join, since right after an import,
  // before statistics, that would be a loop within a loop; it is a look-up in a table made once.
  return sql.fragment`(WITH dated AS MATERIALIZED (SELECT id FROM record WHERE kind = ${kind.name}${ofRecord} AND system_mtime < ${time} AND system_mtime >= ${time} - ${longest})
    SELECT id FROM dated WHERE (id IN (SELECT unnest(coalesce(f.ids, ARRAY[f.id])) FROM feed f
      WHERE f.at >= ${time} AND f.at < ${time} + ${longest} AND f.kind = ${kind.name} AND f.op <> 'delete'${ofEntry})) IS TRUE)`;
}

/**
 * A SELECT of the numbers of tombstones that were written before a time, and published at it or later. Those of sub-records are told by the time that they
 * share with the record's, of whose transaction they are: no change names them.
 */
export function buriedLate(since: Fragment): Fragment {
  const time = bounded(since);
  return sql.fragment`(WITH dated AS MATERIALIZED (SELECT n, kind, id, at FROM tombstone WHERE at < ${time} AND at >= ${time} - ${longest}),
    late AS MATERIALIZED (SELECT n, at FROM dated WHERE ((kind, id) IN (SELECT f.kind, unnest(coalesce(f.ids, ARRAY[f.id])) FROM feed f
      WHERE f.at >= ${time} AND f.at < ${time} + ${longest} AND f.op = 'delete')) IS TRUE)
    SELECT n FROM late UNION SELECT n FROM dated WHERE id = 0 AND at IN (SELECT at FROM late))`;
}
