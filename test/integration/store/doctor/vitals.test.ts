// Figures of an installation for numbers and doctor, of a database in which they are known; and the numbers that processes make of them.
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendChange } from '#store/change-log/append.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { Database } from '#store/connection/database.ts';
import { readServerFacts } from '#store/doctor/server.ts';
import { readVitals } from '#store/doctor/vitals.ts';
import { readWorkFacts } from '#store/doctor/work.ts';
import { openPresence } from '#store/queue/presence.ts';
import { runSql } from '#test/support/run-sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { addInstallation } from '../../../../apps/installation-metrics.ts';
import { makeProcessMetrics } from '../../../../apps/process-metrics.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 4 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

it('tell of workers, webhooks, backups and the server', async () => {
  expect(await readVitals(database.reader)).toMatchObject({ workers: 0, deliveriesDead: 0, backupSeconds: null });
  await runSql(
    own.url,
    `WITH hook AS (INSERT INTO webhook (url, secret) VALUES ('http://localhost', 's') RETURNING id)
      INSERT INTO webhook_delivery (webhook_id, body, status) SELECT id, '{}', status FROM hook, unnest('{pending,pending,dead,delivered}'::text[]) AS status;
    INSERT INTO backup_made VALUES (now() - interval '1 hour', 5)`,
  );
  const presence = await openPresence(own.url, () => undefined);
  const vitals = await readVitals(database.reader);
  await presence.close();
  expect(vitals).toMatchObject({ workers: 1, deliveriesPending: 2, deliveriesDead: 1, connectionsLimit: 197 });
  expect(vitals.backupSeconds).toBeGreaterThanOrEqual(3600);
  expect(vitals.sizeBytes).toBeGreaterThan(1e6);
  // The server of the tests is on this machine.
  expect(vitals.freeBytes).toBeGreaterThan(0);
});

it('count deliveries by when they were given up', async () => {
  await using other = await createDatabase();
  await runSql(
    other.url,
    `WITH hook AS (INSERT INTO webhook (url, secret) VALUES ('http://localhost', 's') RETURNING id)
      INSERT INTO webhook_delivery (webhook_id, body, status, create_time, last_attempt)
      SELECT id, '{}', 'dead', now() - made * interval '1 hour', now() - ended * interval '1 hour' FROM hook, (VALUES (40, 1), (40, 25), (2, 1)) AS t (made, ended)`,
  );
  await using there = new Database({ url: other.url, poolSize: 2 });
  expect(await readVitals(there.reader)).toMatchObject({ deliveriesDead: 2 });
});

it('tell of changes out of transactions that were under way when the feed was last written', async () => {
  await using other = await createDatabase({ isSettled: true });
  await using there = new Database({ url: other.url, poolSize: 3 });
  const change = { kind: 'subject', repoId: null, op: 'create', actor: null, lockVersion: 0 } as const;
  await sequenceChanges(there);
  const { unsequencedSeconds } = await readVitals(there.reader);
  expect(unsequencedSeconds).toBe(0);
  await there.transaction(async (tx) => {
    await appendChange(tx, { ...change, id: 1 });
    await runSql(other.url, "INSERT INTO change (kind, id, op) VALUES ('subject', 2, 'create')");
    await runSql(other.url, 'SELECT sequence_changes()');
  });
  expect((await readVitals(there.reader)).unsequencedSeconds).toBeGreaterThan(0);
  expect((await readWorkFacts(there)).unsequencedSeconds).toBeGreaterThan(0);
});

it('are read of the server without a word of the service', async () => {
  const migrations = new URL('../../../../db/migrations/', import.meta.url);
  const facts = await readServerFacts(database.reader, database.reader, migrations, () => Date.now());
  expect(facts).toMatchObject({
    migrations: { pending: [], unknown: [], changed: [] },
    lostSettings: [],
    withoutVacuum: [],
    archiveFailing: null,
    readOnlyByDefault: false,
  });
});

it('are shown by processes, which keep the last ones and say so where the database is away', async () => {
  const errors: unknown[] = [];
  await using away = new Database({ url: 'postgresql://127.0.0.1:1/none', poolSize: 2 });
  const metrics = makeProcessMetrics(away, (error) => errors.push(error));
  const text = await metrics.text();
  metrics.close();
  expect(errors).toHaveLength(1);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toMatch(/^muniment_workers \d/m);
  const registry = new Registry();
  await addInstallation(registry, database, (error) => errors.push(error))();
  expect(errors).toHaveLength(1);
  expect(await registry.metrics()).toMatch(/^muniment_webhook_deliveries_dead 1$/m);
});
