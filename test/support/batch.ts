// Batch imports in tests: a record store, real threads, and importBatch on records given as values or as text.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { Failure } from '#domain/errors.ts';
import { column } from '#store/connection/columns.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { renewStatistics } from '#store/maintenance/statistics.ts';
import type { BatchInput, BatchOutcome } from '../../apps/worker/batch-import/import.ts';
import { importBatch } from '../../apps/worker/batch-import/import.ts';
import type { Threads } from '../../apps/worker/threads/pool.ts';
import type { RecordStore } from './records.ts';
import { openRecordStore } from './records.ts';
import { sharedThreads } from './threads.ts';
import { outside } from './outside.ts';

/** What an import gave: its outcome, and real uris by temporary ones. */
export type Imported = BatchOutcome & { readonly saved: { readonly [temporary: string]: readonly [string, number] } };

/** How a test imports. Small blocks let few records go through several threads. */
type ImportOptions = {
  readonly blockBytes?: number;
  readonly chunkBytes?: number;
  readonly migration?: boolean;
  readonly repoId?: number;
  readonly betweenPasses?: () => Promise<void>;
};

/** A record store that imports. */
export type Importer = RecordStore & {
  readonly threads: Threads;
  run(records: readonly JsonObject[] | string, options?: ImportOptions): Promise<Imported>;
  /** The failure of an import that must fail, after checking that no table of the database has changed. */
  refused(records: readonly JsonObject[] | string, options?: ImportOptions): Promise<Failure>;
  /** Rows of every table, by name. */
  counts(): Promise<{ readonly [table: string]: number }>;
};

/** Cuts text into chunks of bytes. */
export async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What somebody else does while an import of this test has its transaction open: outside the rule that transactions do not nest. */
export const whileImporting = async <Result>(work: () => Promise<Result>): Promise<Result> => outside(work);

/** Imports records into a repository of a database, without a job. */
export async function importInto(
  database: Database,
  records: readonly JsonObject[] | string,
  options: ImportOptions & { readonly repoId: number },
): Promise<Imported> {
  const { blockBytes = 2000, chunkBytes = 777, migration = false, repoId } = options;
  const threads = await sharedThreads();
  const text = typeof records === 'string' ? records : JSON.stringify(records);
  let saved = '';
  const outcome = await database.transaction(async (tx) => {
    let pass = 0;
    const input: BatchInput = {
      source: async function* () {
        pass += 1;
        if (pass === 2) await options.betweenPasses?.();
        yield* chunksOf(text, chunkBytes);
      },
      blockBytes,
      repoId,
      actor: 'importer',
      migration,
      onSaved: async (_tx, ...pieces) => {
        for (const piece of pieces) if (piece !== '') saved += `${saved === '' ? '' : ','}${piece}`;
      },
    };
    return importBatch(tx, input, { threads, signal: new AbortController().signal, progress: () => undefined });
  });
  // As the jobs do.
  await renewStatistics(database, outcome.total);
  return { ...outcome, saved: JSON.parse(`{${saved}}`) };
}

/** Opens a fresh database with one repository. */
export async function openImporter(): Promise<Importer> {
  const store = await openRecordStore();
  const threads = await sharedThreads();
  const run = (records: readonly JsonObject[] | string, options: ImportOptions = {}): Promise<Imported> =>
    importInto(store.database, records, { repoId: store.repoId, ...options });
  const counts = async (): Promise<{ readonly [table: string]: number }> => {
    const tables = await store.database.reader.any(sql.type(z.strictObject({ name: column.text }))`
      SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`);
    const rows = await store.database.reader.any(sql.type(z.strictObject({ name: column.text, rows: column.int }))`
      SELECT u.name, (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', u.name), false, true, '')))[1]::text::int AS rows FROM unnest(${sql.array(
        tables.map((each) => each.name),
        'text',
      )}) AS u (name)`);
    return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
  };
  return {
    ...store,
    threads,
    run,
    counts,
    refused: async (records, options) => {
      const before = JSON.stringify(await counts());
      const failure = await run(records, options).then(
        () => new Error('the import went through'),
        (error: unknown) => error,
      );
      const after = JSON.stringify(await counts());
      if (!(failure instanceof Failure)) throw failure;
      if (after !== before) throw new Error(`a refused import left rows: ${before} ${after}`);
      return failure;
    },
  };
}
