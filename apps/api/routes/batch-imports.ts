// POST /repositories/:repo_id/batch_imports: the upload is stored as it comes, a job imports it, and the reply streams its progress
// as one JSON array (contract trees-and-jobs 2.4). The status is 200 once the upload is in; faults of the data are inside the stream.
import { shape } from '../openapi/shape.ts';
import { accepted } from '../openapi/shapes/envelopes.ts';
import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Failure } from '#domain/errors.ts';
import { phases, readingPhase } from '#domain/batch-import/phases.ts';
import { batchImport } from '#domain/jobs/batch-import.ts';
import type { Progress } from '#domain/job.ts';
import type { Json } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import { readBlob, writeBlob } from '#store/files/blobs.ts';
import { openDiskSpace, spaceOfUpload } from '#store/files/disk-space.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { KeyedRequest } from '#store/access/idempotency.ts';
import { jobOfKey } from '#store/access/idempotency.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { keyReused, keyedRequest } from '../request/idempotency.ts';
import { rawBody } from '../request/body.ts';
import { boolean, repositoryId, text } from '../request/parameters.ts';
import { stream } from '../reply/reply.ts';
import { sendAway } from '../record-routes/jobs.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';
import type { Services } from '../services.ts';

/** The route of batch imports. */
export const batchImports: Route = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/batch_imports',
  operation: 'importBatch',
  area: 'batch imports',
  summary: 'Import a batch of records',
  doc: 'The body is one JSON array of records, each with a temporary uri that the others may refer to. All are stored, or none. The reply is a JSON array whose last element holds `saved` (temporary uri → [uri, id]) or `errors`; read it to the end. Where several records are bad, `errors` tells of the one at which the import stopped and `report` of all: `faults` with number, type, uri, title and messages by property, and whether that list is `complete`.',
  access: { all: ['import_records'] },
  parameters: {
    repo_id: repositoryId(),
    migration: text({ optional: true, doc: 'Given and not empty: siblings keep the order of the file.' }),
    skip_results: boolean({ optional: true, doc: 'True: the list of created uris is left out.' }),
  },
  idempotent: true,
  body: rawBody({
    doc: 'A JSON array of records.',
    mediaType: 'application/json',
    shape: shape.list(shape.anyObject),
    exampleFile: 'test/fixtures/openapi/batch.json',
  }),
  replies: {
    202: {
      says: '`Prefer: respond-async`: the address of the job, whose log tells of faults and whose last file is the object `saved`.',
      shape: accepted,
    },
    200: { says: 'A stream of progress lines; the last object tells the outcome.', contentType: 'text/plain' },
  },
  handler: async (call) => {
    const { database, config } = call.services;
    const diskSpace = await openDiskSpace(database.reader, config.MUNIMENT_DISK_RESERVE_MB * 1e6);
    await diskSpace.require(spaceOfUpload(Number(call.headers['content-length'] ?? 0)));
    const hashed = createHash('sha256');
    const blob = await writeBlob(database, hashing(call.body, hashed), {
      fileName: 'batch.json',
      mediaType: 'application/json',
      maxBytes: config.MUNIMENT_MAX_UPLOAD_BYTES,
      diskSpace,
    });
    const payload = {
      blobId: blob.id,
      repoId: call.params.repo_id,
      actor: call.caller.username,
      migration: (call.params.migration ?? '') !== '',
      skipResults: call.params.skip_results ?? false,
      ...(call.preferAsync ? { isDetached: true } : {}),
    };
    // Two bytes or fewer ('[]') are an empty batch (contract 2.1).
    const make = async (tx: Transaction): Promise<number> =>
      (
        await enqueueJob(tx, batchImport, payload, {
          repoId: call.params.repo_id,
          owner: call.caller.username,
          files: [{ blobId: blob.id, role: 'payload' }],
        })
      ).jobId;
    const keyed = keyedRequest(
      call.headers['idempotency-key'],
      call.caller,
      `/repositories/${call.params.repo_id}/batch_imports`,
      [hashed.digest('hex')],
    );
    // With a key there is one job, however often the batch is sent; whoever sends it again sees that job's progress and outcome.
    const jobId =
      blob.sizeBytes <= 2
        ? null
        : await database.transaction((tx) => (keyed === null ? make(tx) : oneJob(tx, keyed, () => make(tx))));
    if (call.preferAsync && jobId !== null) return sendAway(database, jobId, call.params.repo_id);
    return stream(
      Readable.from(progressStream(call.services, jobId, payload.skipResults, call.whenGone())),
      // As recorded, without a charset.
      'text/plain',
    );
  },
});

async function oneJob(tx: Transaction, keyed: KeyedRequest, make: () => Promise<number>): Promise<number> {
  const job = await jobOfKey(tx, keyed, make);
  if (job === 'other_body') throw keyReused();
  return job.jobId;
}

