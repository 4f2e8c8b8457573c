// `npm run muniment -- …`: the command line, a client of the HTTP interface. This file ties it to the process.
import { callersFolder } from './callers-folder.ts';
import type { Environment } from './environment.ts';
import { Interrupted, exitCodes } from './failure.ts';
import { interruption } from './interruption.ts';
import { runProgram } from './program.ts';

// `muniment tree … | head`: the reader has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`Standard output cannot be written: ${error.message}\n`);
  process.exit(exitCodes.failed);
});

// `muniment import … 2>&1 | head`: nobody reads notes any more, which is no reason to leave files out.
process.stderr.on('error', () => undefined);

const environment: Environment = {
  streams: { stdout: process.stdout, stderr: process.stderr },
  stdin: process.stdin,
  env: process.env,
  cwd: callersFolder('muniment'),
  // Ctrl-C lets the command say what goes on in the server.
  signal: interruption(new Interrupted()),
  end: (exitCode) => {
    process.exitCode = exitCode;
  },
};

await runProgram(process.argv.slice(2), environment);
