// Handler of changes by spreadsheet (contract trees-and-jobs 6.3): every fault of every row is told with sheet, row and column, and then nothing is changed. With `dry_run` nothing is changed either way.
import { parseUri, uriOf } from '#domain/addresses.ts';
import { Failure, fail } from '#domain/errors.ts';
import { bulkUpdate } from '#domain/jobs/bulk-update.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { Kind } from '#domain/kind.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { applyRow } from '#domain/spreadsheets/apply-row.ts';
import type { DescribedObject } from '#domain/spreadsheets/digital-objects.ts';
import { describedObjects, objectFrom } from '#domain/spreadsheets/digital-objects.ts';
import { shownPart } from '#domain/spreadsheets/facts.ts';
import type { SheetFault, UpdateRow } from '#domain/spreadsheets/rows.ts';
import { viewedRow } from '#domain/spreadsheets/stored-cells.ts';
import { updatesSheet } from '#domain/spreadsheets/updater-workbook.ts';
import type { Transaction } from '#store/connection/database.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { readUpload } from '#store/batch-import/read-upload.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { holdKeys } from '#store/records/writing/lock-order.ts';
import { lockStored, reviseMany } from '#store/records/writing/revise.ts';
import { createMany } from '#store/records/writing/write-many.ts';
import { createRecord, updateRecord } from '#store/records/writing/write.ts';
import { readBarcoded } from '#store/spreadsheets/collection.ts';
import { holdUpdated } from '#store/spreadsheets/hold-updated.ts';
import {
  accessionKey,
  accessionsIn,
  containerKey,
  containerName,
  readAccessions,
  readContainersOf,
  readDigitalObjects,
} from '#store/spreadsheets/lookups.ts';
import { readSheetViews } from '#store/spreadsheets/sheet-records.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { dryRun } from '../job-steps/dry-run.ts';
import type { FaultForm } from '../job-steps/spreadsheet-file.ts';
import { tellSheetFaults } from '../job-steps/spreadsheet-file.ts';

const mostBytes = 50_000_000;
const seesAll = { seesSuppressed: true };

type Work = {
  readonly tx: Transaction;
  readonly context: JobContext;
  readonly repoId: number;
  readonly actor: string | null;
  readonly makesContainers: boolean;
  readonly enumerations: EnumerationCache;
  readonly faults: SheetFault[];
};

/** Changes the records; the value tells how many changed. */
export const handler = defineHandler(bulkUpdate, async ({ repoId, actor, job }, context) => {
  const files = (await context.files()).filter(({ role }) => role === 'input');
  const [file] = files;
  if (file === undefined || files.length > 1) throw fail('import_failed', { message: 'No spreadsheet found.' });
  if (file.sizeBytes > mostBytes) throw fail('too_large', `The spreadsheet is larger than ${mostBytes} bytes`);
  const bytes = Buffer.concat(await Array.fromAsync(readUpload(context.database, file.blobId)));
  const { rows, faults } = await context.threads.run('readUpdateSheet', bytes, { signal: context.signal });
  if (rows.length === 0) tellFaults(faults, context);
  const enumerations = await EnumerationCache.load(context.database.reader);
  const update = async (tx: Transaction): ReturnType<typeof updateAll> =>
    updateAll(rows, {
      tx,
      context,
      repoId,
      actor,
      makesContainers: job['create_missing_top_containers'] === true,
      enumerations,
      faults: [...faults],
    });
  const options = { statementTimeoutMs: bulkUpdate.timeoutSeconds * 1000 };
  if (job['dry_run'] === true) return { ...(await dryRun(context, update, options)), dry_run: true };
  return context.transaction(async (tx) => {
    const value = await update(tx);
    // Contract 6.3: what was applied is no file of the job any more; a sheet that was refused stays, to be looked at.
    await context.removeFiles(tx);
    await context.complete(tx, value);
    return value;
  }, options);
});

// Contract 6.3 has a block of lines for each fault.
const blocks: FaultForm = {
  heading: 'Errors encountered during processing.\nAll changes have been reverted.',
  textOf: ({ row, column, message }) =>
    `Sheet name: ${updatesSheet}\nRow number: ${row ?? 'N/A'}\nColumn: ${column ?? 'N/A'}\nJSONModel Property: N/A\nErrors: ${message}`,
  before: '\n',
};

const tellFaults = (faults: readonly SheetFault[], context: JobContext): void =>
  tellSheetFaults(faults, updatesSheet, context, blocks);

