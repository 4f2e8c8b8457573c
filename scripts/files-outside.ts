// What backup and restore say of files that are in a storage, and not in the file.
import type { FilePlace } from '#store/files/objects.ts';

/** A line for each place, and what to do about it. Empty where everything is in the database. */
export const wordsOfOutside = (outside: readonly FilePlace[], advice: string): string =>
  outside.length === 0
    ? ''
    : `${outside.map(({ storage, files, bytes }) => `Not in it: ${files} files (${bytes} bytes) in ${storage}.\n`).join('')}${advice}\n`;
