// A load that was sent, and whose end no run saw: its mark is written into the folder before it is sent, and whoever comes next asks the service.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, textOf } from '#domain/json.ts';
import type { JobEnd } from '#client/jobs.ts';
import type { Client } from './client.ts';
import { CliFailure } from './failure.ts';
import type { Manifest } from './migrate/folder.ts';
import { changesFolder, readManifest, writeManifest } from './migrate/folder.ts';

/** Writes down that a folder is about to be sent. Gives the mark to send it with; null for a folder without a manifest of ours, which stays as it is. */
export async function noteSending(folder: string, service: string, update: boolean): Promise<string | null> {
  const manifest = await manifestOf(folder);
  if (manifest === null) return null;
  const mark = randomUUID();
  await writeManifest(folder, { ...manifest, sending: { service, mark, update } });
  return mark;
}

/** Remembers where a folder was loaded, and that nothing has changed in it since. */
export async function noteLoaded(folder: string, service: string): Promise<void> {
  const manifest = await manifestOf(folder);
  if (manifest === null) return;
  await rm(join(folder, changesFolder), { recursive: true, force: true });
  const { sending: _, ...rest } = manifest;
  await writeManifest(folder, { ...rest, loaded: service });
}

/** Forgets a load that came to nothing. */
export async function forgetSending(folder: string): Promise<void> {
  const manifest = await manifestOf(folder);
  if (manifest?.sending === undefined) return;
  const { sending: _, ...rest } = manifest;
  await writeManifest(folder, rest);
}

/**
 * Finds out what became of a load of this folder that an earlier run sent and did not see the end of; one that is under way is followed. Gives
 * the address of its job where it was loaded (empty: the job is gone, its records are here); null where nothing was sent, or it came to nothing.
 */
export async function settleSent(
  client: Client,
  folder: string,
  follow: (job: string) => Promise<JobEnd>,
): Promise<{ readonly job: string; readonly update: boolean } | null> {
  const sending = (await manifestOf(folder))?.sending;
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

const manifestOf = (folder: string): Promise<Manifest | null> => readManifest(folder).catch(() => null);
