// Handler of loading archival objects or digital objects from a spreadsheet (contract trees-and-jobs 6.7): every fault of every row is told, with
// sheet, row and column, in the log and in the report, and then nothing is written. What is written goes through the batch import.
import { randomUUID } from 'node:crypto';
import { parseUri } from '#domain/addresses.ts';
import { Failure, fail } from '#domain/errors.ts';
import { loadSheet } from '#domain/jobs/load-sheet.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isOnlyValidated } from '#domain/job-parameters.ts';
import { isObject, textOf } from '#domain/json.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { recordFaults } from '#domain/spreadsheets/record-faults.ts';
import type { SheetFault } from '#domain/spreadsheets/rows.ts';
import { columnOf } from '#domain/spreadsheets/load/draft.ts';
import { idOf, wantedByLoad } from '#domain/spreadsheets/load/facts.ts';
import { unknownColumns } from '#domain/spreadsheets/load/known-columns.ts';
import type { LoadPlan, LoadTarget, LoadType, PlannedRow } from '#domain/spreadsheets/load/plan.ts';
import { faultyRows, loadedRows, loadReport } from '#domain/spreadsheets/load/report.ts';
import type { ReportRow } from '#domain/spreadsheets/load/report.ts';
import { storeBlob } from '#store/files/blobs.ts';
import { renewStatistics } from '#store/maintenance/statistics.ts';
import type { Transaction } from '#store/connection/database.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { publishDefaultOf } from '#store/settings/preferences.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { holdRepository } from '#store/records/writing/home.ts';
import { lockStored } from '#store/records/writing/revise.ts';
import { readRefIds } from '#store/spreadsheets/collection.ts';
import { readLoadFacts } from '#store/spreadsheets/load-facts.ts';
import { addInstances } from '../job-steps/add-instances.ts';
import type { BatchOutcome } from '../batch-import/import.ts';
import { importBatch, shareLists } from '../batch-import/import.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { failureWords } from '../running/failure-words.ts';
import { readLabels } from '../formats/labels.ts';
import { dryRun } from '../job-steps/dry-run.ts';
import { readSheetFile, resourceIdOf, tellSheetFaults, tellUnknownColumns } from '../job-steps/spreadsheet-file.ts';

const options = { statementTimeoutMs: 3_600_000 };

type Work = {
  readonly loadType: LoadType;
  readonly repoId: number;
  readonly actor: string | null;
  readonly resourceId: number;
  readonly aoid: number | null;
  readonly contentType: string;
  readonly onlyValidates: boolean;
};

/** The sheet cannot be loaded: its faults, and the report of them. */
class Refused extends Error {
  readonly faults: readonly SheetFault[];
  readonly rows: readonly ReportRow[];
  readonly sheet: string | null;
  constructor(sheet: string | null, faults: readonly SheetFault[], planned: readonly PlannedRow[], cause?: unknown) {
    super('the sheet is refused', { cause });
    this.sheet = sheet;
    this.faults = faults;
    this.rows = faultyRows(planned, faults);
  }
}

/** Loads the sheet; the value tells how many rows it has and how many records of which kinds were made. */
export const handler = defineHandler(loadSheet, async ({ repoId, actor, job, params }, context) => {
  const loadType = textOf(job, 'load_type') ?? '';
  if (loadType !== 'ao' && loadType !== 'digital')
    throw fail('bad_parameter', { load_type: ['Must be ao or digital'] });
  const work: Work = {
    loadType,
    repoId,
    actor,
    resourceId: resourceIdOf(params, job, repoId),
    aoid: aoidOf(params),
    contentType: textOf(job, 'content_type') ?? '',
    onlyValidates: isOnlyValidated(job),
  };
  try {
    return await load(work, context);
  } catch (error) {
    if (error instanceof Refused) {
      await keepReport(error.rows, context);
      tellSheetFaults(error.faults, error.sheet, context);
    } else if (error instanceof Failure && error.code === 'import_failed' && !context.signal.aborted) {
      await keepReport(
        [{ row: null, status: 'Error', title: '', uri: '', refId: '', messages: failureWords(error.error) }],
        context,
      );
    }
    throw error;
  }
});

