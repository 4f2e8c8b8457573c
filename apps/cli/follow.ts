// Following a job of the server to its end from the shell: Ctrl-C ends the watching and says how to go on.
import type { Following, JobEnd } from '#client/jobs.ts';
import { JobFailed, awaitJob } from '#client/jobs.ts';
import type { Client } from './client.ts';
import type { Call } from './environment.ts';
import { CliFailure, Interrupted } from './failure.ts';
import type { ProgressDisplay } from './progress.ts';

/** Follows until the job has ended, however it ends. Ctrl-C throws an Interrupted that names the job, which goes on. */
export async function followJob(
  client: Client,
  uri: string,
  following: Following & { readonly signal: AbortSignal },
): Promise<JobEnd> {
  try {
    return await client.inWords(() => awaitJob(client.connection, uri, following));
  } catch (error) {
    if (error instanceof JobFailed) return error.end;
    if (error instanceof Interrupted) throw goesOn(uri);
    throw error;
  }
}

/** The same with its log and how far it is on the screen; `beginning` is what it does before it tells. `onLine` hears the log too. */
export function followOnScreen(
  { client, environment }: Pick<Call, 'client' | 'environment'>,
  progress: ProgressDisplay,
  uri: string,
  beginning: string,
  onLine: (line: string) => void = () => undefined,
): Promise<JobEnd> {
  return followJob(client, uri, {
    signal: environment.signal,
    onLine: (line) => {
      onLine(line);
      progress.line(line);
    },
    onProgress: ({ status, phase }) =>
      progress.update(
        status === 'queued' ? 'Waiting for the worker' : (phase?.label ?? beginning),
        phase?.done ?? null,
        phase?.total ?? null,
        { secondsLeft: phase?.secondsLeft ?? null },
      ),
  });
}

/** How a job that was followed ended, with the reasons that are not among the lines of its log that were shown already. Scripts get all of them. */
export function jobFailure(says: string, { uri, errors }: JobEnd, shown: readonly string[]): CliFailure {
  const told = new Set(shown.map((line) => line.trim()));
  const reasons = errors.filter((line) => !told.has(line.trim())).map((line) => `  ${line}`);
  return new CliFailure([says, ...reasons].join('\n'), { details: { job: uri, errors: [...errors] } });
}

/** What Ctrl-C says of a job that the server goes on with. */
function goesOn(uri: string): Interrupted {
  return new Interrupted(
    `Stopped watching; the job goes on in the server: ${uri}\n  watch it again: muniment jobs --follow ${uri}\n  stop it:        muniment jobs --cancel ${uri}`,
    { job: uri },
  );
}

/** Fails where the text is no uri of a job. */
export function checkJobUri(uri: string): void {
  if (!/^(\/repositories\/\d+)?\/jobs\/\d+$/.test(uri))
    throw new CliFailure(`${uri} is no uri of a job: it should look like /repositories/2/jobs/7.`, { exitCode: 2 });
}
