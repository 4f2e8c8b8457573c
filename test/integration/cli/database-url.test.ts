// Which database the commands look into that do without the service. The embedded one: check-data.test.ts.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withDatabaseUrl } from '../../../apps/cli/database-url.ts';

const { signal } = new AbortController();
const chosen = (env: { readonly [name: string]: string }, database?: string): Promise<string> =>
  withDatabaseUrl({ env, signal }, database, async (url) => url);

it('is the one that is named, then the direct address, then that of the service', async () => {
  const both = { DATABASE_URL: 'postgres://pooled', DATABASE_DIRECT_URL: 'postgres://direct' };
  expect(await chosen(both, 'postgres://named')).toBe('postgres://named');
  expect(await chosen(both)).toBe('postgres://direct');
  expect(await chosen({ DATABASE_URL: 'postgres://pooled' })).toBe('postgres://pooled');
});

it('is refused in words where nothing says which', async () => {
  await expect(chosen({ MUNIMENT_DATA_DIR: '/nowhere/at/all' })).rejects.toThrow('There is no data folder');
  await expect(chosen({}, 'nonsense')).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('--database'),
  });
});

it('is not made where a folder has none, such as one of a wrong name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-test-'));
  await expect(chosen({ MUNIMENT_DATA_DIR: folder })).rejects.toThrow(`There is no database in ${folder}`);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

it('is named, with what refused, where it does not answer', async () => {
  const lost = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const asked = withDatabaseUrl({ env: {}, signal }, 'postgres://me:hush@db/x', async () => {
    throw new Error('The database is not reachable', { cause: lost });
  });
  await expect(asked).rejects.toThrow(
    'The database is not reachable. The database postgres://me:***@db/x does not answer (ECONNREFUSED): is the server running, and reachable from here? --database names it.',
  );
});
