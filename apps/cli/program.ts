// The command line as a whole: its commands, its help, and how wrong use of it ends.
import { Command, CommanderError } from 'commander';
import { addCheck } from './commands/check.ts';
import { addDelete } from './commands/delete.ts';
import { addImport } from './commands/import.ts';
import { addJobs } from './commands/jobs.ts';
import { addLogin } from './commands/login.ts';
import { addReindex } from './commands/reindex.ts';
import { addRepositories } from './commands/repositories.ts';
import { addSearch } from './commands/search.ts';
import { addShow } from './commands/show.ts';
import { addTree } from './commands/tree.ts';
import { addUser } from './commands/user.ts';
import type { Environment } from './environment.ts';
import { exitCodes } from './failure.ts';

const commands = [
  addImport,
  addSearch,
  addTree,
  addShow,
  addDelete,
  addRepositories,
  addJobs,
  addReindex,
  addUser,
  addLogin,
  addCheck,
];

/** Runs the command line with the arguments after the program's name. The exit code goes to `environment.end`. */
export async function runProgram(args: readonly string[], environment: Environment): Promise<void> {
  const program = new Command('muniment')
    .description('The command line of Muniment: a client of a running service.')
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
    // Commander has written its message, or the help that was asked for.
    environment.end(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
  }
}
