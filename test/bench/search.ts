// Benchmarks of search: from commit to searchable under steady writes (also beside a long open import), how fast a large import is
// indexed, and the quality of ranking on real finding aids. On a database of its own, with durability on.
import { z } from 'zod';
import { to as copyTo } from 'pg-copy-streams';
import { reindex } from '#domain/jobs/reindex.ts';
import { kinds } from '#domain/kinds/index.ts';
import { copyText } from '#store/batch-import/copy.ts';
import { CountRow, column, NumberRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { prepareQueue } from '#store/set-up/queue.ts';
import { handler as reindexHandler } from '../../apps/worker/jobs/reindex.ts';
import { startIndexer, untilIndexed } from '../support/indexer.ts';
import { runHandler } from '../support/run-handler.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer } from './bench.ts';
import { quality } from './search/judged-queries.ts';
import { lag } from './search/lag.ts';
import { seedImport, seededBeside } from './search/seeded-import.ts';

/** Runs all; some twelve minutes. */
export async function run(): Promise<BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    // For the job that makes the index anew.
    await prepareQueue(url);
    await using database = new Database({ url, poolSize: 24 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    const followedMs = await follow(database, 200_000);
    const steady = [
      ...(await lag(database, { name: 'steady', base: 2_000_000 })),
      ...(await lag(database, { name: 'beside an open import', base: 3_000_000, hasOpenImport: true })),
    ];
    const checked = await makeAnew(database, { rewrite: false });
    const anew = await makeAnew(database, { rewrite: true });
    // What is dead then is vacuumed, and the disk takes what was written: told, and held to nothing.
    const after = (await lag(database, { name: 'right after all was made anew', base: 4_000_000 })).map(
      ({ target: _target, pass: _pass, ...row }) => row,
    );
    const copied = await copyAgain(database);
    const rows = [
      toRow('index an import of 200000 components', perSecond(200_000 + seededBeside, followedMs), copied),
      toRow(
        `make the index of these ${checked.count} records anew: nothing has changed`,
        perSecond(checked.count, checked.ms),
        copied,
      ),
      toRow(
        `make the index of these ${anew.count} records anew: every row is written`,
        perSecond(anew.count, anew.ms),
        copied,
      ),
      ...steady,
      ...after,
    ];
    await database.transaction((tx) =>
      tx.run(sql`TRUNCATE search_doc, search_body, search_value, search_lexeme, reindex_due, reindex_fan`),
    );
    return [...rows, ...(await quality(database))];
  });
}

/** Seeds an import and indexes it. Gives the milliseconds of the latter. */
async function follow(database: Database, count: number): Promise<number> {
  await seedImport(database, count);
  return indexed(database);
}

/** Makes the index of all that is there anew, by the job; `rewrite`: as if every document had changed, beside the live one. */
async function makeAnew(
  database: Database,
  { rewrite }: { readonly rewrite: boolean },
): Promise<{ readonly count: number; readonly ms: number }> {
  await using indexer = await startIndexer(database);
  const { count } = await database.reader.one(sql.type(CountRow)`SELECT count(*) AS count FROM record`);
  const start = performance.now();
  await runHandler(database, reindex, reindexHandler, { kinds: null, repoId: null, rewrite });
  const ms = performance.now() - start;
  if (indexer.errors.length > 0) throw indexer.errors[0];
  return { count, ms };
}

async function indexed(database: Database): Promise<number> {
  await using indexer = await startIndexer(database);
  const ms = await untilIndexed(database, 600_000, 100);
  if (indexer.errors.length > 0) throw indexer.errors[0];
  return ms;
}

const perSecond = (count: number, ms: number): number => count / (ms / 1000);

const toRow = (name: string, rate: number, copied: number): BenchRow => ({
  name,
  value: Math.round(rate),
  unit: 'records/s',
  baseline: Math.round(copied),
  ratio: Math.round((rate / copied) * 100) / 100,
  target: 0.4,
  pass: rate >= 0.4 * copied,
});

/**
 * The baseline: the documents just made, dumped and copied by one connection into equal empty tables with the same indexes. Gives
 * documents a second, the best of two rounds.
 */
async function copyAgain(database: Database): Promise<number> {
  const dump = async (table: string, columns: string): Promise<readonly Uint8Array[]> =>
    database.transaction(
      async ({ client }) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of client.query(copyTo(`COPY (SELECT ${columns} FROM ${table} ORDER BY no) TO STDOUT`)))
          chunks.push(chunk);
        return chunks;
      },
      { statementTimeoutMs: 600_000, readOnly: true },
    );
  const tables = await Promise.all(
    ['search_doc', 'search_body'].map(async (table) => {
      const rows = await database.reader.any(sql.type(z.strictObject({ name: column.text }))`
        SELECT attname AS name FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`);
      const columns = rows.map(({ name }) => name);
      return { table, columns, chunks: await dump(table, columns.join(', ')) };
    }),
  );
  const { n } = await database.reader.one(sql.type(NumberRow)`SELECT count(*) AS n FROM search_doc`);
  const rates: number[] = [];
  for (let round = 0; round < 2; round++) {
    await database.transaction(async (tx) => {
      for (const { table } of tables) {
        const copy = sql.identifier([`${table}_again`]);
        await tx.run(sql`DROP TABLE IF EXISTS ${copy}`);
        await tx.run(sql`CREATE TABLE ${copy} (LIKE ${sql.identifier([table])} INCLUDING ALL)`);
        // What LIKE leaves out: how long a row may be before its values are stored apart.
        await tx.run(sql`SELECT set_config('muniment.again', ${table}, true)`);
        await tx.run(
          sql`DO $$ BEGIN EXECUTE (SELECT format('ALTER TABLE %I SET (%s)', relname || '_again', array_to_string(reloptions, ', ')) FROM pg_class WHERE oid = current_setting('muniment.again')::regclass); END $$`,
        );
      }
    });
    const start = performance.now();
    for (const { table, columns, chunks } of tables)
      await database.transaction((tx) => copyText(tx, `${table}_again`, columns, chunks), {
        statementTimeoutMs: 600_000,
      });
    rates.push(n / ((performance.now() - start) / 1000));
  }
  return Math.max(...rates);
}

if (import.meta.main) console.table(await run());
