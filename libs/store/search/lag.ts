// How far the index is behind, and how long it takes to come up: everything that search does not show as it is, whichever way it is still to go.
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { indexFollower } from './pending.ts';

/**
 * How far the index is behind. `entries`: of the feed, not yet looked at; `pending`: records of lane 0, `pendingBulk`: of the others; `dependents`: rows of records that
 * are still to become pending; `records`: about how many all that is together; `waitingSeconds`: how long the oldest change waits, whatever it concerns. What is
 * indexed anew without a change is pending and waits for nothing. `secondsLeft`: at the pace of the last minutes; null where that is not known.
 */
export const IndexLag = z.strictObject({
  entries: column.int,
  pending: column.int,
  pendingBulk: column.int,
  dependents: column.int,
  records: column.int,
  waitingSeconds: column.number,
  secondsLeft: column.number.nullable(),
});
export type IndexLag = z.infer<typeof IndexLag>;

// Counted so far: nobody waits for the exact number of more.
const most = 100_000;

const LagRow = IndexLag.omit({ records: true, secondsLeft: true }).extend({
  changed: column.int,
  named: column.int,
  hanging: column.int,
  pace: column.number.nullable(),
});

const HangingRow = z.strictObject({ records: column.int });

/** The lag of the index, for metrics and GET /system/index-status. Each part is counted up to 100,000. */
export async function readIndexLag(database: Database): Promise<IndexLag> {
  const row = await database.reader.one(sql.type(LagRow)`
    SELECT greatest(s.n - coalesce(f.n, 0), 0) AS entries,
      (SELECT coalesce(sum(coalesce(cardinality(ids), 1)), 0) FROM (SELECT ids FROM feed WHERE feed.n > coalesce(f.n, 0) ORDER BY feed.n LIMIT ${most}) AS e) AS changed,
      (SELECT count(*) FROM (SELECT FROM reindex_due WHERE lane = 0 LIMIT ${most}) AS d) AS pending,
      (SELECT count(*) FROM (SELECT FROM reindex_due WHERE lane > 0 LIMIT ${most}) AS d) AS "pendingBulk",
      w.dependents, w.named, w.hanging,
      greatest(extract(epoch FROM clock_timestamp() - least((SELECT changed_at FROM feed WHERE feed.n > coalesce(f.n, 0) ORDER BY feed.n LIMIT 1),
        (SELECT at FROM reindex_due WHERE lane = 0 ORDER BY n LIMIT 1), (SELECT at FROM reindex_due WHERE lane = 1 ORDER BY n LIMIT 1), w.oldest)), 0)::float8 AS "waitingSeconds",
      (SELECT sum(p.records / p.seconds) FROM search_pace p WHERE p.at > now() - interval '2 minutes' AND p.seconds > 0)::float8 AS pace
    FROM sequencer s LEFT JOIN follower f ON f.name = ${indexFollower},
      (SELECT count(*) AS dependents, coalesce(sum(cardinality(ids)) FILTER (WHERE way = 'ids'), 0) AS named, count(*) FILTER (WHERE way <> 'ids') AS hanging,
        min(at) FILTER (WHERE lane < 2 AND job_id IS NULL) AS oldest FROM reindex_fan) AS w`);
  const { changed, named, hanging, pace, ...lag } = row;
  const records = changed + lag.pending + lag.pendingBulk + named + (hanging === 0 ? 0 : await countHanging(database));
  return { ...lag, records, secondsLeft: records === 0 ? 0 : pace === null || pace === 0 ? null : records / pace };
}

/** About how many records hang on those that wait; what several share is counted for each. */
function countHanging(database: Database): Promise<number> {
  return database.transaction(
    async (tx) => {
      await tx.run(sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`);
      const { records } = await tx.one(sql.type(HangingRow)`
        SELECT count(*) AS records FROM (SELECT FROM (SELECT * FROM reindex_fan WHERE way <> 'ids' ORDER BY n LIMIT 1000) AS w, LATERAL (
          SELECT FROM link l WHERE w.way = 'sources' AND l.target_kind = w.kind AND l.target_id = ANY(w.ids || w.id)
          UNION ALL SELECT FROM tree_node t WHERE w.way = 'below' AND w.kind <> tree_node_kind(tree_code(w.kind)) AND t.repo_id = w.repo_id AND t.kind = tree_code(w.kind) AND t.root_id = w.id AND t.id > w.after_id
          UNION ALL SELECT FROM tree_node m JOIN tree_node t ON t.repo_id = m.repo_id AND t.kind = m.kind AND t.root_id = m.root_id AND t.list_id = m.id AND t.id > w.after_id
            WHERE w.way = 'below' AND w.kind = tree_node_kind(tree_code(w.kind)) AND m.repo_id = w.repo_id AND m.kind = tree_code(w.kind) AND m.id = ANY(w.ids || w.id)
          UNION ALL SELECT FROM record r WHERE (w.way = 'repository' OR w.way = 'kind' AND r.kind = w.kind) AND (w.repo_id IS NULL OR r.repo_id = w.repo_id) AND (r.kind, r.id) > (w.after_kind, w.after_id)
        ) AS each LIMIT ${most}) AS h`);
      return records;
    },
    { readOnly: true },
  );
}

/** Tells how many records a process has indexed of late, in how many seconds of work. Forgets processes that are gone. */
export async function writePace(database: Database, process: string, records: number, seconds: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM search_pace WHERE at < now() - interval '1 hour'`);
    await tx.run(sql`
      INSERT INTO search_pace AS p (process, records, seconds) VALUES (${process}::uuid, ${records}, ${seconds})
      ON CONFLICT (process) DO UPDATE SET records = excluded.records, seconds = excluded.seconds, at = clock_timestamp()`);
  });
}
