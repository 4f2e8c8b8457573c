// The import of one file: JSON arrays by batch_imports, whose reply streams progress; everything else by an import job that is followed.
import { basename } from 'node:path';
import { isReading } from '#domain/batch-import/phases.ts';
import { importFormat } from '#domain/jobs/import-format.ts';
import { isObject, objectOf, textOf } from '#domain/json.ts';
import { createPacer } from '#domain/pace.ts';
import { toPage, walkPages } from '#client/lists.ts';
import type { Client } from '../client.ts';
import { readPieces } from '../client.ts';
import { CliFailure, Interrupted } from '../failure.ts';
import { followJob } from '../follow.ts';
import { size } from '../output.ts';
import type { ProgressDisplay } from '../progress.ts';
import { readBatchReply } from './batch-reply.ts';
import type { ImportFile } from './files.ts';
import { JobLog } from './folder/job-log.ts';
import type { Tally } from './tally.ts';
import { makeTally } from './tally.ts';
import { fileBody, formBody } from './upload.ts';

/** What became of one file; `job` is the uri of its job where it had a visible one. Seconds from the first byte sent. */
export type FileOutcome = {
  readonly file: string;
  readonly type: string | null;
  readonly ok: boolean;
  /** Whether the records are stored: all of them or none; null where the service did not tell. */
  readonly stored: boolean | null;
  readonly job: string | null;
  readonly roots: readonly string[];
  readonly counts: { readonly [kind: string]: number };
  readonly records: number;
  readonly seconds: number;
  readonly errors: readonly string[];
  /** Parts of the document that records have no place for, as the log of the job lists them. */
  readonly left_out: readonly string[];
  readonly left_out_total: number;
};

/** What the import of a file needs. */
export type ImportOrder = {
  readonly client: Client;
  readonly repositoryUri: string;
  readonly file: ImportFile;
  readonly type: string;
  readonly migration: boolean;
  /** Whether the service only looks at the file, and stores nothing. */
  readonly onlyValidate: boolean;
  readonly progress: ProgressDisplay;
  readonly signal: AbortSignal;
};

/** Imports a file. What is wrong with its contents is in the outcome; a service that refuses or is gone throws. */
export async function importFile(order: ImportOrder): Promise<FileOutcome> {
  const started = performance.now();
  const tally = await makeTally();
  const { job, errors, isUnknown, leftOut, leftOutTotal } =
    order.type === 'json' ? await importRecords(order, tally) : await importByJob(order, tally);
  return {
    file: order.file.name,
    type: order.type,
    ok: errors === null,
    stored: isUnknown === true ? null : errors === null && !order.onlyValidate,
    job,
    roots: tally.roots(),
    counts: tally.counts(),
    records: tally.total(),
    seconds: Math.round(performance.now() - started) / 1000,
    errors: errors ?? [],
    left_out: leftOut ?? [],
    left_out_total: leftOutTotal ?? 0,
  };
}

type Ended = {
  readonly job: string | null;
  /** Null: all is stored. */ readonly errors: readonly string[] | null;
  readonly isUnknown?: true;
  readonly leftOut?: readonly string[];
  readonly leftOutTotal?: number;
};

async function importRecords(
  { client, repositoryUri, file, migration, progress, signal }: ImportOrder,
  tally: Tally,
): Promise<Ended> {
  let isSent = false;
  try {
    const response = await client.send(`${repositoryUri}/batch_imports`, {
      method: 'POST',
      query: migration ? { migration: 'true' } : {},
      body: fileBody(file, 'application/json', (sent) => {
        isSent = sent >= file.sizeBytes;
        progress.update('Sending', sent, file.sizeBytes, { show: size });
      }),
    });
    let phase = '';
    const pace = createPacer(() => performance.now());
    const outcome = await readBatchReply(readPieces(response, client.url, signal), {
      onPhase: (label) => {
        phase = label;
        progress.update(label, null, null);
      },
      onTicks: (done, total) =>
        progress.update(phase, done, total, { secondsLeft: pace({ label: phase, done, total }).seconds_left }),
      onSaved: tally.add,
    });
    if (outcome === null)
      return {
        job: null,
        errors: ['The reply broke off before it told the outcome; the import may go on in the server.'],
        isUnknown: true,
      };
    return { job: null, errors: outcome.errors.length === 0 ? null : outcome.errors };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw new Interrupted(
      isSent
        ? `Stopped watching; the import of ${file.name} goes on in the server, which stores all of it or nothing.`
        : `Interrupted while ${file.name} was being sent: nothing of it is stored.`,
    );
  }
}

