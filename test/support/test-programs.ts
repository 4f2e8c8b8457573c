// The processes of tests' own (`*-process.ts` beside this file), started from bundles as the service's programs are (docs/decisions/0052): from the
// sources each of them, and each of its threads, reads nine hundred files first, for a process that is killed a second later.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFolder, runnable } from '../../scripts/bundled.mjs';
import { projectRoot } from './service.ts';

/** Where their bundles are (cluster.ts makes them, at the beginning of a run). */
export const testBundleFolder = bundleFolder(projectRoot, 'test-bundle');

/** Their paths from the root of the project. */
export const testPrograms = (): readonly string[] =>
  globSync('test/support/*-process.ts', { cwd: projectRoot }).toSorted();

/** The path of what runs for one of them, by its name without `-process.ts`: its bundle, or the file itself where that is newer. */
export const testProgram = (name: string): string =>
  runnable(projectRoot, join(projectRoot, `test/support/${name}-process.ts`), testBundleFolder);
