// What is left of what was hidden, and is not needed (hidden.ts).
import { indexedKinds } from '#domain/search/declared.ts';
import type { Database } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import { indexFollower } from '../pending.ts';

/**
 * Forgets what was hidden of kinds that are not searched, and which transactions hid something some time ago: searches keep what they have seen for a minute. Where the index
 * has come up with everything and rows are left (of what was shown again before it knew that it was hidden), their records are due once more.
 */
export async function tidyHidden(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM search_hiding WHERE at < now() - interval '10 minutes'`);
    await tx.run(sql`DELETE FROM search_hidden WHERE kind <> ALL(${sql.array([...indexedKinds], 'text')})`);
    await tx.run(sql`
      INSERT INTO reindex_fan (lane, way, kind, ids)
      SELECT 1, 'ids', kind, array_agg(id ORDER BY id) FROM (
        SELECT kind, id, (row_number() OVER (PARTITION BY kind ORDER BY id) - 1) / 1000 AS part FROM (
          SELECT DISTINCT h.kind, h.id FROM search_hidden h, sequencer s WHERE h.at < now() - interval '10 seconds' AND (h.kind = 'job' OR pg_visible_in_snapshot(h.xid, s.position))) AS late) AS placed
      WHERE NOT EXISTS (SELECT FROM reindex_fan WHERE lane < 2) AND NOT EXISTS (SELECT FROM reindex_due WHERE lane < 2)
        AND (SELECT s.n <= f.n FROM sequencer s, follower f WHERE f.name = ${indexFollower})
      GROUP BY kind, part`);
  });
}
