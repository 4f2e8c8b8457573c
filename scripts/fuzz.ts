// `npm run fuzz [-- --requests 50000 --seed 1]`: sends so many requests that follow from the OpenAPI document, mostly wrong, to a service of its
// own, as every role: none may be a 5xx, show what is hidden, or take over 5 s. The suite sends 2,000 and does not judge by time.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
});
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
process.stdout.write(`${values.requests} requests, seed ${values.seed}\n`);
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/contract/fuzz.test.ts', '--testTimeout', '0'], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed, FUZZ_BOUND_MS: '5000' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
