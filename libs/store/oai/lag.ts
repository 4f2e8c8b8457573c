// How far what harvesters see is behind, for metrics.
import type { Reader } from '../database.ts';
import { sql } from '../sql.ts';
import { oaiFollower } from './follow.ts';

/** Changes that are not looked at yet, and the age of the oldest of them in seconds (0: none). */
export async function readOaiLag(reader: Reader): Promise<{ readonly entries: number; readonly waitingSeconds: number }> {
  return reader.one(sql`
    SELECT greatest(s.n - coalesce(f.n, 0), 0) AS entries,
      coalesce(extract(epoch FROM clock_timestamp() - (SELECT at FROM feed WHERE feed.n > coalesce(f.n, 0) ORDER BY feed.n LIMIT 1)), 0)::float8 AS "waitingSeconds"
    FROM sequencer s LEFT JOIN follower f ON f.name = ${oaiFollower}`);
}
