// Handler of loads (decision 0027): the stored upload goes into the service as it is, in one transaction, or nothing does.
import { join } from 'node:path';
import { Failure, fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isObject, objectsOf } from '#domain/json.ts';
import type { LoadRecordsPayload } from '#domain/jobs/load-records.ts';
import { loadRecords } from '#domain/jobs/load-records.ts';
import { linesToLoad } from '#migrate/loaded-lines.ts';
import { WrongFolder } from '#migrate/failures.ts';
import { readUpload } from '#store/batch-import/read-upload.ts';
import { renewStatistics } from '#store/maintenance/statistics.ts';
import { readBlobDescription } from '#store/files/blobs.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { linesAsArray } from '../loading/lines.ts';
import type { LoadInput, LoadOutcome } from '../loading/load.ts';
import { loadRecords as load } from '../loading/load.ts';

// A million records take minutes; each single statement stays far below this.
const statementTimeoutMs = 3_600_000;

/** Loads the upload. The value tells how many records there were, and the users who need to be let in. */
export const handler = defineHandler(loadRecords, async (payload, context) => {
  const { intoFilled, update, overwrite, mark } = payload;
  const { database, caller, options, log } = context;
  const input: LoadInput = {
    ...(await linesOf(payload, context)),
    intoFilled,
    update: update === true,
    overwrite: overwrite === true,
    actor: caller.username,
    mark: mark ?? null,
    limit: options.importFaults,
  };
  const value = await context
    .transaction(
      async (tx) => {
        const { records, settings, parts, unknown, invite } = await load(tx, input, context);
        const told = { records, settings, parts, unknown: [...unknown], invite: [...invite] };
        for (const line of wordsOf(told)) log(line);
        await context.complete(tx, told);
        return told;
      },
      { statementTimeoutMs },
    )
    .catch((error: unknown) => {
      if (!context.signal.aborted) for (const line of faultLines(error)) log(line);
      throw error;
    });
  await renewStatistics(database, value.records);
  return value;
});

/** The lines: those of the upload, or of the folder that a migration has read. */
async function linesOf(
  { blobId, folder, update }: LoadRecordsPayload,
  { database, options }: JobContext,
): Promise<Pick<LoadInput, 'source' | 'sizeBytes'>> {
  if (blobId !== undefined)
    return {
      source: () => linesAsArray(readUpload(database, blobId)),
      sizeBytes: (await readBlobDescription(database, blobId))?.sizeBytes ?? 0,
    };
  if (folder === undefined || options.migrations === undefined) throw fail('internal', 'The load names no records');
  const found = await linesToLoad(join(options.migrations.folder, folder), update === true).catch((error: unknown) => {
    if (error instanceof WrongFolder)
      throw fail('conflict', {
        folder: [`${error.message} Workers on several machines need a MUNIMENT_MIGRATION_FOLDER that they share.`],
      });
    throw error;
  });
  return { source: () => linesAsArray(found.lines()), sizeBytes: found.bytes };
}

/** The outcome for the log. */
const wordsOf = ({ records, settings, parts, unknown, invite }: LoadOutcome): readonly string[] => [
  `Loaded: ${records} records, ${settings} lists and settings.`,
  ...Object.entries(parts).map(([type, count]) => `Came with their records: ${count} ${type}.`),
  ...unknown.map((name) => `Left out, since there is none here: ${name}.`),
  ...invite.map((username) => `Has no password yet: ${username}`),
];

/** What stands in the way, a line for each. */
function faultLines(error: unknown): readonly string[] {
  if (!(error instanceof Failure)) return [];
  const report = error.extra['report'];
  const faults = isObject(report) ? objectsOf(report, 'faults') : [];
  if (faults.length > 0)
    return faults.map(
      (fault: { readonly [name: string]: Json | undefined }) =>
        `Line ${String(fault['record_number'])}, ${String(fault['record_uri'] ?? fault['record_title'] ?? '')}: ${JSON.stringify(fault['errors'])}`,
    );
  return isObject(error.error)
    ? Object.values(error.error).flatMap((messages) => (Array.isArray(messages) ? messages.map(String) : []))
    : [];
}
