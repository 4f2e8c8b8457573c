// The planner's statistics of tables that grow by leaps.
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

// Without statistics PostgreSQL takes a node for one of few in its repository and reads all of them for each: a thousand components cost twelve
// thousand blocks at every reading. Autovacuum looks once a minute; until then a tree that somebody imports at first is slow, and the next minute not.
const tables = ['tree_node', 'tree_bucket', 'link'];
/** Of fewer blocks than these any plan is quick. */
const fewBlocks = 2;
/** So many records are worth new statistics whatever the tables hold already: the planner does not know their repository yet. */
const many = 1000;

const NameRow = z.strictObject({ name: column.text });

/** Renews the statistics of those tables of trees and links that are more than twice as large as when these were made. Waits for no vacuum, and never fails. */
export async function renewOutgrownStatistics(database: Database): Promise<void> {
  await database.reader
    .any(
      sql.type(NameRow)`
        SELECT c.relname::text AS name FROM unnest(${sql.array(tables, 'text')}) AS t (name) JOIN pg_class c ON c.oid = t.name::regclass
        WHERE pg_relation_size(c.oid) / current_setting('block_size')::int > 2 * c.relpages + ${fewBlocks}::int`,
    )
    .then(async (outgrown) => {
      const names = outgrown.map(({ name }) => name);
      if (names.length > 0) await analyze(database, `(SKIP_LOCKED) ${names.join(', ')}`);
    })
    .catch(() => undefined);
}

/** Renews the statistics of trees and links after a bulk write of this many records has been committed. Never fails. */
export async function renewStatistics(database: Database, records: number): Promise<void> {
  // Nothing hangs on it but time, and the job that wrote them has ended.
  if (records >= many) await analyze(database, tables.join(', ')).catch(() => undefined);
  else await renewOutgrownStatistics(database);
}

const analyze = async (database: Database, what: string): Promise<unknown> =>
  database.withClient(async (client) => client.query(`ANALYZE ${what}`));
