// The reading of a source as commands run it: their options, the password, what is shown, and the exit code.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Environment } from '../environment.ts';
import { CliFailure, Interrupted, exitCodes, usage } from '../failure.ts';
import { SourceLost } from '#migrate/failures.ts';
import { holdAlone } from '../held-alone.ts';
import type { Output } from '../output.ts';
import { count } from '../output.ts';
import { showProgress } from '../progress.ts';
import { positive } from '../commands/jobs.ts';
import { makeFolders } from '#store/embedded/make-folders.ts';
import { heldFile, readManifest } from '#migrate/folder.ts';
import type { ReadOptions, ReadOutcome } from '#migrate/read-into.ts';
import { readOrUpdate } from '#migrate/read-or-update.ts';
import { sinceFolder } from '#migrate/since.ts';
import type { SourceLogin } from '#migrate/source.ts';
import { openSource } from '#migrate/source.ts';

/** The options of every command that reads a source. */
export type ReadingOptions = {
  readonly requestsAtOnce: number;
  readonly requestsASecond: number;
  readonly since?: string;
  readonly jobs?: boolean;
  /** Whether a folder that is complete is brought up to date. */
  readonly update?: boolean;
};

/** The options that say how politely, since when, and whether with jobs. */
export function addReadingOptions(command: Command): Command {
  return addPoliteness(command)
    .option(
      '--since <when>',
      'only what has changed from then on: a time (2026-03-01T12:00:00Z), or a folder that was read before',
    )
    .option('--update', 'bring a folder that is complete up to date: only what has changed since is read')
    .option('--no-jobs', 'without jobs, their logs and files');
}

/** The options that say how politely. */
export function addPoliteness(command: Command): Command {
  return command
    .option('--requests-at-once <number>', 'requests under way at once', positive, 4)
    .option('--requests-a-second <number>', 'requests begun in a second', rate, 20);
}

/** Reads a source into a folder, shows how far it is, and gives what came of it. */
export async function runReading(
  environment: Environment,
  output: Output,
  login: SourceLogin,
  into: string,
  options: ReadingOptions,
): Promise<ReadOutcome> {
  const folder = resolve(environment.cwd, into);
  const politeness = { atOnce: options.requestsAtOnce, aSecond: options.requestsASecond };
  const since = await sinceOf(options.since, environment.cwd);
  const progress = showProgress(output);
  const source = await openSource(login, politeness, environment.signal);
  try {
    // Only now: a login that was refused leaves no empty folder behind.
    makeFolders(folder);
    using _alone = holdAlone(join(folder, heldFile), folder);
    progress.line(`Reading ${source.url}, ${source.version} (shapes of ${source.release}), into ${folder}`);
    const reading: ReadOptions = {
      since,
      withJobs: options.jobs !== false,
      onProgress: (file, done, total) => progress.update(file.replaceAll('_', ' '), done, total),
    };
    return await readOrUpdate(source, folder, options.update === true, reading);
  } catch (error) {
    const howToGoOn = 'Run the same command again: it goes on where this one stopped.';
    if (error instanceof Interrupted) throw new Interrupted(`${error.message} ${howToGoOn}`);
    if (!(error instanceof SourceLost)) throw error;
    throw new CliFailure(`${error.message} ${howToGoOn}`, { cause: error });
  } finally {
    progress.end();
    await source.close();
  }
}

/** Shows what was read. Gives the exit code: that single records could not be read is no failure of the command. */
export function tellReading(output: Output, folder: string, { manifest, readNow, problems }: ReadOutcome): number {
  const files = Object.entries(manifest.files).map(([file, { records }]) => [file, records] as const);
  const total = files.reduce((sum, [, records]) => sum + records, 0);
  output.result({ folder, manifest, read_now: readNow, problems }, [
    ...files
      .filter(([, records]) => records > 0)
      .map(([file, records]) => `  ${count(records).padStart(9)}  ${file.replaceAll('_', ' ')}`),
    `${count(total)} records in ${folder}${readNow === total ? '' : `, ${count(readNow)} of them read now`}`,
    ...(problems === 0 ? [] : [`${count(problems)} could not be read: problems.ndjson says why`]),
  ]);
  return exitCodes.done;
}

/** The password of a source: from a file, the environment, or asked for on a terminal. */
export async function sourcePassword(
  environment: Environment,
  user: string,
  url: string,
  file: string | undefined,
  option = '--password-file',
): Promise<string> {
  if (file !== undefined) return (await readFile(resolve(environment.cwd, file), 'utf8')).trim();
  const given = environment.env['MUNIMENT_SOURCE_PASSWORD'];
  if (given !== undefined && given !== '') return given;
  if (!environment.stdin.isTTY)
    throw usage(`No password for ${user} at ${url}: set MUNIMENT_SOURCE_PASSWORD, or give ${option}.`);
  environment.streams.stderr.write(`Password of ${user} at ${url}: `);
  // What is typed is not shown.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: environment.stdin, output: silent, terminal: true });
  try {
    return await asking.question('', { signal: environment.signal });
  } finally {
    asking.close();
    environment.streams.stderr.write('\n');
  }
}

/** An address without its slash at the end; fails as wrong use where it is none. */
export function sourceUrl(text: string): string {
  if (!isUrl(text)) throw usage(`${text} is no address: it should look like https://archives.example.org/api`);
  return text.replace(/\/+$/, '');
}

/** Whether a text names a service, not a folder. */
export const isUrl = (text: string): boolean => /^https?:\/\/./.test(text) && URL.canParse(text);

async function sinceOf(text: string | undefined, cwd: string): Promise<number | null> {
  if (text === undefined) return null;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  const manifest = Number.isNaN(time) ? await readManifest(resolve(cwd, text)) : null;
  if (Number.isNaN(time) && manifest === null)
    throw usage(`--since ${text}: that is neither a time nor a folder that was read.`);
  return manifest === null ? Math.floor(time / 1000) : sinceFolder(manifest);
}

function rate(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1000)) throw new InvalidArgumentError('It must be a number above 0, up to 1000.');
  return value;
}