async function updateAll(
  rows: readonly UpdateRow[],
  work: Work,
): Promise<{ readonly updated: number; readonly digital_objects: number; readonly top_containers: number }> {
  const { tx, context, repoId, actor, faults } = work;
  const idOf = (row: UpdateRow): number => Number(row.cells.get('id'));
  const wanted = rows.map((row) => ({ id: idOf(row), accessions: accessionsIn(row, repoId) }));
  await holdUpdated(tx, repoId, wanted);
  const locked = new Map((await lockStored(tx, archivalObject, rows.map(idOf), repoId)).map((each) => [each.id, each]));
  const records = await readSheetViews(tx, repoId, [...locked.keys()]);
  const rowsOf = rows.flatMap((row) => {
    const views = records.get(idOf(row));
    const stored = locked.get(idOf(row));
    if (views === undefined || stored === undefined) {
      faults.push({ row: row.row, column: 'id', message: `Archival Object not found for id: ${idOf(row)}` });
      return [];
    }
    const { faults: cut, ...read } = viewedRow(row, views.whole, views.open);
    faults.push(...cut);
    return [{ ...read, stored }];
  });
  const updates = rowsOf.map(({ row }) => row);
  const resources = new Set(rowsOf.map(({ stored }) => stored.rootId));
  if (resources.size > 1) {
    // Whose containers the cells name is not known then.
    faults.push({ row: null, column: null, message: 'Archival Objects must all belong to the same resource.' });
    tellFaults(faults, context);
  }
  for (const { row, sheet } of rowsOf) {
    const version = row.cells.get('lock_version') ?? '';
    if (version !== String(sheet.record['lock_version']))
      faults.push({
        row: row.row,
        column: 'lock_version',
        message: `Versions are out of sync: ${version} record is now: ${String(sheet.record['lock_version'])}`,
      });
  }
  const containers = await readContainersOf(tx, repoId, [...resources][0] ?? 0);
  const made = await makeContainers(updates, containers, work);
  const described = rowsOf.flatMap(({ row, facts }) => describedObjects(row, facts));
  const objects = await readDigitalObjects(
    tx,
    repoId,
    described.map(({ id }) => id),
  );
  const written = await writeObjects(described, objects, work);
  const named = updates.flatMap((row) => accessionsIn(row, repoId));
  const accessions = await readAccessions(tx, repoId, named);
  // Put in order once, where a row is faulty: thousands may be.
  let containerNames: readonly string[] | undefined;
  const lookups = {
    containerUri: (type: string | null, indicator: string | null, barcode: string | null) =>
      containers.get(containerKey(type, indicator, barcode)),
    containerNames: () => (containerNames ??= [...containers.keys()].map(containerName).toSorted()),
    digitalObjectUri: (id: string) => objects.get(id),
    accessionUri: (parts: readonly (string | null)[]) => accessions.get(accessionKey(parts, repoId)),
  };
  const changed = rowsOf.flatMap(({ row, sheet, stored, facts, keepsHidden }) => {
    const applied = applyRow(sheet.record, facts, row, lookups);
    if (!applied.isChanged) return [];
    for (const { column, message } of applied.problems) faults.push({ row: row.row, column, message });
    const prepared =
      applied.problems.length > 0 ? null : checked(archivalObject, applied.record, row.row, null, 'update', work);
    // What is hidden is put back by a single save.
    const isText = applied.isText && !keepsHidden;
    const version = sheet.record['lock_version'];
    return prepared === null ? [] : [{ id: sheet.id, row, stored, prepared, keepsHidden, isText, version }];
  });
  tellFaults(faults, context);
  const texts = changed
    .filter(({ isText }) => isText)
    .map(({ id, stored, prepared }) => {
      const old: JsonObject = JSON.parse(stored.body);
      // The names that the service gave are no part of what clients send.
      return {
        id,
        old,
        body: { ...prepared.body, ...(old['ark_name'] === undefined ? {} : { ark_name: old['ark_name'] }) },
      };
    });
  const signed = { actor, repoId, generatedValues: context.generatedValues };
  await reviseMany(tx, archivalObject, texts, signed);
  // Links and flags go the way of a single save, one after the other: they are few, and each may hold others' records.
  for (const { id, prepared, isText, version, keepsHidden } of changed)
    if (!isText) await updateRecord(tx, archivalObject, id, prepared, version, { ...signed, keepsHidden });
  await context.changedRecords(tx, [...written, ...changed.map(({ id }) => uriOf(archivalObject, id, repoId))]);
  for (const { id } of changed) context.log(`Updated: ${uriOf(archivalObject, id, repoId)}`);
  context.log(`Bulk update job successfully completed. ${changed.length} record(s) were updated.`);
  return { updated: changed.length, digital_objects: written.length, top_containers: made };
}

