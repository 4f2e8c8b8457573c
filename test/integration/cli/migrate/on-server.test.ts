// `muniment migrate --server` where it does not go well: the source is not allowed, or what was read cannot be loaded. How it goes well is in
// test/integration/worker/jobs/migrate-from.test.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import type { Incumbent } from '../incumbent.ts';
import { smallHoldings, startIncumbent } from '../incumbent.ts';
import type { Run } from '../run-cli.ts';
import { runCli } from '../run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'muniment-migrations-'));
let api: TestApi;
let incumbent: Incumbent;
beforeAll(async () => {
  incumbent = await startIncumbent(smallHoldings('ArchivesSpace (v4.1.1)'));
  api = await startTestApi({
    worker: 'jobs',
    environment: { MUNIMENT_MIGRATION_SOURCES: incumbent.url, MUNIMENT_MIGRATION_FOLDER: folder },
  });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await incumbent[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const migrate = (from: string, ...more: readonly string[]): Promise<Run> =>
  runCli(['migrate', '--from', from, '--server', '--requests-a-second', '1000', ...more], {
    env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword, MUNIMENT_SOURCE_PASSWORD: 'secret' },
  });

it('tells why the records cannot be loaded, with both jobs', async () => {
  const { code, stderr } = await migrate(incumbent.url);
  // The records of this source are stubs.
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/Reading .*: \/jobs\/\d+[^]*archival objects: 250[^]*failed/),
  ]);
  expect(stderr).toMatch(/Loading: \/jobs\/\d+/);
});

it('is refused for a source that the service may not read, for a folder, and with --since', async () => {
  const elsewhere = await migrate('https://elsewhere.example.org/api', '--json');
  expect([elsewhere.code, JSON.parse(elsewhere.stdout).details]).toEqual([
    1,
    { source: ['Is none of MUNIMENT_MIGRATION_SOURCES'] },
  ]);
  expect(await migrate(folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('--from names its address') });
  expect(await migrate(incumbent.url, '--since', '2026-01-01')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--into'),
  });
});
