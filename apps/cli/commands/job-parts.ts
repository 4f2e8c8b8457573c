// `muniment jobs log` and `muniment jobs files`: what a job has written, and the files that it was given and made.
import type { Command } from 'commander';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure, usage } from '../failure.ts';
import { checkJobUri } from '../follow.ts';
import { printable, size, table } from '../output.ts';
import { findRepository, listRepositories } from '../repository.ts';
import { fileNameOf, saveAs } from '../save.ts';
import { join } from 'node:path';

type PartOptions = ConnectionOptions & { readonly repository?: string };

/** Adds the commands below `jobs`. */
export function addJobParts(jobs: Command, environment: Environment): void {
  const log = jobs
    .command('log')
    .summary('print the log of a job')
    .description('Prints what a job has written until now; `jobs --follow` goes on to its end.')
    .argument('<job>', 'uri or number of the job')
    .option('--repository <id or code>', 'the repository of the job, for a number; otherwise it is looked for')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment jobs log 7
  $ muniment jobs log /repositories/2/jobs/7`,
    );
  addConnectionOptions(log);
  log.action((named: string, _options: unknown, command: Command) =>
    withClient(environment, command.optsWithGlobals<PartOptions>(), async (call) => {
      const uri = await findJob(call, named, command.optsWithGlobals<PartOptions>().repository);
      const text = await (await call.client.send(`${uri}/log`)).text();
      const lines = text.replace(/\n$/, '').split('\n');
      call.output.result({ job: uri, log: lines }, text === '' ? [] : lines.map(printable));
    }),
  );
  const files = jobs
    .command('files')
    .summary('list or fetch the files of a job')
    .description(
      'Lists the files that a job was given and those that it made; with --to they are fetched into a folder.',
    )
    .argument('<job>', 'uri or number of the job')
    .option('--to <folder>', 'fetch them into this folder')
    .option('--repository <id or code>', 'the repository of the job, for a number; otherwise it is looked for')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment jobs files 7
  $ muniment jobs files /repositories/2/jobs/7 --to reports/`,
    );
  addConnectionOptions(files);
  files.action((named: string, _options: unknown, command: Command) =>
    withClient(environment, command.optsWithGlobals<PartOptions>(), async (call) => {
      const options = command.optsWithGlobals<PartOptions & { readonly to?: string }>();
      await showFiles(call, await findJob(call, named, options.repository), options.to);
    }),
  );
}

async function showFiles(call: Call, job: string, folder: string | undefined): Promise<void> {
  const { client, output } = call;
  const ids = await client.ask(`${job}/output_files`);
  const found: { readonly id: number; readonly name: string; readonly bytes: number; readonly file?: string }[] = [];
  for (const id of Array.isArray(ids) ? ids.map(Number) : []) {
    const response = await client.send(`${job}/output_files/${id}`);
    // A name that two files of a job share would lose one of them.
    const told = fileNameOf(response) ?? `file-${id}`;
    const name = found.some((file) => file.name === told) ? `${id}-${told}` : told;
    if (folder === undefined) {
      await response.body?.cancel();
      found.push({ id, name, bytes: Number(response.headers.get('content-length') ?? 0) });
    } else {
      const { path, bytes } = await saveAs(call, response, join(folder, name));
      found.push({ id, name, bytes, file: path });
    }
  }
  const rows = found.map(({ id, name, bytes, file }) => [String(id), size(bytes), printable(file ?? name)]);
  output.result(found, rows.length === 0 ? ['The job has no files.'] : table(['ID', 'SIZE', 'NAME'], rows));
}

/** The uri of the job that is named by it, or by its number in this repository, or in whichever has it, or of none. */
async function findJob({ client }: Call, named: string, repository: string | undefined): Promise<string> {
  if (!/^\d+$/.test(named)) {
    checkJobUri(named);
    return named;
  }
  if (repository !== undefined) return `${(await findRepository(client, repository)).uri}/jobs/${named}`;
  const places = ['', ...(await listRepositories(client)).map(({ uri }) => uri)].map((uri) => `${uri}/jobs/${named}`);
  const there = await Promise.all(places.map((uri) => isThere(() => client.ask(uri))));
  const found = places.find((_uri, index) => there[index] === true);
  if (found === undefined) throw usage(`There is no job ${named} that you see, in any repository or of none.`);
  return found;
}

async function isThere(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof CliFailure && (error.status === 404 || error.status === 403)) return false;
    throw error;
  }
}
