// Handler of migrations (decision 0038): reads the source into a folder of the worker, where a run that was cut off goes on, and makes the load.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fail } from '#domain/errors.ts';
import type { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { loadRecords } from '#domain/jobs/load-records.ts';
import type { MigrateFromPayload } from '#domain/jobs/migrate-from.ts';
import { migrateFrom } from '#domain/jobs/migrate-from.ts';
import { folderOfSource, linesFile, readManifest } from '#migrate/folder.ts';
import { MigrationFailure, SourceDenied, SourceLost } from '#migrate/failures.ts';
import { linesToLoad } from '#migrate/loaded-lines.ts';
import type { ReadOutcome } from '#migrate/read-into.ts';
import { problemsFile } from '#migrate/read-into.ts';
import { readOrUpdate } from '#migrate/read-or-update.ts';
import { forgetSending, noteLoaded, noteSending, sendingOf } from '#migrate/sent-folder.ts';
import type { Source } from '#migrate/source.ts';
import { openSource } from '#migrate/source.ts';
import type { Reader, Transaction } from '#store/connection/database.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { findMarkedLoad, loadOfMark } from '#store/loading/marks.ts';
import { readSourceSession } from '#store/loading/migrations.ts';
import { jobUri } from '#store/queue/client-jobs.ts';
import { traceHeaders } from '#store/observing/tracing.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { Ending } from '../running/run.ts';

// What a folder calls the service that it is loaded into: the one whose workers have it.
const here = 'this service';

/** Reads the source. The value tells how many records the folder has, how many of them were read now, what could not be, and the load's address (null: nothing has changed). */
export const handler = defineHandler(migrateFrom, async (payload, context) => {
  const { database, log, signal, options } = context;
  const { migrations } = options;
  if (migrations?.sources.includes(new URL(payload.source).origin) !== true)
    throw fail('not_allowed', { source: ['Is none of MUNIMENT_MIGRATION_SOURCES'] });
  const session = await readSourceSession(database.reader, context.jobId);
  if (session === null) throw fail('conflict', { source: ['The session at the source is gone'] });
  const name = folderOfSource(payload.source);
  const folder = join(migrations.folder, name);
  await settleFolder(database.reader, folder);
  const politeness = { atOnce: payload.requestsAtOnce, aSecond: payload.requestsASecond };
  let source: Source | undefined;
  try {
    const login = { url: payload.source, user: '', password: undefined, session, headers: traceHeaders };
    source = await openSource(login, politeness, signal);
    log(`Reading ${source.url}, ${source.version} (shapes of ${source.release}).`);
    const outcome = await readOrUpdate(source, folder, true, {
      withJobs: payload.withJobs,
      onProgress: (file, done, total) => context.progress({ label: `Reading ${wordsOf(file)}`, done, total }),
    });
    for (const line of linesOf(outcome)) log(line);
    const value = await makeLoad(payload, { name, folder, outcome }, context);
    await source.logOut();
    return value;
  } catch (error) {
    const failure = error instanceof MigrationFailure ? failureOf(error) : error;
    // Whoever goes on with this job needs the session; nobody does of one that was canceled, or has failed for good.
    const isOver =
      signal.reason instanceof Ending ? signal.reason.why === 'canceled' : error instanceof MigrationFailure;
    if (isOver && !(error instanceof SourceLost)) await source?.logOut();
    throw failure;
  }
});

const wordsOf = (file: string): string => file.replaceAll('_', ' ');

/** Finds out what became of the load of an earlier migration: the folder is not to change while it is read. */
async function settleFolder(reader: Reader, folder: string): Promise<void> {
  const sending = await sendingOf(folder);
  if (sending === undefined) return;
  const load = await findMarkedLoad(reader, sending.mark);
  if (load?.status === 'queued' || load?.status === 'running')
    throw fail('conflict', { source: [`What was read of it is being loaded: ${jobUri(null, load.jobId ?? 0)}`] });
  // By its mark: of a service that was restored or replaced meanwhile, nothing is known to be loaded.
  if (load?.status === 'completed') await noteLoaded(folder, sending.mark);
  else await forgetSending(folder);
}

type Read = { readonly name: string; readonly folder: string; readonly outcome: ReadOutcome };

/** Ends the job with the load made, in one transaction. */
async function makeLoad(
  { intoFilled, overwrite }: MigrateFromPayload,
  { name, folder, outcome }: Read,
  context: JobContext,
): Promise<JsonObject> {
  const { database } = context;
  const loaded = (await readManifest(folder))?.loaded;
  const update = loaded !== undefined && (await findMarkedLoad(database.reader, loaded))?.status === 'completed';
  const { files } = await linesToLoad(folder, update);
  const mark = files === 0 ? null : await noteSending(folder, here, update);
  const report = outcome.problems === 0 ? null : await keepProblems(folder, context);
  return context.transaction(async (tx) => {
    const load = mark === null ? null : await loadOfMark(tx, mark, () => enqueueLoad(tx, mark));
    if (report !== null) await context.addOutputFile(tx, report);
    const { manifest, readNow, problems } = outcome;
    const records = Object.values(manifest.files).reduce((sum, each) => sum + each.records, 0);
    const value = { records, read_now: readNow, problems, load: load === null ? null : jobUri(null, load) };
    context.log(load === null ? 'Nothing has changed since it was loaded.' : `It is loaded by ${jobUri(null, load)}.`);
    await context.complete(tx, value);
    return value;
  });

  async function enqueueLoad(tx: Transaction, of: string): Promise<number> {
    const payload = { folder: name, intoFilled, update, overwrite, mark: of, readBy: context.jobId };
    return (await enqueueJob(tx, loadRecords, payload, { visible: true, owner: context.caller.username })).jobId;
  }
}

async function keepProblems(folder: string, { database }: JobContext): Promise<string> {
  const blob = await writeBlob(database, createReadStream(linesFile(folder, problemsFile)), {
    fileName: `${problemsFile}.ndjson`,
    mediaType: 'application/x-ndjson',
  });
  return blob.id;
}

const linesOf = ({ manifest, readNow, problems }: ReadOutcome): readonly string[] => [
  ...Object.entries(manifest.files)
    .filter(([, { records }]) => records > 0)
    .map(([file, { records }]) => `${wordsOf(file)}: ${records}`),
  `Read now: ${readNow} records.`,
  ...(problems === 0
    ? []
    : [`Could not be read: ${problems}; ${problemsFile}.ndjson among the files of this job says why.`]),
];

/** What a failed reading is for the job: a source that is away is tried again, the rest wants somebody. */
function failureOf(error: MigrationFailure): Failure {
  if (error instanceof SourceLost) return fail('unavailable', error.message, {}, error);
  const next =
    error instanceof SourceDenied
      ? ' Start the migration again with a new login: it goes on where this one stopped.'
      : '';
  return fail('conflict', { source: [`${error.message}${next}`] }, {}, error);
}
