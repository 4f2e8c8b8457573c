// The service behind a real PgBouncer: API and worker with a pooled address and a direct one, pooling by session, and by transaction where the program keeps
// prepared statements (1.21 and later).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { diagnose } from '#domain/doctor/diagnose.ts';
import { limits } from '#domain/doctor/limits.ts';
import { readFacts } from '#store/doctor/facts.ts';
import { createDatabase } from '#test/support/database.ts';
import { isLong } from '#test/support/long.ts';
import { pgbouncerVersion, startPgbouncer } from '#test/support/pgbouncer.ts';
import { resourceBody } from '#test/support/records.ts';
import { runSql } from '#test/support/run-sql.ts';
import { adminPasswordOf, ask, login, makeDataDir, projectRoot, startService } from '#test/support/service.ts';
import type { JsonObject } from '#domain/json.ts';

const version = pgbouncerVersion();
const keepsStatements = (version ?? 0) >= 121;
if (version === null)
  console.warn('SKIPPED: no PgBouncer (Debian: apt-get install pgbouncer), so the service is not tried behind one.');
else if (!keepsStatements)
  console.warn(
    'SKIPPED: this PgBouncer keeps no prepared statements (before 1.21), so pooling by transaction is not tried.',
  );

/** What docs/operations.md has operators give to the user. */
const roleSettings = (database: string): readonly string[] =>
  [
    ...readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8').matchAll(
      /^ {4}(ALTER ROLE muniment IN DATABASE muniment SET .*;)$/gm,
    ),
  ].map(([, statement = '']) => statement.replace('DATABASE muniment', `DATABASE ${database}`));

const migrations = new URL('../../../../db/migrations/', import.meta.url);
const lostSettings = async (url: string, pooledUrl: string): Promise<readonly string[]> => {
  const facts = await readFacts({ url, pooledUrl, migrations, clock: () => Date.now() });
  return diagnose(facts, limits, readConfig({}), [])
    .filter(({ id }) => id === 'pooler_drops_settings')
    .map(({ says }) => says);
};

// Whoever may share connections by transaction may do so by session: usual runs have the harder one of those that can be tried.
const harder = keepsStatements ? 'transaction' : 'session';

describe.skipIf(version === null).each(['session', 'transaction'] as const)('pooling by %s', (mode) => {
  it.runIf((isLong || mode === harder) && (mode === 'session' || keepsStatements))(
    'serves reads, writes, jobs and searches of many clients at once on few connections',
    async () => {
      await using database = await createDatabase();
      await using data = makeDataDir();
      // By session a connection of a process keeps one of the server; by transaction many share few.
      await using pooler = await startPgbouncer(database.url, mode, mode === 'session' ? 40 : 6);
      // The doctor sees what the pooler drops until the user has it.
      expect(await lostSettings(database.url, pooler.url)).toEqual([
        expect.stringContaining('random_page_cost, statement_timeout.'),
      ]);
      const settings = roleSettings(database.name);
      expect(settings).toHaveLength(3);
      for (const statement of settings) await runSql(database.url, statement);
      await using fresh = await startPgbouncer(database.url, mode, mode === 'session' ? 40 : 6);
      expect(await lostSettings(database.url, fresh.url)).toEqual([]);

      await using service = await startService({
        DATABASE_URL: fresh.url,
        DATABASE_DIRECT_URL: database.url,
        MUNIMENT_DATA_DIR: data.path,
      });
      const session = await login(service, adminPasswordOf(data.path));
      const post = async (path: string, body: JsonObject): Promise<string> => {
        const { status, body: reply } = await ask(service, path, session, body);
        expect([status, reply['error']]).toEqual([200, undefined]);
        return String(reply['uri']);
      };
      const repository = await post('/repositories', { repo_code: 'pooled', name: 'Pooled' });
      const resource = await post(`${repository}/resources`, resourceBody('P1', { publish: true }));
      const components = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          post(`${repository}/archival_objects`, {
            title: `Sluice ${n}`,
            level: 'file',
            resource: { ref: resource },
            publish: true,
          }),
        ),
      );
      // Reads on all connections, so that each prepares what others have prepared.
      const reads = await Promise.all(
        Array.from({ length: 200 }, (_, n) => ask(service, components[n % 40] ?? '', session)),
      );
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
      expect(reads.map(({ body }) => body['title'])).toEqual(reads.map((_, n) => `Sluice ${n % 40}`));
      // Updates with their versions, and one that comes too late.
      const [first = ''] = components;
      const { body: record } = await ask(service, first, session);
      const updates = await Promise.all(
        [1, 2].map((n) => ask(service, first, session, { ...record, title: `Changed ${n}` })),
      );
      expect(updates.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      // A request that stands on a job of the worker, whose end comes by NOTIFY on the direct address.
      const moved = await ask(
        service,
        `${resource}/accept_children?children[]=${components[1]}&position=0`,
        session,
        {},
      );
      expect(moved.status).toBe(200);
      // The indexer, through the pooler.
      await expect
        .poll(async () => (await ask(service, `${repository}/search?q=sluice&page=1`, session)).body['total_hits'])
        .toBe(39);
      expect(service.output()).not.toMatch(/"level":[56]0/);
    },
  );
});
