// Which database the commands look into that do without the service. The embedded one: check-data.test.ts.
import { expect, it } from 'vitest';
import { withDatabaseUrl } from '../../../apps/cli/database-url.ts';

const chosen = (env: { readonly [name: string]: string }, database?: string): Promise<string> =>
  withDatabaseUrl({ env }, database, async (url) => url);

it('is the one that is named, then the direct address, then that of the service', async () => {
  const both = { DATABASE_URL: 'postgres://pooled', DATABASE_DIRECT_URL: 'postgres://direct' };
  expect(await chosen(both, 'postgres://named')).toBe('postgres://named');
  expect(await chosen(both)).toBe('postgres://direct');
  expect(await chosen({ DATABASE_URL: 'postgres://pooled' })).toBe('postgres://pooled');
});

it('is refused in words where nothing says which', async () => {
  await expect(chosen({ MUNIMENT_DATA_DIR: '/nowhere/at/all' })).rejects.toThrow('There is no data folder');
});
