// Two kinds of tests. What is pure needs no database; what runs the service has a PostgreSQL cluster per run (test/support/cluster.ts) and a cloned
// database per file. Files of either kind run one after another in the same few processes: a process for each file spent most of its time on
// importing the same modules, and on starting the same threads, once more. So no file leaves anything changed behind in its process.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './test/support/file-order.ts';
import { memoryFolder } from './test/support/memory-folder.ts';

// As scripts/start.mjs has it: processes and threads of tests start in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/code');

// Tests wait for workers; behind three processes of tests these would come last.
process.env['MUNIMENT_WORKER_NICE'] ??= '0';

// What tests write goes into memory where there is enough of it: cloning a database for a file took 1.7 s on a busy machine's disk, and takes 0.26.
const memory = memoryFolder();
if (memory !== null) process.env['TMPDIR'] ??= memory;

// What is waited for comes by itself, however busy the machine is: these limits end what hangs. How soon it comes is measured in test/bench,
// on a machine that is idle. No test has limits of its own. The longest of a usual run takes a minute and a half.
const mostMs = process.env['MUNIMENT_LONG_TESTS'] === '1' ? 900_000 : 300_000;
const limits = {
  testTimeout: mostMs,
  hookTimeout: mostMs,
  expect: { poll: { timeout: (mostMs / 3) * 2, interval: 50 } },
};

// Most of what a test makes is gone at its end: with more room for what is young, from the beginning, less time goes into collecting it. By one thread, since
// other processes have the processors: V8's threads would share what is young out among themselves, and wait for each other more than they collect.
const collecting = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--no-parallel-scavenge'];

// What `npm run mutate -- --cover` records; nothing otherwise.
const recording = {
  setupFiles: [join(import.meta.dirname, 'scripts/mutate/line-coverage/setup.ts')],
  execArgv: [...collecting, '--import', join(import.meta.dirname, 'scripts/mutate/line-coverage/preload.ts')],
};

export default defineConfig({
  test: {
    ...limits,
    // An outcome that is compared with a kept one fails where nothing is kept (test/support/kept.ts); `-u` keeps it.
    update: 'none',
    execArgv: collecting,
    ...(process.env['MUNIMENT_TEST_COVERAGE'] === 'lines' ? recording : {}),
    // Node reads the modules as it does in the service: by itself, types stripped. Going through vite cost ten seconds before the first test.
    // Nor does vitest look through each for mocks of modules: there are none.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: FileOrder },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/{integration,contract,fault}/**/*.test.ts'],
          globalSetup: ['test/support/cluster.ts'],
        },
      },
    ],
  },
});
