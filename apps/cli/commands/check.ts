// `muniment check`: whether the service is there, ready, of which version, and lets the user in.
import type { Command } from 'commander';
import type { Json } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { CheckDataOptions } from '../check-data.ts';
import { checkData } from '../check-data.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readCredentials } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure, Unreachable, exitCodes, toCliFailure, usage } from '../failure.ts';
import type { IndexStatus } from '../index-status.ts';
import { readIndexStatus } from '../index-status.ts';
import { count, shown } from '../output.ts';

/** Adds the command. */
export function addCheck(program: Command, environment: Environment): void {
  const command = program
    .command('check')
    .summary('ask the service how it is')
    .description(
      'Asks whether the service is ready, which version it is, and, where a password or session is at hand, whether it lets the user in. With --data it looks into the database instead: whether links, trees, keys, bodies and the change log agree, and every file in a storage of files (MUNIMENT_FILES_URL) is there; each thing that is wrong is told with examples. Exit code 1 where something is wrong.',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ muniment check
  $ muniment check --url https://archives.example.org/api --json
  $ muniment check --data
  $ muniment check --data --database postgresql://localhost/restored`,
    );
  addConnectionOptions(command)
    .option(
      '--data',
      'check the stored data, in the database that the service would use (DATABASE_URL, or MUNIMENT_DATA_DIR)',
    )
    .option('--database <url>', 'with --data: the database to check')
    .option('--read-files', 'with --data: read every file in the storage of files, and compare its digest');
  command.action((options: ConnectionOptions & CheckDataOptions & { readonly data?: true }) =>
    options.data === true || options.database !== undefined
      ? checkData(environment, options)
      : withClient(environment, options, async (call) => {
          if (options.readFiles === true) throw usage('--read-files looks into stored data: give --data with it.');
          const { client, output } = call;
          const ready = await isReady(call);
          const version = (await (await client.send('/version', { isPublic: true })).text()).trim();
          const about = await client.ask('/', { isPublic: true });
          const product = isObject(about) ? (textOf(about, 'version') ?? null) : null;
          const login = await tryLogin(call, options);
          const index = login.ok === true ? await tryIndex(call) : null;
          const isFine = ready && login.ok !== false;
          output.result(
            {
              ok: isFine,
              url: client.url,
              ready,
              version,
              product_version: product,
              login: { user: client.user, ...login },
              index,
            },
            [
              `address    ${client.url}`,
              `ready      ${ready ? 'yes' : 'no: its database does not answer, or it is closing'}`,
              `version    ${shown(version)}${product === null ? '' : `, Muniment ${shown(product)}`}`,
              `login      ${login.says}`,
              ...(index === null ? [] : [`index      ${wordsOf(index)}`]),
            ],
          );
          return isFine ? exitCodes.done : exitCodes.failed;
        }),
  );
}

async function isReady({ client }: Call): Promise<boolean> {
  try {
    await client.send('/health/ready', { isPublic: true });
    return true;
  } catch (error) {
    if (error instanceof CliFailure && error.status === 503) return false;
    throw error;
  }
}

/** The state of the index, or null for those who may not ask. */
async function tryIndex({ client }: Call): Promise<IndexStatus | null> {
  try {
    return await readIndexStatus(client);
  } catch (error) {
    if (error instanceof CliFailure && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}

function wordsOf({ changes, due, bulk, fans, waitingSeconds }: IndexStatus): string {
  const waiting = changes + due + bulk + fans;
  return waiting === 0 ? 'up to date' : `${count(waiting)} waiting to be indexed, since ${waitingSeconds.toFixed(1)} s`;
}

async function tryLogin(
  { client, environment }: Call,
  options: ConnectionOptions,
): Promise<{ readonly ok: boolean | null; readonly says: string }> {
  const { password, session } = readCredentials(options, environment);
  if (password === undefined && session === undefined)
    return { ok: null, says: 'not tried: no password or session given' };
  try {
    const user: Json = await client.ask('/users/current-user');
    return { ok: true, says: `as ${isObject(user) ? shown(textOf(user, 'username')) : client.user}` };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    return { ok: false, says: toCliFailure(error).message };
  }
}
