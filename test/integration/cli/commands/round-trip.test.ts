// Moving in, whole: a service with records of every kind is read, loaded into an empty one, and compared with it, by the commands alone.
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { fillWithStates } from '#test/support/make/records-in-states.ts';
import { fast, linesOf, manifestOf } from '../archive-of-all-kinds.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

const environment = { MUNIMENT_SLUGS: 'title', MUNIMENT_ARKS: 'true' };
const source = await startTestApi({ environment });
const target = await startTestApi({ environment });
afterAll(async () => {
  await source[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});
const repository = await fillWithStates(source);
const files = filesForTests();

const run = (...args: readonly string[]): Promise<Run> =>
  runCli(args, {
    cwd: files.folder,
    env: {
      MUNIMENT_URL: target.url,
      MUNIMENT_PASSWORD: adminPassword,
      MUNIMENT_SOURCE_PASSWORD: adminPassword,
    },
  });

describe('a move from a running service', () => {
  const folder = join(files.folder, `from-${source.url.replace('http://', '').replace(':', '-')}`);

  it('reads into a folder and loads it, in one command', async () => {
    const { code, stdout, stderr } = await run('migrate', '--from', source.url, ...fast);
    expect([code, stderr.includes('Nothing was loaded')], stderr).toEqual([0, false]);
    expect(stdout).toMatch(/^Loaded in \d/);
    expect(manifestOf(folder).finished).toEqual(expect.any(String));
    expect(linesOf(folder, 'problems')).toEqual([]);
  }, 120_000);

  it('is proved by verify, against the folder and against the source', async () => {
    for (const against of [folder, source.url]) {
      const { code, stdout } = await run('verify', '--against', against, ...fast);
      expect([code, stdout], stdout).toEqual([0, expect.stringContaining('Everything is the same.')]);
    }
    expect((await checkDatabase(target.database)).filter(({ count }) => count > 0)).toEqual([]);
  }, 120_000);

  it('loads the folder without the source, and refuses where there are records already', async () => {
    const again = await run('migrate', '--from', folder);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There are records already')]);
  });
});
void repository;
