// Handler of moving files: one after the other, by their ids. A run that is cut off has moved what it has moved; the next one goes on with the rest.
import { Failure, fail } from '#domain/errors.ts';
import { moveFiles } from '#domain/jobs/move-files.ts';
import { openDiskSpace } from '#store/files/disk-space.ts';
import type { FileToMove } from '#store/files/move.ts';
import { countToMove, moveToDatabase, moveToStorage, nextToMove, removeCutOff } from '#store/files/move.ts';
import { defineHandler } from '../handler.ts';

/** Moves every file that is elsewhere; files that come in meanwhile go where MUNIMENT_FILES_NEW says. The value tells how many were moved. */
export const handler = defineHandler(moveFiles, async ({ to }, context) => {
  const { database, signal, options } = context;
  const { files: storage } = database.settings;
  if (storage === undefined || storage === null)
    throw fail('not_allowed', 'There is no storage of files: MUNIMENT_FILES_URL is not set for this worker');
  // The database's disk takes what comes back; the storage sees to its own.
  const diskSpace = await openDiskSpace(database.reader, to === 'database' ? options.diskReserveBytes : 0);
  let damaged: Failure | null = null;
  const move = async (file: FileToMove): Promise<boolean> => {
    try {
      return to === 's3'
        ? await moveToStorage(database, storage, file, context.transaction, signal)
        : await moveToDatabase(database, file, context.transaction);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'file_damaged')) throw error;
      // It stays where it is, and holds up no other.
      context.log(`damaged, not moved: ${file.id}`);
      damaged ??= error;
      return false;
    }
  };
  // Of a run that was killed.
  await context.transaction((tx) => removeCutOff(tx));
  const { files: total, bytes: totalBytes } = await countToMove(database.reader, to);
  context.log(`${total} files, ${totalBytes} bytes, to ${to === 's3' ? storage.name : 'the database'}`);
  await diskSpace.require(totalBytes);
  let done = 0;
  let moved = 0;
  let bytes = 0;
  for (let after: string | null = null; ;) {
    const files: readonly FileToMove[] = await nextToMove(database.reader, to, after);
    for (const file of files) {
      signal.throwIfAborted();
      // Others write, too.
      await diskSpace.require(file.sizeBytes);
      if (await move(file)) {
        moved += 1;
        bytes += file.sizeBytes;
      }
      done += 1;
      context.progress({ label: 'Moving files', done, total: Math.max(done, total) });
    }
    const last = files.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  const { files: left } = await countToMove(database.reader, to);
  context.log(`moved: ${moved} files, ${bytes} bytes; elsewhere still: ${left}`);
  // The compiler does not see that `move` has set it.
  if (damaged !== null) throw damaged as Failure;
  return { moved, bytes, left };
});
