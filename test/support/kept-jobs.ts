// What runs of jobs do, as a whole: what a run tells while it goes on and at its end, which records and files it names, and which rows it changes. Nothing of it stays.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Caller } from '#domain/access/caller.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { Failure } from '#domain/errors.ts';
import type { Naming } from '#domain/identifiers/naming.ts';
import type { Progress } from '#domain/job.ts';
import type { Json } from '#domain/json.ts';
import type { Transaction } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { readUpload } from '#store/batch-import/read-upload.ts';
import { writeBlob } from '#store/files/blobs.ts';
import type { ClaimedJob } from '#store/queue/claim.ts';
import type { JobContext, JobHandler } from '../../apps/worker/handler.ts';
import { makeContext } from '../../apps/worker/running/context.ts';
import { changedRows } from './changed-rows.ts';
import { expectKept, keptText } from './kept.ts';
import { testContext } from './make/prepare-context.ts';
import { sharedThreads } from './threads.ts';

/** A run. */
export type Run = {
  readonly handler: JobHandler;
  readonly payload: unknown;
  /** The files that the job was given. */
  readonly files?: readonly Buffer[];
  readonly naming?: Naming;
  /** What its owner may do in repository 2; absent: all that handlers ask for. */
  readonly may?: readonly string[];
};

/** Holds whatever is asked for. */
class Everything extends Set<string> {
  override has(): boolean {
    return true;
  }
}

const callerWith = (may: readonly string[] | undefined): Caller => ({
  userId: 1,
  username: 'jane',
  agentUri: null,
  grants: new Map(may === undefined ? [[globalRepoId, new Everything()]] : [[2, new Set(may)]]),
});

/** The context of a run whose writes are those of `tx`; what it tells goes into `told`. */
async function contextOf(database: Database, tx: Transaction, run: Run, told: Told): Promise<JobContext> {
  // A row that is claimed, as claimJob gives it: nobody looks for it, since all that would write to it is told here.
  const job = { id: 900, attempt: 1, repoId: 2, owner: 'jane', body: null } as unknown as ClaimedJob;
  const { context } = makeContext({
    job,
    caller: callerWith(run.may),
    database,
    threads: await sharedThreads(),
    signal: new AbortController().signal,
    naming: run.naming,
  });
  const files = await Promise.all(
    (run.files ?? []).map(async (bytes, index) => {
      const blob = await writeBlob(database, Readable.from([bytes]), { fileName: 'sheet', mediaType: 'text/csv' });
      return {
        ...blob,
        id: index + 1,
        blobId: blob.id,
        role: 'input' as const,
        fileName: 'sheet',
        mediaType: 'text/csv',
      };
    }),
  );
  const end = async (_: Transaction, value: Json): Promise<void> => void told.ended.push(value);
  return {
    ...context,
    generatedValues: { ...testContext().generatedValues, naming: context.generatedValues.naming },
    transaction: (work) => work(tx),
    complete: end,
    completeAhead: end,
    amend: end,
    progress: ({ label, done, total }: Progress) => void told.progress.push(`${label}: ${done} of ${total}`),
    log: (line) => void told.log.push(line),
    tellFailure: (lines) => void told.log.push(...lines),
    createdRecords: async (_, uris) => void told.created.push(...uris),
    changedRecords: async (_, uris) => void told.changed.push(...uris),
    files: async () => files,
    removeFiles: async () => void told.log.push('(the files are taken out)'),
    addOutputFile: async (_, blobId, viewer) => {
      const bytes = await text(Readable.from(readUpload(database, blobId)));
      told.files.push(`${viewer?.seesSuppressed === true ? 'for those who see all: ' : ''}${bytes}`);
      return told.files.length;
    },
  };
}

type Told = { readonly [part in 'progress' | 'log' | 'created' | 'changed' | 'files']: string[] } & {
  readonly ended: Json[];
};

async function outcomeOf(
  { database, beside }: { readonly database: Database; readonly beside: Database },
  run: Run,
): Promise<unknown> {
  const told: Told = { progress: [], log: [], created: [], changed: [], files: [], ended: [] };
  const rows = await changedRows(database, async (tx) =>
    run.handler.run(run.payload, await contextOf(beside, tx, run, told)),
  ).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return { refused: error.code, error: error.error, ...error.extra };
  });
  const parts = Object.entries(told).filter(([, all]) => all.length > 0);
  return { told: Object.fromEntries(parts), ...(rows as object) };
}

/** Compares what runs do, one by one, with what is kept by this name; each begins with what the database holds. */
export async function expectRuns(
  database: Database,
  runs: { readonly [name: string]: Run },
  name: string,
): Promise<void> {
  // What runs read, and the bytes of files, go past the transaction in which all is written: that of the database would not let them.
  await using beside = new Database({ ...database.settings, poolSize: 2 });
  const outcomes: { [name: string]: unknown } = {};
  for (const [what, run] of Object.entries(runs)) outcomes[what] = await outcomeOf({ database, beside }, run);
  await expectKept(keptText(outcomes, 4), `jobs/${name}.json`);
}
