// The migration runner on an empty database, with files of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MigrationRefused, migrate, refuseOldServer } from '#store/set-up/migrate.ts';
import { withoutTemplate } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

let folder = '';
let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muniment-migrations-'));
  database = await withoutTemplate();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, sql: string): void => writeFileSync(join(folder, name), sql);
const tables = async (): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    )
  ).rows.map((row) => row.name);

describe('migrate', () => {
  it('applies files in order, once, and records each with its hash and time', async () => {
    file('0002_b.sql', 'ALTER TABLE a ADD COLUMN n int;');
    file('0001_a.sql', '-- a comment\nCREATE TABLE a (id int);\nCREATE TABLE z (id int);');
    expect(await migrate(database.url, folder)).toEqual({ applied: ['0001_a.sql', '0002_b.sql'] });
    expect(await migrate(client, folder)).toEqual({ applied: [] });
    const { rows } = await client.query('SELECT name, sha256, applied_at FROM migration ORDER BY name');
    expect(rows).toEqual([
      { name: '0001_a.sql', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), applied_at: expect.any(Date) },
      { name: '0002_b.sql', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), applied_at: expect.any(Date) },
    ]);
    expect(await tables()).toEqual(['a', 'migration', 'z']);
  });

  it('applies only what is new on a database that ran the rest', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int)');
    await migrate(client, folder);
    file('0002_b.sql', 'CREATE TABLE b (id int)');
    expect(await migrate(client, folder)).toEqual({ applied: ['0002_b.sql'] });
  });

  it('says what became of a file whose connection the database ended, which does not end the process', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int);\nSELECT pg_terminate_backend(pg_backend_pid());');
    await expect(migrate(database.url, folder)).rejects.toThrow(MigrationRefused);
    expect(await tables()).toEqual(['migration']);
  });

  it('keeps nothing of a file that fails, keeps those before it, and names the file and the line', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int)');
    file('0002_b.sql', 'CREATE TABLE b (id int);\nSELECT nonsense;\n');
    await expect(migrate(client, folder)).rejects.toThrow(
      'Migration 0002_b.sql line 2: column "nonsense" does not exist',
    );
    expect(await tables()).toEqual(['a', 'migration']);
    file('0002_b.sql', 'CREATE TABLE b (id int)');
    expect(await migrate(client, folder)).toEqual({ applied: ['0002_b.sql'] });
  });

  it('refuses a file that was changed after it ran', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int)');
    await migrate(client, folder);
    file('0001_a.sql', 'CREATE TABLE a (id bigint)');
    await expect(migrate(client, folder)).rejects.toThrow(/Migration 0001_a\.sql was changed/);
  });

  it('takes line ends of another system as no change', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int);\n');
    await migrate(client, folder);
    file('0001_a.sql', 'CREATE TABLE a (id int);\r\n');
    expect(await migrate(client, folder)).toEqual({ applied: [] });
  });

  it('refuses a database that is newer than the code, and applies nothing', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int)');
    file('0003_c.sql', 'CREATE TABLE c (id int)');
    await migrate(client, folder);
    rmSync(join(folder, '0003_c.sql'));
    file('0002_b.sql', 'CREATE TABLE b (id int)');
    const refusal = await migrate(client, folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationRefused);
    expect(refusal).toMatchObject({ file: '0003_c.sql', message: expect.stringContaining('newer than the code') });
    expect(await tables()).not.toContain('b');
  });

  it('says of a database that is older than the oldest file that it must be upgraded by an earlier version, and applies nothing', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int)');
    await migrate(client, folder);
    rmSync(join(folder, '0001_a.sql'));
    file('0010_all.sql', 'CREATE TABLE b (id int)');
    await expect(migrate(client, folder)).rejects.toThrow(/0001_a\.sql.*older than this version can upgrade/);
    expect(await tables()).toEqual(['a', 'migration']);
  });

  it('refuses a new file whose number is below one that ran', async () => {
    file('0002_b.sql', 'CREATE TABLE b (id int)');
    await migrate(client, folder);
    file('0001_a.sql', 'CREATE TABLE a (id int)');
    await expect(migrate(client, folder)).rejects.toThrow(/0001_a\.sql is new, but 0002_b\.sql already ran/);
  });

  it('refuses a server that is too old, in words', () => {
    expect(() => refuseOldServer(150_018, '15.18 (Debian 15.18-0+deb12u1)')).toThrow(
      'The database server is PostgreSQL 15.18 (Debian 15.18-0+deb12u1); Muniment needs 16 or later.',
    );
    expect(() => refuseOldServer(160_000, '16.0')).not.toThrow();
  });

  it('refuses a misnamed file and a number used twice', async () => {
    file('1_a.sql', 'SELECT 1');
    await expect(migrate(client, folder)).rejects.toThrow('Migration 1_a.sql is not named NNNN_name.sql.');
    rmSync(join(folder, '1_a.sql'));
    file('0001_a.sql', 'SELECT 1');
    file('0001_b.sql', 'SELECT 1');
    await expect(migrate(client, folder)).rejects.toThrow('Migrations 0001_a.sql and 0001_b.sql have the same number.');
  });

  it('applies each file once where several processes start together', async () => {
    file('0001_a.sql', 'CREATE TABLE a (id int); SELECT pg_sleep(0.1)');
    file('0002_b.sql', 'CREATE TABLE b (id int); SELECT pg_sleep(0.1)');
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, folder)));
    expect(runs.flatMap((run) => run.applied).sort()).toEqual(['0001_a.sql', '0002_b.sql']);
  });

  it('is not cut short by a statement timeout of the connection, and leaves that timeout as it was', async () => {
    await client.query("SET statement_timeout = '50ms'");
    file('0001_a.sql', 'SELECT pg_sleep(0.2)');
    expect(await migrate(client, folder)).toEqual({ applied: ['0001_a.sql'] });
    expect((await client.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '50ms' }]);
  });
});
