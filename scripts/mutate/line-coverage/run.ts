// Runs tests and has it recorded which lines of the product each reaches.
import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import { coverageFolder, prepareFolder } from './folder.ts';

/** Runs the tests (paths from the root) of the tree at `root`; `files` are its texts by path. */
export async function recordCoverage(
  root: string,
  files: ReadonlyMap<string, string>,
  tests: readonly string[],
): Promise<void> {
  prepareFolder(coverageFolder(root), files, tests);
  // Code from a cache has no counters for what stands within functions.
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  // Threads that wait for work without their event loop never come to tell anything.
  process.env['PISCINA_DISABLE_ATOMICS'] = '1';
  process.env['MUNIMENT_TEST_COVERAGE'] = 'lines';
  const run = await startVitest(
    'test',
    tests.map((test) => join(root, test)),
    { root, watch: false, reporters: ['default'], cache: false },
  );
  await run.close();
}
