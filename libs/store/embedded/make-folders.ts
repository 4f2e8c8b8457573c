// Folders that are made with those above them.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it where there are none. Throws what the system says: Node's own `recursive` tries for ever where nothing can be
 * made in a folder that is there, as in /proc.
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) makeOne(folder);
}

/** Another process may make it meanwhile. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

/** Fails where something that is no folder stands in the path above it. */
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
