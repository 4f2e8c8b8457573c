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
    reporters: process.env['CI'] ? ['default'] : ['default'],
  },
});
