// Handler of loads (decision 0027): the stored upload goes into the service as it is, in one transaction, or nothing does.
import { Failure } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isObject, objectsOf } from '#domain/json.ts';
import { loadRecords } from '#domain/jobs/load-records.ts';
import { readUpload } from '#store/batch-import/read-upload.ts';
import { renewStatistics } from '#store/batch-import/statistics.ts';
import { readBlobDescription } from '#store/files/blobs.ts';
import { defineHandler } from '../handler.ts';
import { linesAsArray } from '../loading/lines.ts';
import type { LoadInput, LoadOutcome } from '../loading/load.ts';
import { loadRecords as load } from '../loading/load.ts';

// A million records take minutes; each single statement stays far below this.
const statementTimeoutMs = 3_600_000;

/** Loads the upload. The value tells how many records there were, and the users who need to be let in. */
export const handler = defineHandler(loadRecords, async ({ blobId, intoFilled, update, overwrite, mark }, context) => {
  const { database, caller, options, log } = context;
  const input: LoadInput = {
    source: () => linesAsArray(readUpload(database, blobId)),
    sizeBytes: (await readBlobDescription(database, blobId))?.sizeBytes ?? 0,
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
      if (!context.signal.aborted) for (const line of linesOf(error)) log(line);
      throw error;
    });
  await renewStatistics(database, value.records);
  return value;
});

/** The outcome for the log. */
const wordsOf = ({ records, settings, parts, unknown, invite }: LoadOutcome): readonly string[] => [
  `Loaded: ${records} records, ${settings} lists and settings.`,
  ...Object.entries(parts).map(([type, count]) => `Came with their records: ${count} ${type}.`),
  ...unknown.map((name) => `Left out, since there is none here: ${name}.`),
  ...invite.map((username) => `Has no password yet: ${username}`),
];

/** What stands in the way, a line for each. */
function linesOf(error: unknown): readonly string[] {
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
