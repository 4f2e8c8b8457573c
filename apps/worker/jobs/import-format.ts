// Handler of import jobs (contract trees-and-jobs 3.7): each file is converted in a thread into records, which are stored as one
// upload; that goes through the batch import, in one transaction for all files. A fault in any file leaves nothing.
import { randomUUID } from 'node:crypto';
import { readingPhase, readingPhaseOf } from '#domain/batch-import/phases.ts';
import { isFault } from '#domain/batch-import/faults.ts';
import type { SharedUriTable } from '#domain/batch-import/uri-table.ts';
import { isSameTable } from '#domain/batch-import/uri-table.ts';
import type { NewEnumerationValue } from '#domain/checking/context.ts';
import { sheetFailure } from '#domain/formats/csv/faults.ts';
import type { ImportReport, SheetFault } from '#domain/formats/reading/report.ts';
import { importFormats } from '#domain/formats/import-types.ts';
import { importFormat } from '#domain/jobs/import-format.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isOnlyValidated } from '#domain/job-parameters.ts';
import { isObject, textOf, textsOf } from '#domain/json.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { readAssessmentLookups } from '#store/batch-import/assessment-lookups.ts';
import { readLookups } from '#store/batch-import/lookups.ts';
import type { Database, Transaction } from '#store/connection/database.ts';
import { deleteUpload, readUpload } from '#store/batch-import/read-upload.ts';
import { renewStatistics } from '#store/maintenance/statistics.ts';
import type { JobFile } from '#store/queue/files.ts';
import { openDiskSpace } from '#store/files/disk-space.ts';
import { furtherFaults, withAllFaults } from '../batch-import/find-faults.ts';
import type { BatchInput, BatchOutcome } from '../batch-import/import.ts';
import { importBatch, shareLists } from '../batch-import/import.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { convert } from '../formats/convert.ts';
import type { FilePlaces } from '../formats/file-places.ts';
import { filePlaces } from '../formats/file-places.ts';
import { errorLines, fileHeading, phaseLog, reportLines } from '../formats/import-log.ts';
import { readLabels } from '../formats/labels.ts';
import { dryRun } from '../job-steps/dry-run.ts';
import { isEndOfJob } from '../running/run.ts';
import type { ConvertAbout } from '../threads/format-tasks.ts';

// A million records take minutes; each single statement stays far below this.
const statementTimeoutMs = 3_600_000;

type Work = {
  readonly importType: string;
  readonly repoId: number;
  readonly actor: string | null;
  readonly job: { readonly [name: string]: Json | undefined };
  readonly places: FilePlaces;
  /** What of sheets could not be read. */
  readonly faults: (SheetFault & { readonly file: string })[];
  /** What of the files came to nothing, and how many records came of all. */
  readonly gave: { records: number; emptyBecause: string | null };
  /** What the files were read with. */
  readonly found: { lookups: SharedUriTable | null };
};

/** Imports the files of the job. The value tells how many records of which kinds were written. */
export const handler = defineHandler(importFormat, async ({ repoId, actor, job }, context) => {
  const places = filePlaces();
  try {
    return await run(
      {
        importType: textOf(job, 'import_type') ?? '',
        repoId,
        actor,
        job,
        places,
        faults: [],
        gave: { records: 0, emptyBecause: null },
        found: { lookups: null },
      },
      context,
    );
  } catch (error) {
    if (isEndOfJob(error, context, importFormat)) context.tellFailure(errorLines(error, places.placeOf));
    throw error;
  }
});

