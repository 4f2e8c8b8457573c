// Entries of the audit log as rows: they stand with their transaction, and go when they are old.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendAudit, pruneAudit, readAudit } from '#store/access/audit.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const nobody = { actor: null, address: null, requestId: null };
const everything = { event: null, actor: null, subject: null, since: null, until: null };
const page = { offset: 0, limit: 10 };

it('is not written where the transaction fails', async () => {
  const failing = database.transaction(async (tx) => {
    await appendAudit(tx, nobody, { event: 'login' });
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect((await readAudit(database.reader, everything, page)).total).toBe(0);
});

it('goes when it is older than it is to be kept, and stays where nothing says so', async () => {
  await database.transaction((tx) =>
    tx.run(
      sql`INSERT INTO audit_entry (event, at) VALUES ('login', now() - interval '11 days'), ('logout', now() - interval '9 days')`,
    ),
  );
  expect(await pruneAudit(database, 0)).toBe(0);
  expect(await pruneAudit(database, 10)).toBe(1);
  expect((await readAudit(database.reader, everything, page)).entries).toMatchObject([
    { event: 'logout', details: {} },
  ]);
});
