// The command line as a whole: its commands, its help, and how wrong use of it ends.
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addDelete } from './commands/delete.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addExportAll } from './commands/export-all.ts';
import { addFiles } from './commands/files.ts';
import { addImport } from './commands/import.ts';
import { addJobs } from './commands/jobs.ts';
import { addLogin } from './commands/login.ts';
import { addMigrate } from './commands/migrate.ts';
import { addProfiles } from './commands/profiles.ts';
import { addPurge } from './commands/purge.ts';
import { addReindex } from './commands/reindex.ts';
import { addRepositories } from './commands/repositories.ts';
import { addSearch } from './commands/search.ts';
import { addShow } from './commands/show.ts';
import { addTree } from './commands/tree.ts';
import { addUsers } from './commands/users.ts';
import { addVerify } from './commands/verify.ts';
import type { Environment } from './environment.ts';
import { exitCodes, toJson, usage } from './failure.ts';
import { addLoadFolder } from './load-folder.ts';
import { isObject, textOf } from '#domain/json.ts';

const commands = [
  addImport,
  addLoadFolder,
  addSearch,
  addTree,
  addShow,
  addExport,
  addDelete,
  addPurge,
  addRepositories,
  addJobs,
  addFiles,
  addReindex,
  addUsers,
  addExportAll,
  addMigrate,
  addVerify,
  addLogin,
  addProfiles,
  addCheck,
  addDoctor,
  // Last: it tells of all others.
  addCompletion,
];

/** Runs the command line with the arguments after the program's name. The exit code goes to `environment.end`. */
export async function runProgram(args: readonly string[], environment: Environment): Promise<void> {
  const program = new Command('muniment')
    .description('The command line of Muniment: a client of a running service.')
    .version(version(), '--version', 'print the version')
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(--help tells more)')
    .configureOutput({
      writeOut: (text) => void environment.streams.stdout.write(text),
      writeErr: (text) => void environment.streams.stderr.write(text),
    })
    .addHelpText(
      'after',
      `
Examples:
  $ npm run muniment -- import finding-aid.xml --create-repository MANUSCRIPTS
  $ npm run muniment -- search harbour plans
  $ npm run --silent muniment -- tree /repositories/2/resources/1 --json

Exit codes: 0 done, 1 failed, 2 wrong use, 130 stopped by Ctrl-C.
Guide: docs/guides/command-line.md`,
    );
  for (const add of commands) add(program, environment);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has written its message, or the help that was asked for; whoever reads JSON is told in it.
    if (error.exitCode !== 0 && args.includes('--json'))
      environment.streams.stdout.write(`${JSON.stringify(toJson(usage(error.message.replace(/^error: /, ''))))}\n`);
    environment.end(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return isObject(manifest) ? (textOf(manifest, 'version') ?? '') : '';
}
