// How the commands of operators end on Ctrl-C and SIGTERM: what they write is taken back, and the database server that they started is
// stopped. It is a process of its own, so it would run on without them, and a copy of the data folder that is made then would be worthless.
import { exitCodes } from '../apps/cli/failure.ts';
import { interruption } from '../apps/cli/interruption.ts';

/** Aborted by SIGINT or SIGTERM, with what endOfFailed() says of that. */
export const interrupted = (): AbortSignal => interruption(new Error('interrupted'));

/** Writes why nothing came of a command, and ends it; what was thrown for an interruption has no words of its own. */
export function endOfFailed(says: string, error: unknown, signal: AbortSignal): never {
  const why: unknown = signal.aborted ? signal.reason : error;
  process.stderr.write(`${says}: ${why instanceof Error ? why.message : String(why)}\n`);
  process.exit(signal.aborted ? exitCodes.interrupted : exitCodes.failed);
}
