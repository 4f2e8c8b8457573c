// The files of a folder as jobs: small ones of a type together, so that a thousand authority records are not a thousand jobs. All files
// of a job are stored or none, so where one is bad each goes by itself, and only the bad one is left behind.
import { objectOf, objectsIn, textOf } from '#domain/json.ts';
import type { Client } from '../../client.ts';
import { followJob } from '../../follow.ts';
import { createdBy, sendJob } from '../import-file.ts';
import { makeTally } from '../tally.ts';
import type { Placed } from './clashes.ts';
import { JobLog, faultsOf } from './job-log.ts';
import type { FileResult } from './results.ts';
import type { FolderState, SentJob, UnsureJob } from './state.ts';

/** Files that go into one job: of one type and repository. */
export type Group = {
  readonly repository: string;
  readonly type: string;
  readonly files: readonly Placed['file'][];
};

const smallBytes = 200_000;
const mostBytes = 2_000_000;
const mostFiles = 40;
const mostLinks = 100;

/** The files in groups, in their order within each repository. */
export function groupFiles(placed: readonly Placed[]): readonly Group[] {
  const groups: { repository: string; type: string; files: Placed['file'][]; bytes: number }[] = [];
  const open = new Map<string, (typeof groups)[number]>();
  for (const { file, repository } of placed) {
    const key = JSON.stringify([repository, file.type]);
    const fitting = open.get(key);
    const isSmall = file.sizeBytes <= smallBytes;
    if (isSmall && fitting !== undefined && fitting.files.length < mostFiles && fitting.bytes < mostBytes) {
      fitting.files.push(file);
      fitting.bytes += file.sizeBytes;
      continue;
    }
    const group = { repository, type: file.type, files: [file], bytes: file.sizeBytes };
    groups.push(group);
    if (isSmall) open.set(key, group);
  }
  return groups;
}

/** What jobs need. */
export type Running = {
  readonly client: Client;
  readonly onlyValidate: boolean;
  readonly signal: AbortSignal;
  readonly state: FolderState;
  /** Hears what became of each file. */
  readonly onResult: (result: FileResult) => void;
};

/** Imports a group. What is wrong with files is told with them; a service that refuses or is gone throws. */
export async function runGroup(group: Group, running: Running): Promise<void> {
  const { client, onlyValidate, state } = running;
  const { repository, type, files } = group;
  const about = { repository, type, files: files.map(({ name, sha256 }) => ({ file: name, sha256 })) };
  if (!onlyValidate) state.sending(about);
  const job = await sendJob(
    client,
    { repositoryUri: repository, type, onlyValidate, files, names: files.map(({ name }) => oneLine(name)) },
    () => undefined,
  );
  const sent = { job, ...about };
  if (!onlyValidate) state.sent(sent);
  const { results, isCanceled } = await followSent(sent, running);
  // Whoever cancels a job wants none of its files, and not all of them one by one.
  if (files.length > 1 && !isCanceled && results.some(({ status }) => status === 'failed')) {
    if (!onlyValidate) state.ended(job, []);
    for (const file of files) await runGroup({ repository, type, files: [file] }, running);
    return;
  }
  if (!onlyValidate) state.ended(job, results);
  for (const result of results) running.onResult(result);
}

const newestJobs = 50;
// Clocks of this machine and of the service.
const clockMs = 600_000;

/**
 * The job that files became of which it is not known whether they arrived: the newest import of files of these names that no run knows of. Null where there is
 * none: they did not arrive.
 */
export async function findUnsure(client: Client, unsure: UnsureJob, state: FolderState): Promise<SentJob | null> {
  const { repository, type, files, at } = unsure;
  const ids = await client.ask(`${repository}/jobs`, { query: { all_ids: true } });
  if (!Array.isArray(ids)) return null;
  const newest = ids
    .map(Number)
    .sort((one, other) => other - one)
    .slice(0, newestJobs);
  if (newest.length === 0) return null;
  const jobs = await client.ask(`${repository}/jobs`, { query: { id_set: newest.join(',') } });
  const names = JSON.stringify(files.map(({ file }) => oneLine(file)));
  const found = objectsIn(jobs).filter((job) => {
    const about = objectOf(job, 'job');
    return (
      !state.knows(textOf(job, 'uri') ?? '') &&
      textOf(about, 'import_type') === type &&
      about?.['only_validate'] === undefined &&
      JSON.stringify(about?.['filenames']) === names &&
      Date.parse(textOf(job, 'create_time') ?? '') > Date.parse(at) - clockMs
    );
  });
  const [last] = found.toSorted((one, other) =>
    (textOf(one, 'create_time') ?? '') < (textOf(other, 'create_time') ?? '') ? 1 : -1,
  );
  const uri = textOf(last, 'uri');
  return uri === undefined ? null : { job: uri, repository, type, files };
}

/** What became of the files of a job, of which all are imported or none. */
type SentResults = { readonly results: readonly FileResult[]; readonly isCanceled: boolean };

/** Follows a job that was sent, maybe by an earlier run, to what became of its files. */
export async function followSent(
  { job, repository, type, files }: SentJob,
  { client, signal, onlyValidate }: Pick<Running, 'client' | 'signal' | 'onlyValidate'>,
): Promise<SentResults> {
  const log = new JobLog(type);
  const end = await followJob(client, job, { signal, onLine: (line) => log.take(line) });
  const isDone = end.status === 'completed';
  const made = isDone && !onlyValidate ? await madeBy(client, job, log, files) : null;
  const faults = isDone ? [] : faultsOf(end.errors.length > 0 ? end.errors : [`the job ended as ${end.status}`]);
  const results = files.map(({ file, sha256 }): FileResult => {
    const section = log.sectionOf(oneLine(file));
    return {
      file,
      sha256,
      type,
      repository,
      status: !isDone ? 'failed' : onlyValidate ? 'valid' : 'imported',
      job,
      read: section?.read ?? null,
      created: made?.get(file)?.counts ?? {},
      links: made?.get(file)?.links ?? [],
      faults,
      leftOut: section?.leftOut ?? [],
      leftOutTotal: section?.leftOutTotal ?? 0,
      nothing: section?.nothing ?? null,
    };
  });
  return { results, isCanceled: end.status === 'canceled' };
}

type Made = { readonly counts: { readonly [kind: string]: number }; readonly links: readonly string[] };

/** By file, what the job made. Where the log does not tell of which file a record is, the first file of the job has all. */
async function madeBy(
  client: Client,
  job: string,
  log: JobLog,
  files: SentJob['files'],
): Promise<ReadonlyMap<string, Made>> {
  const uris: string[] = [];
  for await (const { uri } of createdBy(client, job)) uris.push(uri);
  uris.reverse();
  const owners = files.length === 1 ? null : log.ownersOf(uris.length);
  const made = new Map<string, Made>();
  for (const [index, { file }] of files.entries()) {
    const tally = await makeTally();
    const own = owners === null ? (index === 0 ? uris : []) : uris.filter((_uri, at) => owners[at] === oneLine(file));
    for (const uri of own) tally.add(uri);
    made.set(file, { counts: tally.counts(), links: [...new Set([...tally.roots(), ...own])].slice(0, mostLinks) });
  }
  return made;
}

/** A name as the log has it: lines of the log are lines. */
const oneLine = (name: string): string => name.replace(/[\u0000-\u001f\u007f]/g, ' ');
