// A source into its folder, whatever state that is in: what an earlier run left is gone on with, what is complete is brought up to date.
import { readManifest } from './folder.ts';
import type { ReadOptions, ReadOutcome } from './read-into.ts';
import { readInto } from './read-into.ts';
import type { Source } from './source.ts';
import { updateFolder } from './update-folder.ts';

/** Reads what is not there yet; with `isUpdate` also what has changed since, while it was read too. An update that was interrupted goes on in any case: without it the folder is neither old nor new. */
export async function readOrUpdate(
  source: Source,
  folder: string,
  isUpdate: boolean,
  options: ReadOptions,
): Promise<ReadOutcome> {
  const isUnderUpdate = (await readManifest(folder))?.updating !== undefined;
  const first = isUnderUpdate ? null : await readInto(source, folder, options);
  if (first !== null && !isUpdate) return first;
  const updated = await updateFolder(source, folder, options);
  return { ...updated, readNow: updated.readNow + (first?.readNow ?? 0) };
}
