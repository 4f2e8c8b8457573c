// Two kinds of tests. What is pure shares a process and needs no database; what runs the service has an isolated process per file, a PostgreSQL
// cluster per run (test/support/cluster.ts) and a cloned database per file.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// As scripts/start.mjs has it: processes and threads of tests start in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/code');

// What is waited for comes by itself, however busy the machine is: these limits end what hangs. How soon it comes is measured in test/bench,
// on a machine that is idle. No test has limits of its own.
const limits = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 600_000, interval: 20 } },
};

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      // A process for each file spent four fifths of its time on importing the same modules once more.
      { test: { ...limits, name: 'unit', include: ['test/unit/**/*.test.ts'], pool: 'forks', isolate: false } },
      {
        test: {
          ...limits,
          name: 'service',
          include: ['test/{integration,contract,fault}/**/*.test.ts'],
          pool: 'forks',
          globalSetup: ['test/support/cluster.ts'],
        },
      },
    ],
  },
});