/** The archival object beside which the rows go (`aoid` of `job_params`); null where they go directly under the resource. */
function aoidOf(params: JsonObject): number | null {
  const given = params['aoid'] ?? '';
  if (given === '') return null;
  const id = idOf(String(given));
  if (id === null) throw fail('bad_parameter', { aoid: ['Must be the id of an archival object'] });
  return id;
}

async function load(work: Work, context: JobContext): Promise<Json> {
  const { database } = context;
  const plan = await planOf(work, context);
  const store = (tx: Transaction, beforeTrees?: (stored: Stored) => Promise<void>): Promise<Stored> =>
    storePlan(tx, plan, work, context, beforeTrees);
  if (work.onlyValidates) {
    const { created } = await dryRun(context, (tx) => store(tx), options);
    context.log(`Only validated: ${plan.rows.length} row(s) can be loaded; nothing is stored.`);
    return context.transaction(async (tx) => {
      const value = { rows: plan.rows.length, created, only_validate: true };
      await addReport(tx, loadedRows(plan, 'Valid', new Map(), new Map()), context);
      await context.complete(tx, value);
      return value;
    });
  }
  const valueOf = ({ created }: Stored) => ({ rows: plan.rows.length, created });
  const tell = async (tx: Transaction, stored: Stored): Promise<void> => {
    const { uris, changed } = stored;
    const made = plan.records.flatMap(({ record }) => uris.created.get(textOf(record, 'uri') ?? '') ?? []);
    const ids = plan.rows.flatMap(({ uri }) => parseUri(uris.created.get(uri) ?? '')?.id ?? []);
    await context.createdRecords(tx, made);
    await context.changedRecords(tx, changed);
    for (const uri of made) context.log(`Created: ${uri}`);
    for (const uri of changed) context.log(`Changed: ${uri}`);
    const refIds = work.loadType === 'ao' ? await readRefIds(tx, ids) : new Map<number, string>();
    await addReport(
      tx,
      loadedRows(
        plan,
        work.loadType === 'ao' ? 'Created' : 'Updated',
        new Map([...uris.created, ...uris.reused]),
        refIds,
      ),
      context,
    );
    await context.completeAhead(tx, valueOf(stored));
  };
  const stored = await context.transaction((tx) => store(tx, (written) => tell(tx, written)), options);
  await renewStatistics(database, stored.total);
  return valueOf(stored);
}

/** Reads and plans the sheet; throws Refused where it has faults. */
async function planOf(
  { loadType, repoId, actor, resourceId, aoid, contentType }: Work,
  context: JobContext,
): Promise<LoadPlan> {
  const { database, threads, signal } = context;
  const { reader } = database;
  const sheet = await readSheetFile(contentType, context);
  tellUnknownColumns(unknownColumns(loadType, sheet.codes), context);
  if (sheet.faults.length > 0) throw new Refused(sheet.name, sheet.faults, []);
  const found: JsonObject = JSON.parse(
    (await readRecord(reader, resource, resourceId, repoId, { seesSuppressed: false })).text,
  );
  const target: LoadTarget = {
    repoId,
    resource: { uri: textOf(found, 'uri') ?? '', eadId: textOf(found, 'ead_id') ?? null },
    aoid,
    importId: randomUUID(),
  };
  context.progress({ label: 'Checking rows', done: 0, total: sheet.rows.length });
  const facts = await readLoadFacts(reader, repoId, resourceId, wantedByLoad(sheet.rows, repoId, aoid));
  const plan = await threads.run(
    'planSheetLoad',
    {
      loadType,
      sheet,
      facts,
      target,
      lists: await shareLists(reader),
      labels: readLabels(),
      publishDefault: await publishDefaultOf(reader, actor, repoId),
    },
    { signal },
  );
  if (plan.faults.length > 0) throw new Refused(plan.sheet, plan.faults, plan.rows);
  context.progress({ label: 'Checking rows', done: sheet.rows.length, total: sheet.rows.length });
  return plan;
}

