// `npm run muniment -- …`: the command line, a client of the HTTP interface. This file ties it to the process.
import type { Environment } from './environment.ts';
import { Interrupted, exitCodes } from './failure.ts';
import { runProgram } from './program.ts';

const interruption = new AbortController();
// Ctrl-C lets the command say what goes on in the server; the second one ends at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
    interruption.abort(new Interrupted());
  });
}

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
  // npm runs scripts in the folder of the package; paths are meant from where npm was called.
  cwd: (process.env['npm_lifecycle_event'] === 'muniment' ? process.env['INIT_CWD'] : undefined) ?? process.cwd(),
  signal: interruption.signal,
  end: (exitCode) => {
    process.exitCode = exitCode;
  },
};

await runProgram(process.argv.slice(2), environment);
