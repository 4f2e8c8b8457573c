// A load that was sent, and whose end no run saw: its mark is written into the folder before it is sent, and whoever comes next asks the service.
import type { JobEnd } from '#client/jobs.ts';
import { isObject, textOf } from '#domain/json.ts';
import { forgetSending, noteLoaded, sendingOf } from '#migrate/sent-folder.ts';
import type { Client } from './client.ts';
import { CliFailure } from './failure.ts';

/**
 * Finds out what became of a load of this folder that an earlier run sent and did not see the end of; one that is under way is followed. Gives
 * the address of its job where it was loaded (empty: the job is gone, its records are here); null where nothing was sent, or it came to nothing.
 */
export async function settleSent(
  client: Client,
  folder: string,
  follow: (job: string) => Promise<JobEnd>,
): Promise<{ readonly job: string; readonly update: boolean } | null> {
  const sending = await sendingOf(folder);
  // What was sent to another service is no matter of this one.
  if (sending === undefined || sending.service !== client.url) return null;
  const found = await client.ask(`/system/loads/${sending.mark}`).catch((error: unknown) => {
    if (error instanceof CliFailure && error.status === 404) return null;
    throw error;
  });
  const job = isObject(found) ? (textOf(found, 'job') ?? '') : '';
  let status = isObject(found) ? textOf(found, 'status') : undefined;
  if (job !== '' && (status === 'queued' || status === 'running')) ({ status } = await follow(job));
  if (status !== 'completed') {
    await forgetSending(folder);
    return null;
  }
  await noteLoaded(folder, client.url);
  return { job, update: sending.update };
}