async function importByJob(
  { client, repositoryUri, file, type, onlyValidate, progress, signal }: ImportOrder,
  tally: Tally,
): Promise<Ended> {
  const uri = await startJob();
  const log = new JobLog(type);
  progress.update('Waiting for the worker', null, null);
  const end = await followJob(client, uri, {
    signal,
    onProgress: ({ status, queuePosition: position, phase }) => {
      if (phase !== null)
        progress.update(phase.label, phase.done, phase.total, {
          secondsLeft: phase.secondsLeft,
          ...(isReading(phase.label) ? { show: size } : {}),
        });
      if (status === 'queued')
        progress.update(
          `Waiting for the worker${position === null || position === 0 ? '' : `, ${position} jobs before this one`}`,
          null,
          null,
        );
    },
    onLine: (line) => log.take(line),
  });
  const { leftOut = [], leftOutTotal = 0 } = log.sectionOf(basename(file.name)) ?? {};
  if (end.status !== 'completed') {
    const why = end.errors.length > 0 ? end.errors : [`The job ended as ${end.status}; its log says no more.`];
    return { job: uri, errors: why, leftOut, leftOutTotal };
  }
  for await (const { uri: created, total } of createdBy(client, uri)) {
    tally.add(created);
    if (tally.total() % pageSize === 0) progress.update('Counting', tally.total(), total);
  }
  return { job: uri, errors: null, leftOut, leftOutTotal };

  async function startJob(): Promise<string> {
    let isSent = false;
    try {
      return await sendJob(
        client,
        { repositoryUri, type, onlyValidate, files: [file], names: [basename(file.name)] },
        (sent) => {
          isSent = sent >= file.sizeBytes;
          progress.update('Sending', sent, file.sizeBytes, { show: size });
        },
      );
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw new Interrupted(
        isSent
          ? `${file.name} was sent; its job may go on in the server: muniment jobs shows it.`
          : `Interrupted while ${file.name} was being sent: nothing of it is stored.`,
      );
    }
  }
}

const pageSize = 250;
const pagesAtOnce = 4;

/** Files that go into one job. `names` are what its log calls them. */
export type JobOfFiles = {
  readonly repositoryUri: string;
  readonly type: string;
  readonly onlyValidate: boolean;
  readonly files: readonly ImportFile[];
  readonly names: readonly string[];
};

/** Sends files as an import job, and gives its uri. `onBytes` hears how much has gone. */
export async function sendJob(client: Client, order: JobOfFiles, onBytes: (sent: number) => void): Promise<string> {
  const job = {
    jsonmodel_type: 'job',
    job: {
      jsonmodel_type: importFormat.wire.name,
      filenames: [...order.names],
      import_type: order.type,
      ...(order.onlyValidate ? { only_validate: '1' } : {}),
    },
  };
  const reply = await client.ask(`${order.repositoryUri}/jobs_with_files`, {
    method: 'POST',
    body: formBody({ job: JSON.stringify(job) }, order.files, onBytes),
  });
  const made = isObject(reply) ? textOf(reply, 'uri') : undefined;
  if (made === undefined) throw new CliFailure('The service took the file but named no job.');
  return made;
}

/** The uris of what a job created, the last first, page by page; `total` is how many there are. */
export async function* createdBy(
  client: Client,
  jobUri: string,
): AsyncGenerator<{ readonly uri: string; readonly total: number }> {
  const readPage = async (page: number) =>
    toPage(await client.ask(`${jobUri}/records`, { query: { page, page_size: pageSize } }));
  for await (const { results, total } of walkPages(readPage, { atOnce: pagesAtOnce }))
    for (const result of results) yield { uri: textOf(objectOf(result, 'record'), 'ref') ?? '', total };
}
