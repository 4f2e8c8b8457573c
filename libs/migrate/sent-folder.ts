// What a folder remembers of its loads: the mark of one that was sent is written down before it is sent, and whoever comes next asks what became of it.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from './folder.ts';
import { changesFolder, readManifest, writeManifest } from './folder.ts';

/** The load of a folder that was sent, and whose end nobody saw yet. */
export async function sendingOf(folder: string): Promise<Manifest['sending']> {
  return (await manifestOf(folder))?.sending;
}

/** The service that a folder was loaded into last; undefined where it never was. */
export async function loadedInto(folder: string): Promise<string | undefined> {
  return (await manifestOf(folder))?.loaded;
}

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

const manifestOf = (folder: string): Promise<Manifest | null> => readManifest(folder).catch(() => null);
