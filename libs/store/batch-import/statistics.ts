// The planner's statistics after many rows came at once.
import type { Database } from '../connection/database.ts';

// Below this, any plan is quick.
const worthIt = 1000;

/**
 * Renews the statistics of trees and links after a bulk write of this many records has been committed. Autovacuum would, within a
 * minute or so; until then PostgreSQL can take a node for one of few in its repository and read the whole tree for each. Never fails.
 */
export async function renewStatistics(database: Database, records: number): Promise<void> {
  if (records < worthIt) return;
  // Nothing hangs on it but time, and the job that wrote them has ended.
  await database
    .withClient(async (client) => client.query('ANALYZE tree_node, tree_bucket, link'))
    .catch(() => undefined);
}
