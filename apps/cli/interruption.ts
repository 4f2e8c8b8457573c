// Ctrl-C and SIGTERM, for commands that end in order.
import { exitCodes } from './failure.ts';

/** Aborted with `reason` by SIGINT or SIGTERM; the second one ends the process at once. NOTE: not by SIGHUP, which whoever runs a command under nohup has turned off. */
export function interruption(reason: Error): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
      interrupted.abort(reason);
    });
  return interrupted.signal;
}
