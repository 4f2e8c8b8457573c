// Asking whether something is meant that cannot be taken back.
import { createInterface } from 'node:readline/promises';
import type { Environment } from './environment.ts';
import { CliFailure } from './failure.ts';

/** Asks on the terminal; throws `refusal` unless the answer is yes. */
export async function confirm(
  { stdin, streams, signal }: Environment,
  question: string,
  refusal: string,
): Promise<void> {
  const prompt = createInterface({ input: stdin, output: streams.stderr });
  // In its raw mode the prompt gets Ctrl-C, not the process.
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const answer = await prompt.question(question, { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
    if (answer.trim().toLowerCase() !== 'yes') throw new CliFailure(refusal);
  } finally {
    prompt.close();
  }
}

/** Whether an address leads where it says: one with `..`, `?` or `#` in it names another record than the one that is read and confirmed. */
export const isPlainUri = (uri: string): boolean => /^(?:\/[\w-]+)+$/.test(uri);