/** The record checked as a client's would be; null where it is faulty, which is noted by column; without one, by the part of the sheet that shows it. */
function checked(
  kind: Kind,
  record: JsonObject,
  row: number,
  column: string | null,
  operation: 'create' | 'update',
  { enumerations, context, faults }: Work,
): Prepared | null {
  try {
    return prepare(kind, record, {
      operation,
      enumerations,
      generatedValues: context.generatedValues,
      parseUri,
      acceptTemporary: false,
      createEnumerationValues: false,
    });
  } catch (error) {
    if (!(error instanceof Failure) || !isObject(error.error)) throw error;
    for (const [path, messages] of Object.entries(error.error))
      faults.push({
        row,
        column: column ?? shownPart(record, path),
        message: `${path}: ${Array.isArray(messages) ? messages.join('; ') : String(messages)}`,
      });
    return null;
  }
}

/** Makes the containers that rows name and the resource does not have, each once; gives how many. */
async function makeContainers(rows: readonly UpdateRow[], known: Map<string, string>, work: Work): Promise<number> {
  if (!work.makesContainers) return 0;
  const missing = new Map<string, { readonly body: JsonObject; readonly row: number; readonly column: string }>();
  const found = work.faults.length;
  for (const { row, cells } of rows) {
    for (const path of cells.keys()) {
      const part = /^(instances\/\d+)\/top_container_indicator$/.exec(path)?.[1];
      const [type, indicator, barcode] = ['type', 'indicator', 'barcode'].map(
        (field) => cells.get(`${part}/top_container_${field}`) ?? null,
      );
      const key = containerKey(type ?? null, indicator ?? null, barcode ?? null);
      if (part === undefined || indicator === null || known.has(key)) continue;
      missing.set(key, {
        body: { indicator, ...(type === null ? {} : { type }), ...(barcode === null ? {} : { barcode }) },
        row,
        column: part,
      });
    }
  }
  const prepared = [...missing.values()].flatMap(
    ({ body, row, column }) => checked(topContainer, body, row, column, 'create', work) ?? [],
  );
  const barcodes = [...missing.values()].flatMap(({ body }) => textOf(body, 'barcode') ?? []);
  const taken = new Set((await readBarcoded(work.tx, work.repoId, barcodes)).map(({ barcode }) => barcode));
  for (const { body, row, column } of missing.values()) {
    const barcode = textOf(body, 'barcode');
    if (barcode !== undefined && taken.has(barcode))
      work.faults.push({ row, column, message: `The barcode ${barcode} is that of another top container` });
    // The next one of the sheet with this barcode is another container, too.
    if (barcode !== undefined) taken.add(barcode);
  }
  if (work.faults.length > found) tellFaults(work.faults, work.context);
  const uris = await createMany(work.tx, topContainer, prepared, {
    actor: work.actor,
    repoId: work.repoId,
    generatedValues: work.context.generatedValues,
  });
  for (const [index, key] of [...missing.keys()].entries()) known.set(key, uris[index] ?? '');
  await work.context.createdRecords(work.tx, uris);
  return uris.length;
}

/** Makes or changes the digital objects that rows describe; gives their uris. `known` gets those that were made. */
async function writeObjects(
  described: readonly DescribedObject[],
  known: Map<string, string>,
  work: Work,
): Promise<readonly string[]> {
  const { tx, repoId, actor, context } = work;
  const written: string[] = [];
  const signed = { actor, repoId, generatedValues: context.generatedValues };
  const isTold = ({ cells }: DescribedObject): boolean => [...cells.values()].some((cell) => cell !== null);
  const stored = described.filter(isTold).flatMap(({ id }) => parseUri(known.get(id) ?? '') ?? []);
  // Before they are read: nobody saves one of them between that and its change.
  await holdKeys(tx, stored, 'writes');
  // One after the other: a later row may describe an object that an earlier one made.
  for (const each of described) {
    const uri = known.get(each.id);
    const id = parseUri(uri ?? '')?.id;
    if (id === undefined) {
      const prepared = checked(digitalObject, objectFrom(each, null), each.row, each.column, 'create', work);
      if (prepared === null) continue;
      const made = await createRecord(tx, digitalObject, prepared, signed);
      known.set(each.id, made.uri);
      written.push(made.uri);
    } else if (isTold(each)) {
      const old: JsonObject = JSON.parse((await readRecord(tx, digitalObject, id, repoId, seesAll)).text);
      const next = objectFrom(each, old);
      if (JSON.stringify(next) === JSON.stringify(old)) continue;
      const prepared = checked(digitalObject, next, each.row, each.column, 'update', work);
      if (prepared !== null)
        written.push((await updateRecord(tx, digitalObject, id, prepared, old['lock_version'], signed)).uri);
    }
  }
  return written;
}