async function run(work: Work, context: JobContext): Promise<Json> {
  const { database } = context;
  const files = (await context.files()).filter((file) => file.role === 'input');
  if (!importFormats.has(work.importType))
    throw fail('import_failed', `No suitable converter found for ${work.importType}`);
  // Contract 3.7: a job without files completes with nothing done.
  if (files.length === 0) return { total: 0, reused: 0, created: {} };
  const phases = phaseLog(context.log);
  const progress: JobContext['progress'] = (step) => {
    phases.step(step);
    context.progress(step);
  };
  // The log has the words that scripts know, the progress says what is read.
  phases.step({ label: readingPhase, done: 0, total: bytesOf(files) });
  const upload = await writeBlob(database, converted(work, files, context), {
    fileName: 'records.json',
    mediaType: 'application/json',
    diskSpace: await openDiskSpace(database.reader, context.options.diskReserveBytes),
  });
  try {
    const onlyValidates = isOnlyValidated(work.job);
    const input: BatchInput = {
      source: () => readUpload(database, upload.id),
      sizeBytes: upload.sizeBytes,
      repoId: work.repoId,
      actor: work.actor,
      migration: false,
    };
    if (work.gave.records === 0 && work.gave.emptyBecause !== null)
      throw fail('import_failed', `Nothing was made of what was sent: ${work.gave.emptyBecause}`);
    // The rows that could be read are checked as well, so that all is told at once.
    if (work.faults.length > 0)
      throw sheetFailure(work.faults, await furtherFaults(input, context, statementTimeoutMs));
    const store = (tx: Transaction, beforeTrees?: (outcome: BatchOutcome) => Promise<void>): Promise<BatchOutcome> =>
      importBatch(
        tx,
        onlyValidates
          ? input
          : {
              ...input,
              onSaved: async (on, created, reused) => listSaved(on, created, reused, context),
              onNewValues: (values) => tellNewValues(values, context),
            },
        { ...context, progress },
        async (outcome) => {
          phases.end();
          await beforeTrees?.(outcome);
        },
      );
    const withFaults = async (error: unknown): Promise<never> => {
      // Where others go on with it, the last try tells what is wrong.
      if (context.attempt < importFormat.attempts && (await isOutdated(error, work, database)))
        throw fail(
          'unavailable',
          'Somebody made or deleted a container of the files meanwhile; trying again',
          {},
          error,
        );
      throw await withAllFaults(error, input, context, statementTimeoutMs);
    };
    if (onlyValidates) {
      const value = await dryRun(context, store, { statementTimeoutMs }).catch(withFaults);
      context.log('Only validated: the files can be imported; nothing is stored.');
      return { ...value, only_validate: true };
    }
    const written = await context
      .transaction((tx) => store(tx, (value) => context.completeAhead(tx, value)), { statementTimeoutMs })
      .catch(withFaults);
    await renewStatistics(database, written.total);
    return written;
  } finally {
    // Where this fails, too, the upload expires within a day: no job names it.
    await deleteUpload(database, upload.id).catch(() => undefined);
  }
}

const lookUp = async ({ importType, repoId }: Work, { reader }: Database): Promise<SharedUriTable> =>
  readLookups(reader, repoId, { subjects: importFormats.get(importType)?.readsSubjects === true });

/**
 * Whether a fault is that others made what the files were not found to name, or deleted what they were (behaviour-imports.md 1: races are tried
 * again). A new run reads the files anew.
 */
async function isOutdated(error: unknown, work: Work, database: Database): Promise<boolean> {
  const fault = isFault(error) && isObject(error.error) ? error.error : null;
  const isOfOthers =
    fault?.['error_class'] === 'unknown_reference' ||
    (fault?.['error_class'] === 'not_unique' && isObject(fault['errors']) && 'barcode' in fault['errors']);
  const before = work.found.lookups;
  return isOfOthers && before !== null && !isSameTable(before, await lookUp(work, database));
}

/** Contract trees-and-jobs 3.7: R-B wants '1'. R-A knows of events alone, has them with any value, and reads subjects always. */
function switchesOf(job: Work['job'], isRA: boolean): ConvertAbout['switches'] {
  const isOn = (name: string): boolean => job[name] === '1';
  return {
    events: isRA ? ![undefined, null, ''].includes(textOf(job, 'import_events')) : isOn('import_events'),
    subjects: isRA || isOn('import_subjects'),
    repository: isOn('import_repository'),
  };
}

