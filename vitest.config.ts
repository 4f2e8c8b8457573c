// Tests: one isolated process per file, a PostgreSQL cluster per run (test/support/cluster.ts), a cloned database per file.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,integration,contract,fault}/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What is waited for comes by itself, however busy the machine is: these limits end what hangs. How soon it comes is measured in test/bench,
    // on a machine that is idle. No test has limits of its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 600_000, interval: 20 } },
  },
});