async function* hashing(source: Readable, hash: Hash): AsyncGenerator<Uint8Array> {
  // A request's stream gives bytes.
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    yield chunk;
  }
}

// A client that hears nothing for minutes gives the connection up; behind another import a job may wait that long.
const signOfLifeMs = 30_000;

/** The lines of the reply. */
async function* progressStream(
  services: Services,
  jobId: number | null,
  skipResults: boolean,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const shown = phaseLines();
  yield '[\n';
  yield* shown.step(readingPhase);
  if (jobId === null) {
    // An empty batch goes through the phases of any other.
    for (const label of Object.values(phases)) yield* shown.step(label);
    yield `${shown.end()}{"saved":${skipResults ? '[]' : '{}'}}\n\n]\n`;
    return;
  }
  const waiting: Progress[] = [];
  let last: Progress = { label: '', done: 0, total: null };
  let wake: () => void = () => undefined;
  let ended = false;
  const outcome = waitForJob(services.database, services.listener, jobId, {
    signal,
    // What is told of the end is that of the job: while the database is away nobody knows it.
    patienceMs: Infinity,
    onProgress: (progress) => {
      waiting.push(progress);
      wake();
    },
  })
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    .finally(() => {
      ended = true;
      wake();
    });
  while (!ended || waiting.length > 0) {
    const progress = waiting.shift();
    if (progress === undefined) {
      const isSilent = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(true), signOfLifeMs);
        wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
        if (ended || waiting.length > 0) wake();
      });
      if (isSilent) yield ticks(last);
      continue;
    }
    last = progress;
    yield* shown.step(progress.label);
    yield ticks(progress);
  }
  const end = await outcome;
  // The phase in which it failed is not said to be done.
  if (!('error' in end)) yield shown.end();
  if ('error' in end)
    yield `${JSON.stringify({ saved: [], errors: [wordsOf(end.error)], ...furtherOf(end.error) })}\n\n]\n`;
  else yield* savedLines(services, end.value, skipResults);
}

const ticks = (progress: Progress): string => `{"ticks":${progress.done},"total":${progress.total ?? 'null'}},\n`;

/** Status lines: each phase is done when the next one starts. */
function phaseLines(): { step(label: string): Generator<string>; end(): string } {
  let id = 0;
  let current: string | null = null;
  const line = (entries: readonly Json[]): string => `${JSON.stringify({ status: entries })},\n`;
  return {
    *step(label) {
      if (label === current) return;
      const done = current === null ? [] : [{ id, label: current, type: 'done' }];
      id += 1;
      current = label;
      yield line([...done, { id, label, type: 'started' }]);
    },
    end: () => (current === null ? '' : line([{ id, label: current, type: 'done' }])),
  };
}

async function* savedLines(services: Services, value: Json, skipResults: boolean): AsyncGenerator<string> {
  const blobId = isObject(value) ? textOf(value, 'saved_blob') : undefined;
  if (skipResults || blobId === undefined) {
    yield '{"saved":[]}\n\n]\n';
    return;
  }
  // What is a file by itself has its braces.
  const [open, close] = isObject(value) && value['saved_is_file'] === true ? ['', ''] : ['{', '}'];
  yield `{"saved":${open}`;
  const decoder = new TextDecoder();
  for await (const chunk of readBlob(services.database, blobId)) yield decoder.decode(chunk, { stream: true });
  yield `${close}}\n\n]\n`;
}

/** Every bad record, where more than the first is known. A key of ours: clients of others look at `errors` alone. */
function furtherOf(error: unknown): { readonly report?: Json } {
  const report = error instanceof Failure ? error.extra['report'] : undefined;
  return report === undefined ? {} : { report };
}

/** One line that names what is wrong with which property of which record (contract 2.4: a single string, beginning "Server error"). */
function wordsOf(error: unknown): string {
  if (!(error instanceof Failure)) return 'Server error: the import failed; the log of the server tells why';
  if (error.code !== 'import_failed' || !isObject(error.error)) return `Server error: ${error.message}`;
  const about = error.error;
  const errors = isObject(about['errors'])
    ? Object.entries(about['errors'])
        .map(
          ([property, messages]) =>
            `${property} ${Array.isArray(messages) ? messages.join('; ') : JSON.stringify(messages)}`,
        )
        .join(', ')
    : JSON.stringify(about['errors']);
  const title = textOf(about, 'record_title') ?? textOf(about, 'record_type') ?? 'a record';
  const uri = textOf(about, 'record_uri');
  return `Server error: Problem creating '${title}': ${errors} (record ${String(about['record_number'] ?? '?')}, ${textOf(about, 'record_type') ?? 'of no type'}${uri === undefined ? '' : ` ${uri}`})`;
}