/** What was stored: real uris by temporary ones, of new records and of those that were there; the archival objects that changed. */
type Stored = {
  readonly total: number;
  readonly created: { readonly [kind: string]: number };
  readonly uris: { readonly created: ReadonlyMap<string, string>; readonly reused: ReadonlyMap<string, string> };
  readonly changed: readonly string[];
};

/** Writes the plan, in one transaction; `beforeTrees` as that of importBatch. What only the database can refuse, such as an identifier that came into use meanwhile, is a fault of its row. */
async function storePlan(
  tx: Transaction,
  plan: LoadPlan,
  { repoId, actor }: Work,
  context: JobContext,
  beforeTrees: (stored: Stored) => Promise<void> = async () => undefined,
): Promise<Stored> {
  // Who deletes the repository has it before all that is in it.
  await holdRepository(tx, repoId);
  // As single writes do: who changes is held before what it will link to.
  if (plan.attachments.length > 0)
    await lockStored(tx, archivalObject, [...new Set(plan.attachments.map(({ componentId }) => componentId))], repoId);
  const text = Buffer.from(JSON.stringify(plan.records.map(({ record }) => record)));
  const uris = { created: new Map<string, string>(), reused: new Map<string, string>() };
  const linkRows = async (): Promise<readonly string[]> => {
    if (plan.attachments.length === 0) return [];
    const wanted = plan.attachments.map(({ row, componentId, uri }) => {
      const real = uris.created.get(uri) ?? '';
      return {
        row,
        componentId,
        uri: real,
        instance: { instance_type: 'digital_object', digital_object: { ref: real } },
      };
    });
    const enumerations = await EnumerationCache.load(tx);
    const about = { repoId, actor, generatedValues: context.generatedValues, enumerations };
    return (await addInstances(tx, wanted, about)).uris;
  };
  let changed: readonly string[] = [];
  const storedOf = ({ total, created }: BatchOutcome): Stored => ({ total, created, uris, changed });
  const outcome = await importBatch(
    tx,
    {
      source: async function* () {
        yield text;
      },
      sizeBytes: text.length,
      repoId,
      actor,
      migration: true,
      onSaved: async (_tx, ...pieces) => {
        for (const [index, saved] of [uris.created, uris.reused].entries())
          for (const [temporary, uri] of savedUris(pieces[index] ?? '')) saved.set(temporary, uri);
      },
    },
    context,
    async (written) => {
      changed = await linkRows();
      await beforeTrees(storedOf(written));
    },
  ).catch((error: unknown) => {
    throw refusalOf(error, plan);
  });
  return storedOf(outcome);
}

/** Written by batch-import/rows.ts: "temporary": ["uri", id], … */
function savedUris(piece: string): readonly (readonly [string, string])[] {
  const saved = JSON.parse(`{${piece}}`) as { readonly [temporary: string]: readonly [string, number] };
  return Object.entries(saved).map(([temporary, [uri]]) => [temporary, uri]);
}

/** The failure of a record as the fault of its row; other errors stay. */
function refusalOf(error: unknown, plan: LoadPlan): unknown {
  if (!(error instanceof Failure) || error.code !== 'import_failed' || !isObject(error.error)) return error;
  const record = plan.records[Number(error.error['record_number']) - 1];
  if (record === undefined) return error;
  const faults = recordFaults(fail('import_failed', error.error['errors'] ?? error.message), record.row, (path) =>
    columnOf(record.columns, path),
  );
  return new Refused(plan.sheet, faults, plan.rows, error);
}

/** Keeps the report of a sheet that is refused. A run that was cut off after it has left one already. */
async function keepReport(rows: readonly ReportRow[], context: JobContext): Promise<void> {
  if ((await context.files()).some(({ role }) => role === 'output')) return;
  await context.transaction(async (tx) => addReport(tx, rows, context));
}

async function addReport(tx: Transaction, rows: readonly ReportRow[], context: JobContext): Promise<void> {
  const text = [...loadReport(rows)].join('');
  await context.addOutputFile(
    tx,
    await storeBlob(tx, Buffer.from(text), { fileName: 'report.csv', mediaType: 'text/csv' }),
  );
}
