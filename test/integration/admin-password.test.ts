// The password that a first start makes for the administrator: in a file before it counts, and never an empty one. Those of hidden users.
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Passwords } from '#store/access/passwords.ts';
import { findLogin } from '#store/access/users.ts';
import { Database } from '#store/connection/database.ts';
import { connectToOwn, createDatabase } from '#test/support/database.ts';
import { cleanEnvironment, makeDataDir } from '#test/support/service.ts';
import { openForService, setServicePasswords } from '../../apps/open.ts';
import { readServiceConfig } from '../../apps/service-config.ts';

const log = pino({ level: 'silent' });

it.each(['', '\n'])('is made anew where a start that was cut off left a file with %j in it', async (left) => {
  await using data = makeDataDir();
  const database = await createDatabase();
  const file = join(data.path, 'admin-password');
  try {
    writeFileSync(file, left);
    chmodSync(file, 0o644);
    const config = readServiceConfig(cleanEnvironment({ DATABASE_URL: database.url, MUNIMENT_DATA_DIR: data.path }));
    await using store = await openForService(config, log, 'api');
    expect(store.passwordPlace).toBe(`in ${file}`);
    const password = readFileSync(file, 'utf8').trim();
    expect(password).toMatch(/^[\w-]{24}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(data.path).filter((name) => name.startsWith('admin-password'))).toEqual(['admin-password']);
    const hash = (await findLogin(store.database.reader, 'admin'))?.passwordHash ?? '';
    const passwords = new Passwords(1);
    expect([await passwords.verify('', hash), await passwords.verify(password, hash)]).toEqual([false, true]);
  } finally {
    await database.drop();
  }
});

it('is set for all hidden users on one connection', async () => {
  await using own = await connectToOwn();
  await using database = new Database({ url: own.url, poolSize: 4, applicationName: 'counted' });
  const variables = {
    DATABASE_URL: own.url,
    MUNIMENT_PUBLIC_USER_PASSWORD: 'one',
    MUNIMENT_STAFF_USER_PASSWORD: 'two',
  };
  await setServicePasswords(database, readServiceConfig(cleanEnvironment(variables)));
  const { rows } = await own.client.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'counted'",
  );
  expect(rows).toEqual([{ n: 1 }]);
  const hashes = ['public_anonymous', 'staff_system', 'search_indexer'].map(
    async (name) => (await findLogin(database.reader, name))?.passwordHash ?? null,
  );
  expect(await Promise.all(hashes)).toEqual([expect.any(String), expect.any(String), null]);
});
