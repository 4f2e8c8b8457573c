// Tests: one isolated process per file, a PostgreSQL cluster per run (test/support/cluster.ts), a cloned database per file.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,integration,contract,fault}/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes by itself; how soon is measured in test/bench, on a machine that is idle.
    expect: { poll: { timeout: 40_000, interval: 20 } },
  },
});