const bytesOf = (files: readonly JobFile[]): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** The records of all files as one JSON array, file by file. */
async function* converted(work: Work, files: readonly JobFile[], context: JobContext): AsyncGenerator<Uint8Array> {
  const { database, threads, signal } = context;
  const names = textsOf(work.job, 'filenames');
  const about: Omit<ConvertAbout, 'importId'> = {
    importType: work.importType,
    repoId: work.repoId,
    eadAgents: context.options.eadAgents,
    today: new Date().toISOString().slice(0, 10),
    switches: switchesOf(work.job, context.options.release === 'R-A'),
    lists: await shareLists(database.reader),
    labels: readLabels(),
    lookups: await lookUp(work, database),
    ...(importFormats.get(work.importType)?.readsAssessments === true
      ? { assessments: await readAssessmentLookups(database.reader, work.repoId) }
      : {}),
  };
  work.found.lookups = about.lookups;
  const total = bytesOf(files);
  const label = readingPhaseOf(importFormats.get(work.importType)?.description ?? readingPhase);
  let done = 0;
  context.progress({ label, done, total });
  yield Buffer.from('[');
  let isFirst = true;
  for (const [index, file] of files.entries()) {
    const name = names[index] ?? file.fileName ?? `file ${index + 1}`;
    for (const line of fileHeading(name, work.importType)) context.log(line);
    // Of one file alone nobody needs to be told the name with each fault.
    work.places.begin(files.length > 1 ? name : null);
    const bytes = counted(readUpload(database, file.blobId), (count) => {
      done += count;
      context.progress({ label, done, total });
    });
    const importId = randomUUID();
    const report = yield* joined(convert(threads, bytes, { ...about, importId }, signal), () => {
      const separator = isFirst ? '' : ',';
      isFirst = false;
      return separator;
    });
    const records = Object.values(report.records).reduce((sum, count) => sum + count, 0);
    // Rows of sheets that have faults are counted as read, and gave no record.
    work.places.end(report.lines?.length ?? records, report.lines);
    work.gave.records += records;
    work.gave.emptyBecause ??= report.emptyBecause ?? null;
    work.faults.push(...(report.faults ?? []).map((fault) => ({ ...fault, file: name })));
    for (const line of reportLines(report)) context.log(line);
    // By this the lines `Created:` tell of which file a record came.
    context.log(`Temporary uris: import_${importId}`);
  }
  yield Buffer.from(']');
}

/** The same bytes; `onBytes` hears of each piece. */
async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    yield piece;
    onBytes(piece.length);
  }
}

/** The pieces with what goes before each; the report at the end. */
async function* joined(
  pieces: AsyncGenerator<Uint8Array, ImportReport, void>,
  separator: () => string,
): AsyncGenerator<Uint8Array, ImportReport, void> {
  let isDone = false;
  try {
    for (;;) {
      const step = await pieces.next();
      if (step.done === true) {
        isDone = true;
        return step.value;
      }
      const before = separator();
      if (before !== '') yield Buffer.from(before);
      yield step.value;
    }
  } finally {
    // Whoever reads may stop in the middle; the thread must then be let go.
    if (!isDone) await pieces.return({ records: {}, dropped: [], droppedTotal: 0, droppedSorts: [] });
  }
}

/** Lists grow by what files say; who keeps them looks at what came. */
function tellNewValues(values: readonly NewEnumerationValue[], context: JobContext): void {
  context.log(`New values of controlled lists: ${values.length}`);
  for (const { list, value } of values) context.log(`\t${list}: ${value}`);
}

/** Written by rows.ts: "temporary": ["uri", id], … */
const savedEntries = (text: string): readonly (readonly [string, readonly [string, number]])[] =>
  Object.entries(JSON.parse(`{${text}}`) as { readonly [temporary: string]: readonly [string, number] });

async function listSaved(tx: Transaction, created: string, reused: string, context: JobContext): Promise<void> {
  const entries = savedEntries(created);
  // Nothing of these is stored: who reads the log looks at the record that stands for them.
  for (const [temporary, [uri]] of savedEntries(reused)) context.log(`Already there: ${temporary} is ${uri}`);
  for (const [temporary] of entries) context.log(`Created: ${temporary}`);
  await context.createdRecords(
    tx,
    entries.map(([, [uri]]) => uri),
  );
}
