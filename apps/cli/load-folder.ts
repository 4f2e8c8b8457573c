// `muniment load-folder`: sends the folder of a migration to a service, which loads all of it or nothing, and follows the job.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { isObject, textOf } from '#domain/json.ts';
import { heldFile } from '#migrate/folder.ts';
import { linesToLoad, packed } from '#migrate/loaded-lines.ts';
import { forgetSending, loadedInto, noteLoaded, noteSending } from '#migrate/sent-folder.ts';
import type { ConnectionOptions } from './credentials.ts';
import { addConnectionOptions } from './credentials.ts';
import type { Call, Environment } from './environment.ts';
import { withClient } from './environment.ts';
import { CliFailure, usage } from './failure.ts';
import { followOnScreen, jobFailure } from './follow.ts';
import { holdAlone } from './held-alone.ts';
import { shown, size } from './output.ts';
import { showProgress } from './progress.ts';
import { settleSent } from './sent-load.ts';

/** What a load may meet: a service with records, a folder that was not read to its end. */
export type LoadOptions = {
  readonly intoFilled?: boolean;
  readonly unfinished?: boolean;
  /** Only what has changed in the folder since it was loaded. */
  readonly update?: boolean;
  readonly overwrite?: boolean;
};

/** Adds the command. */
export function addLoadFolder(program: Command, environment: Environment): void {
  const command = program
    .command('load-folder')
    .summary('load the records of another service from a folder')
    .description(
      'Loads the folder of a migration: every record with its address, version, times and place in its tree. All of it is stored, or nothing. Needs an administrator, and a service where nobody has made records yet.',
    )
    .argument('<folder>', 'the folder, with manifest.json and files of one record a line (.ndjson, .ndjson.gz)')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment load-folder archivesspace/
  $ muniment load-folder more/ --into-filled`,
    );
  command.option('--update', 'load only what has changed in the folder since it was loaded');
  addLoadOptions(command);
  addConnectionOptions(command);
  command.action((folder: string, options: ConnectionOptions & LoadOptions) =>
    withClient(environment, options, (call) => loadFolder(call, folder, options)),
  );
}

/** The options that say what a load may meet. */
export function addLoadOptions(command: Command): Command {
  return command
    .option('--into-filled', 'load also where there are records; an address that is taken still refuses all')
    .option('--overwrite', 'of an update: records that were changed here, too, become those of the source')
    .option('--unfinished', 'load also what was not read to the end');
}

/** Sends a folder and follows the job to its end. Fails where nothing was loaded, with the reasons. */
export async function loadFolder(
  { client, output, environment }: Call,
  name: string,
  options: LoadOptions,
): Promise<void> {
  const folder = resolve(environment.cwd, name);
  const isUpdate = options.update === true;
  using _alone = holdFolder(folder);
  const settled = await settleHeld({ client, output, environment }, folder);
  if (settled?.update === isUpdate) return;
  const toLoad = await linesToLoad(folder, isUpdate);
  if (toLoad.files === 0 && isUpdate) {
    const service = await loadedInto(folder);
    if (service === undefined)
      throw usage(`${name} was never loaded, so there is nothing to bring up to date: load it without --update.`);
    return output.result({ loaded: false }, [
      `Nothing has changed in the folder since it was loaded into ${shown(service)}.`,
    ]);
  }
  if (toLoad.files === 0) throw usage(`${name} holds no files of records (.ndjson).`);
  if (options.unfinished !== true) await requireFinished(folder, name);
  const progress = showProgress(output);
  const started = performance.now();
  try {
    const mark = (await noteSending(folder, client.url, isUpdate)) ?? undefined;
    const sending = client.ask('/system/load', {
      method: 'POST',
      query: {
        into_filled: options.intoFilled,
        mark,
        ...(isUpdate ? { update: true, overwrite: options.overwrite } : {}),
      },
      body: {
        contentType: 'application/x-ndjson',
        bytes: () => packed(toLoad.lines((sent) => progress.update('Sending', sent, toLoad.bytes, { show: size }))),
      },
    });
    const reply = await sending.catch(async (error: unknown) => {
      if (error instanceof CliFailure && error.status !== undefined && error.status < 500) await forgetSending(folder);
      throw error;
    });
    const uri = isObject(reply) ? textOf(reply, 'uri') : undefined;
    if (uri === undefined) throw new CliFailure('The service took the records but named no job.');
    const lines: string[] = [];
    const end = await followOnScreen({ client, environment }, progress, uri, 'Loading', (line) => lines.push(line));
    if (end.status !== 'completed') {
      await forgetSending(folder);
      throw jobFailure(`Nothing was loaded: ${end.status}.`, end, output.isJson ? [] : lines);
    }
    await noteLoaded(folder, client.url);
    const seconds = Math.round(performance.now() - started) / 1000;
    output.result({ job: uri, loaded: true, seconds, log: lines }, [`Loaded in ${seconds.toFixed(1)} s (${uri}).`]);
  } finally {
    progress.end();
  }
}

/** Finds out what became of a load that an earlier run sent and did not see the end of, and says it; null where it is to be done (again). */
export async function settleLoad(call: Call, name: string): Promise<{ readonly update: boolean } | null> {
  const folder = resolve(call.environment.cwd, name);
  using _alone = holdFolder(folder);
  return await settleHeld(call, folder);
}

/**
 * Keeps other runs from a folder while it is loaded: what they read into it meanwhile would be forgotten as loaded. One without a manifest remembers nothing,
 * and may be where nothing can be written.
 */
const holdFolder = (folder: string): Disposable | null =>
  existsSync(join(folder, 'manifest.json')) ? holdAlone(join(folder, heldFile), folder) : null;

async function settleHeld(
  { client, output, environment }: Call,
  folder: string,
): Promise<{ readonly update: boolean } | null> {
  const progress = showProgress(output);
  try {
    const lines: string[] = [];
    const settled = await settleSent(client, folder, (job) => {
      progress.line(`An earlier run sent this folder: ${job}`);
      return followOnScreen({ client, environment }, progress, job, 'Loading', (line) => lines.push(line));
    });
    if (settled === null) return null;
    output.result({ job: settled.job, loaded: true, log: lines }, [
      `Loaded by an earlier run${settled.job === '' ? '' : ` (${settled.job})`}.`,
    ]);
    return settled;
  } finally {
    progress.end();
  }
}

/** Refuses a folder whose reading has not ended: half a source is no source. */
async function requireFinished(folder: string, name: string): Promise<void> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw usage(`${name} has no manifest.json; --unfinished loads the files that are there.`);
  });
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    manifest = null;
  }
  if (!isObject(manifest) || textOf(manifest, 'finished') === undefined)
    throw new CliFailure(
      `${name} was not read to its end. Go on with the reading, or load what is there with --unfinished.`,
    );
}
