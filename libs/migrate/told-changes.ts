// What a folder has to tell the next load: what was changed and what went at the source since it was loaded. The last that was heard of a record counts.
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#domain/json.ts';
import { LinesWriter, changesFolder, linesFile, readRecords } from './folder.ts';
import { deletedFile, openAppending } from './read-into.ts';
import { uriOf } from './reading.ts';
import { UriSet } from './uri-set.ts';

/** Keeps what has changed since a folder was loaded, for the next load: behind what is there already. Nothing where it was not loaded. */
export async function changesOf(folder: string, isLoaded: boolean) {
  const below = join(folder, changesFolder);
  const gone = new UriSet();
  for await (const record of readRecords(linesFile(below, deletedFile))) gone.add(uriOf(record));
  const append = async (where: string, file: string, lines: readonly JsonObject[]): Promise<void> => {
    if (lines.length === 0) return;
    await mkdir(where, { recursive: true });
    const writer = await openAppending(where, file);
    await writer.write(lines);
    await writer.close();
  };
  const tellGone = async (uris: readonly string[]): Promise<void> => {
    if (!isLoaded) return;
    for (const uri of uris) gone.add(uri);
    await append(below, deletedFile, uris.map(goneLine));
  };
  // What an earlier update told to be gone and is there again, transferred back or listed once more, would not be loaded. Forgotten before its line is
  // written: who is killed between finds it again.
  const tellBack = async (uris: readonly string[]): Promise<void> => {
    const back = uris.filter((uri) => gone.has(uri));
    if (back.length === 0) return;
    for (const uri of back) gone.delete(uri);
    const path = linesFile(below, deletedFile);
    const writer = await LinesWriter.open(`${path}.new`, 0);
    await writer.write([...gone].map(goneLine));
    await writer.close();
    await rename(`${path}.new`, path);
  };
  return {
    tellGone,
    add: async (file: string, lines: readonly JsonObject[]) => {
      if (!isLoaded) return;
      await tellBack(lines.map(uriOf));
      await append(below, file, lines);
    },
    // The folder itself remembers it, too: no list tells it again.
    remove: async (uris: readonly string[]) => {
      await append(folder, deletedFile, uris.map(goneLine));
      await tellGone(uris);
    },
  };
}

const goneLine = (uri: string): JsonObject => ({ uri, at: null });
