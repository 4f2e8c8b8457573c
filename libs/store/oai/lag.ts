// How far what harvesters see is behind, for metrics.
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { oaiFollower } from './follow.ts';

const LagRow = z.strictObject({ entries: column.int, due: column.int, waitingSeconds: column.number });

/** Changes that are not looked at yet with the records that are due, and the age of the oldest of them in seconds (0: none). */
export async function readOaiLag(reader: Reader): Promise<z.infer<typeof LagRow>> {
  return reader.one(sql.type(LagRow)`
    SELECT greatest(s.n - coalesce(f.n, 0), 0) AS entries, due.count AS due,
      coalesce(extract(epoch FROM clock_timestamp() - least((SELECT at FROM feed WHERE feed.n > coalesce(f.n, 0) ORDER BY feed.n LIMIT 1), due.at)), 0)::float8 AS "waitingSeconds"
    FROM sequencer s LEFT JOIN follower f ON f.name = ${oaiFollower}
    CROSS JOIN (SELECT count(*) AS count, min(at) AS at FROM (SELECT at FROM oai_due UNION ALL SELECT at FROM oai_fan) AS all_due) AS due`);
}
