// Every bad record of a batch that was refused. The import itself stops at the first, so that good records pay nothing for this: only
// then the batch is read again, leniently, in a transaction of its own that is rolled back.
import type { FaultReport } from '#domain/batch-import/faults.ts';
import { createFaultList, isFault } from '#domain/batch-import/faults.ts';
import { cutBlocks, scanRecords } from '#domain/batch-import/record-scanner.ts';
import type { KnownTerms } from '#domain/batch-import/terms.ts';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import { isObject } from '#domain/json.ts';
import { findStagedFaults } from '#store/batch-import/staged-checks.ts';
import { copyRecords, copyRows, createStage } from '#store/batch-import/stage.ts';
import { readTerms } from '#store/batch-import/terms.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { JobContext } from '../handler.ts';
import type { BlockFaults } from '../threads/batch-tasks.ts';
import type { Unclear } from './first-pass.ts';
import { firstPass } from './first-pass.ts';
import type { Around, BatchInput } from './import.ts';
import { aboutBatch } from './import.ts';
import { inOrder, readAhead } from './in-order.ts';

/** The rows by which the database finds faults. */
const stagedTables = ['key', 'target', 'rule'] as const;

/**
 * The bad records of the batch in the order of the file, at most `limit`. Faults of refs are told only where every record could be read,
 * and those of trees not at all. Leaves rows behind: roll the transaction back.
 */
export async function findFaults(
  tx: Transaction,
  input: BatchInput,
  { threads, signal }: Pick<Around, 'threads' | 'signal'>,
  limit: number,
): Promise<FaultReport> {
  const about = await aboutBatch(tx, input);
  await createStage(tx);
  const unclear: Unclear = { duplicates: new Set(), limit, lacksRecords: input.lacksRecords === true, broken: null };
  const first = await firstPass({
    tx,
    threads,
    blocks: () => scanRecords(readAhead(input.source(), 8), input.blockBytes),
    about,
    signal,
    sizeBytes: input.sizeBytes,
    report: () => undefined,
    lenient: unclear,
  });
  const shared = {
    about,
    table: first.table,
    duplicates: unclear.duplicates,
    refsAreKnown: unclear.broken === null && !unclear.lacksRecords,
    limit,
  };
  const find = async (bytes: Uint8Array, number: number, known: KnownTerms): Promise<BlockFaults> =>
    threads.run(
      'findBlockFaults',
      { ...shared, bytes, first: number, known },
      { signal, transfer: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [] },
    );
  const faults = createFaultList(limit);
  const found = inOrder(
    cutBlocks(readAhead(input.source(), 8), first.ranges),
    threads.load.threads * 2,
    async ({ bytes, first: number }) => ({ number, block: await find(bytes, number, new Map()) }),
  );
  for await (const { number, block } of found) {
    signal.throwIfAborted();
    const { report, records, texts } =
      block.bytes === null ? block : await find(block.bytes, number, await readTerms(tx, block.termUris));
    faults.addAll(report);
    if (faults.isFull) return faults.report();
    // One after the other: they share the connection of the transaction.
    for (const [kind, rows] of Object.entries(records)) await copyRecords(tx, kind, [rows]);
    for (const table of stagedTables) await copyRows(tx, table, [texts[table]]);
  }
  if (unclear.broken !== null) faults.add(unclear.broken, first.total);
  for (const { number, failure } of await findStagedFaults(tx, input.repoId, limit)) faults.add(failure, number);
  return faults.report();
}

/** Carries the report out of a transaction that is to be rolled back. */
class Found extends Error {
  readonly report: FaultReport;

  constructor(report: FaultReport) {
    super('found');
    this.report = report;
  }
}

/**
 * What an import ends in: the failure itself where it is not that of a record or where nothing else is wrong; otherwise the same with
 * `report`, every bad record, as an extra.
 */
export async function withAllFaults(
  error: unknown,
  input: BatchInput,
  context: JobContext,
  statementTimeoutMs: number,
): Promise<unknown> {
  if (!isFault(error)) return error;
  const found = await foundIn(input, context, statementTimeoutMs);
  // What came between is no reason to lose the failure; the log of the worker has it as its cause.
  if (!(found instanceof Found)) return fail(error.code, error.error, {}, found);
  return saysMore(found.report, error) ? fail(error.code, error.error, { report: found.report }, error) : error;
}

/** Bad records among those of sheets that have faults of their own; undefined where there are none. */
export async function furtherFaults(
  input: BatchInput,
  context: JobContext,
  statementTimeoutMs: number,
): Promise<FaultReport | undefined> {
  const found = await foundIn({ ...input, lacksRecords: true }, context, statementTimeoutMs);
  return found instanceof Found && found.report.faults.length > 0 ? found.report : undefined;
}

/** The report within Found, or what came between. Nothing is stored. */
async function foundIn(input: BatchInput, context: JobContext, statementTimeoutMs: number): Promise<unknown> {
  const found: unknown = await context
    .transaction(
      async (tx) => {
        throw new Found(await findFaults(tx, input, context, context.options.importFaults));
      },
      { statementTimeoutMs },
    )
    .catch((thrown: unknown) => thrown);
  context.signal.throwIfAborted();
  return found;
}

/** Whether the report knows of another record, or of more properties of the same. */
function saysMore({ faults: [first, ...others] }: FaultReport, { error }: Failure): boolean {
  const told = isObject(error) && isObject(error['errors']) ? error['errors'] : {};
  return (
    others.length > 0 ||
    (first !== undefined && isObject(error) && Object.keys(first.errors).some((property) => !(property in told)))
  );
}
