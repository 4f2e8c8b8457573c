// How the commands of operators end on Ctrl-C and SIGTERM: what they write is taken back, and the database server that they started is
// stopped. It is a process of its own, so it would run on without them, and a copy of the data folder that is made then would be worthless.

/** Exit code of a command that was stopped, as shells count Ctrl-C; the command line has the same. */
export const interruptedCode = 130;

/** Aborted by SIGINT or SIGTERM; the second one ends the process at once. NOTE: not by SIGHUP, which whoever runs a command under nohup has turned off. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (interrupted.signal.aborted) process.exit(interruptedCode);
      interrupted.abort(new Error('interrupted'));
    });
  return interrupted.signal;
}

/** Writes why nothing came of a command, and ends it; what was thrown for an interruption has no words of its own. */
export function endOfFailed(says: string, error: unknown, signal: AbortSignal): never {
  const why: unknown = signal.aborted ? signal.reason : error;
  process.stderr.write(`${says}: ${why instanceof Error ? why.message : String(why)}\n`);
  process.exit(signal.aborted ? interruptedCode : 1);
}
