// What surrounds a command: streams, variables, the folder it was called in, the signal of Ctrl-C. And how one runs that asks the service.
import type { Client } from './client.ts';
import { connect } from './client.ts';
import type { ConnectionOptions } from './credentials.ts';
import { readCredentials } from './credentials.ts';
import { toCliFailure } from './failure.ts';
import type { Output, Streams } from './output.ts';
import { makeOutput } from './output.ts';

/** The surroundings of a run of the command line. */
export type Environment = {
  readonly streams: Streams;
  readonly stdin: NodeJS.ReadStream;
  readonly env: { readonly [name: string]: string | undefined };
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Aborted by Ctrl-C, with an Interrupted. */
  readonly signal: AbortSignal;
  /** Takes the exit code. */
  readonly end: (exitCode: number) => void;
};

/** What a command works with. */
export type Call = { readonly client: Client; readonly output: Output; readonly environment: Environment };

/** Runs a command that asks the service: connects, closes the session after it, shows a failure and sets the exit code. */
export async function withClient(
  environment: Environment,
  options: ConnectionOptions,
  act: (call: Call) => Promise<number | void>,
): Promise<void> {
  await runCommand(environment, options.json === true, async (output) => {
    const client = connect(readCredentials(options, environment), environment.signal);
    try {
      return await act({ client, output, environment });
    } finally {
      await client.close();
    }
  });
}

/** Runs a command: shows a failure, and sets the exit code. */
export async function runCommand(
  environment: Environment,
  isJson: boolean,
  act: (output: Output) => Promise<number | void>,
): Promise<void> {
  const output = makeOutput(environment.streams, isJson);
  try {
    const exitCode = await act(output);
    if (exitCode !== undefined) environment.end(exitCode);
  } catch (error) {
    const failure = toCliFailure(error);
    output.failure(failure);
    environment.end(failure.exitCode);
  }
}
