// `muniment jobs`: the jobs of the service, and one of them followed to its end or canceled.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectsIn, objectsOf, textOf } from '#domain/json.ts';
import type { Client } from '../client.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure, exitCodes } from '../failure.ts';
import { checkJobUri, followJob } from '../follow.ts';
import { printable, table } from '../output.ts';
import { addJobParts } from './job-parts.ts';
import type { Repository } from '../repository.ts';
import { findRepository, listRepositories } from '../repository.ts';

type JobsOptions = ConnectionOptions & {
  readonly repository?: string;
  readonly follow?: string;
  readonly cancel?: string;
  readonly page: number;
};

const pageSize = 50;

/** Adds the command. */
export function addJobs(program: Command, environment: Environment): void {
  const command = program
    .command('jobs')
    .summary('list jobs, follow, cancel, their logs and files')
    .description(
      'Lists the jobs of a repository, or of all and those of none, such as merges, loads and making the search index anew; running and queued ones come before those that have ended.',
    )
    .enablePositionalOptions()
    .option('--repository <id or code>', 'of this repository alone')
    .option('--page <number>', `page of ${pageSize} of each repository`, positive, 1)
    .option('--follow <uri>', 'show the log of a job until it ends; exit code 1 where it fails')
    .option('--cancel <uri>', 'cancel a job: what it did is undone')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment jobs --repository MANUSCRIPTS
  $ muniment jobs --follow /repositories/2/jobs/7
  $ muniment jobs --cancel /repositories/2/jobs/7
  $ muniment jobs log 7
  $ muniment jobs files 7 --to reports/`,
    );
  addConnectionOptions(command);
  addJobParts(command, environment);
  command.action((options: JobsOptions) =>
    withClient(environment, options, async (call) => {
      if (options.follow !== undefined) return follow(call, options.follow);
      if (options.cancel !== undefined) return cancel(call, options.cancel);
      return list(call, options);
    }),
  );
}

/** Reads a whole number from 1 up; for options of commander. */
export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a whole number from 1 up.');
  return Number(text);
}

const place = (job: JsonObject): number => ['running', 'queued'].indexOf(textOf(job, 'status') ?? '') + 1 || 3;

async function list({ client, output }: Call, { repository, page }: JobsOptions): Promise<void> {
  const ofRepository = async (uri: string): Promise<readonly JsonObject[]> => {
    // In this order, and each once: a job that ends in between is in both lists, and the other way round it would be in neither.
    const active = objectsIn(await client.ask(`${uri}/jobs/active`));
    const some = await client.ask(`${uri}/jobs/archived`, { query: { page, page_size: pageSize } });
    return [...active, ...(isObject(some) ? objectsOf(some, 'results') : [])];
  };
  const found = [
    ...(repository === undefined
      ? await ofAllSeen(await listRepositories(client), ofRepository)
      : await ofRepository((await findRepository(client, repository)).uri)),
    ...(repository === undefined ? await jobsOfNone(client, page) : []),
  ];
  const jobs = [...new Map(found.map((job) => [textOf(job, 'uri'), job])).values()].sort((a, b) => place(a) - place(b));
  const rows = jobs.map((job) => [
    textOf(job, 'status') ?? '',
    textOf(job, 'job_type') ?? '',
    textOf(job, 'owner') ?? '',
    textOf(job, 'time_submitted') ?? '',
    textOf(job, 'time_finished') ?? '',
    textOf(job, 'uri') ?? '',
  ]);
  output.result(
    jobs,
    rows.length === 0
      ? ['There are no jobs.']
      : table(['STATUS', 'TYPE', 'OWNER', 'SUBMITTED', 'FINISHED', 'URI'], rows).map(printable),
  );
}

/** What there is of the repositories that the user may see: all of them are listed for everybody. Fails where that is none. */
async function ofAllSeen(
  repositories: readonly Repository[],
  read: (uri: string) => Promise<readonly JsonObject[]>,
): Promise<readonly JsonObject[]> {
  const refusals: CliFailure[] = [];
  const found = await Promise.all(
    repositories.map(({ uri }) =>
      read(uri).catch((error: unknown) => {
        if (!(error instanceof CliFailure) || error.status !== 403) throw error;
        refusals.push(error);
        return [];
      }),
    ),
  );
  const [first] = refusals;
  if (first !== undefined && refusals.length === repositories.length) throw first;
  return found.flat();
}

/** A page of the jobs of no repository, the newest first: the service lists the oldest of each status first. */
async function jobsOfNone(client: Client, page: number): Promise<readonly JsonObject[]> {
  const ids = await client.ask('/jobs', { query: { all_ids: true } });
  const newest = (Array.isArray(ids) ? ids.map(Number) : []).sort((one, other) => other - one);
  const wanted = newest.slice((page - 1) * pageSize, page * pageSize);
  if (wanted.length === 0) return [];
  const jobs = objectsIn(await client.ask('/jobs', { query: { id_set: wanted.join(',') } }));
  const byUri = new Map(jobs.map((job) => [textOf(job, 'uri'), job]));
  return wanted.map((id) => byUri.get(`/jobs/${id}`)).filter((job) => job !== undefined);
}

async function follow({ client, output, environment }: Call, uri: string): Promise<number> {
  checkJobUri(uri);
  const lines: string[] = [];
  const onLine = (line: string): void => {
    if (output.isJson) lines.push(line);
    else environment.streams.stdout.write(`${printable(line)}\n`);
  };
  const end = await followJob(client, uri, { signal: environment.signal, onLine });
  output.result({ job: uri, status: end.status, log: lines }, [`${uri}: ${end.status}`]);
  return end.status === 'completed' ? exitCodes.done : exitCodes.failed;
}

async function cancel({ client, output }: Call, uri: string): Promise<void> {
  checkJobUri(uri);
  await client.ask(`${uri}/cancel`, { method: 'POST' });
  const job = await client.ask(uri);
  const status = isObject(job) ? (textOf(job, 'status') ?? '') : '';
  output.result({ job: uri, status }, [`${uri}: ${status}`]);
}
