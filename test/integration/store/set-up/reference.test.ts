// What a new database begins with, and that a second start changes nothing that somebody edited.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { Database } from '#store/connection/database.ts';
import { readEnumeration } from '#store/enumerations/lists.ts';
import { readGrants } from '#store/access/grants.ts';
import { hasAdminPassword, loadReference, readReferenceData, setSystemPassword } from '#store/set-up/reference.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { findLogin } from '#store/access/users.ts';
import { pino } from 'pino';
import { readConfig } from '#domain/config.ts';
import { openForService, setPasswordOf } from '../../../../apps/open.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { createDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';

const data = readReferenceData(new URL('../../../../db/reference/', import.meta.url));
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

const loadAgain = (): Promise<void> => database.transaction((tx) => loadReference(tx, data, generatedValues));

describe('a new database', () => {
  it('has the lists with the ids and the order that clients know', async () => {
    const level = await readEnumeration(database.reader, { id: 32 });
    expect(level).toMatchObject({ name: 'archival_record_level', editable: false, uri: '/config/enumerations/32' });
    const rows = await database.reader.any(sql.type(
      z.strictObject({ id: column.int, name: column.text, values: column.texts }),
    )`
      SELECT e.id, e.name, coalesce(array_agg(v.value ORDER BY v.position, v.id) FILTER (WHERE v.id IS NOT NULL), '{}') AS values FROM enumeration e LEFT JOIN enumeration_value v ON v.enumeration_id = e.id GROUP BY e.id ORDER BY e.id`);
    expect(rows).toEqual(
      data.enumerations.toSorted((a, b) => a.id - b.id).map(({ id, name, values }) => ({ id, name, values })),
    );
  });

  it('has the hidden repository 1, vocabulary 1, and the system users in their order', async () => {
    const rows = await database.reader.any(sql.type(AnyRow)`
      SELECT kind, id, label, suppressed FROM record WHERE kind IN ('repository', 'vocabulary', 'user') ORDER BY kind, id`);
    expect(rows).toEqual([
      { kind: 'repository', id: 1, label: 'Global repository (_service)', suppressed: true },
      { kind: 'user', id: 1, label: 'admin', suppressed: false },
      { kind: 'user', id: 2, label: 'search_indexer', suppressed: true },
      { kind: 'user', id: 3, label: 'public_anonymous', suppressed: true },
      { kind: 'user', id: 4, label: 'staff_system', suppressed: true },
      { kind: 'vocabulary', id: 1, label: 'global', suppressed: false },
    ]);
  });

  it('grants the system groups what the contract says, and stores no derived code', async () => {
    const grants = await readGrants(database.reader, [1, 2, 3, 4]);
    expect([...(grants.get(2)?.get(1) ?? [])].sort()).toEqual([
      'index_system',
      'view_all_records',
      'view_repository',
      'view_suppressed',
    ]);
    expect([...(grants.get(4)?.get(1) ?? [])]).toEqual(['mediate_edits']);
    expect([...(grants.get(1)?.get(1) ?? [])].sort()).toEqual(
      [...(data.global_groups['administrators']?.grants ?? [])].sort(),
    );
    const derived = data.permissions
      .filter((permission) => permission.derived_from !== null)
      .map((permission) => permission.code);
    const { n } = await database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM permission WHERE code = ANY(${sql.array(derived, 'text')})`);
    expect(n).toBe(0);
  });

  it('lets nobody log in until the administrator has a password', async () => {
    expect(await hasAdminPassword(database.reader)).toBe(false);
    await database.transaction((tx) => setSystemPassword(tx, 'admin', 'a hash'));
    expect(await hasAdminPassword(database.reader)).toBe(true);
    expect(await findLogin(database.reader, 'search_indexer')).toMatchObject({
      passwordHash: null,
      isSystemUser: true,
    });
  });
});

describe('passwords of the configuration', () => {
  const hashOf = async (username: string): Promise<string | null> =>
    (await findLogin(database.reader, username))?.passwordHash ?? null;
  const openSession = (): Promise<unknown> =>
    database.transaction((tx) =>
      tx.run(
        sql`INSERT INTO session (token_hash, user_id, expirable) VALUES ('\\x01', 4, false) ON CONFLICT DO NOTHING`,
      ),
    );
  const sessions = async (): Promise<number> =>
    (await database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM session WHERE user_id = 4`)).n;

  it('stay as they are where they are the same, and end what the old one opened where they change', async () => {
    await setPasswordOf(database, 'staff_system', 'the first one');
    const first = await hashOf('staff_system');
    await openSession();
    await setPasswordOf(database, 'staff_system', 'the first one');
    expect([await hashOf('staff_system'), await sessions()]).toEqual([first, 1]);
    await setPasswordOf(database, 'staff_system', 'the second one');
    expect(await hashOf('staff_system')).not.toBe(first);
    expect(await sessions()).toBe(0);
    await openSession();
    await setPasswordOf(database, 'staff_system', null);
    expect([await hashOf('staff_system'), await sessions()]).toEqual([null, 0]);
    // Of who had none, somebody else may have become that user: nothing has changed.
    await openSession();
    await setPasswordOf(database, 'staff_system', null);
    expect(await sessions()).toBe(1);
  });

  it('are not set by a worker, which is started again where it dies', async () => {
    const config = readConfig({ DATABASE_URL: own.url, MUNIMENT_ADMIN_PASSWORD: 'of long ago' });
    const before = await hashOf('admin');
    await using worker = await openForService(config, pino({ level: 'silent' }), 'worker');
    expect(worker.passwordPlace).toBe('as set before');
    expect(await hashOf('admin')).toBe(before);
  });
});

test.each([
  ['worker', '2', '4', 10],
  ['worker', '30', '16', 30],
  ['api', '2', '4', 2],
])('a process (%s) with %s connections for %s jobs opens %s at most', async (name, pool, jobs, opened) => {
  const settings = { DATABASE_URL: own.url, MUNIMENT_POOL_SIZE: pool, MUNIMENT_WORKER_CONCURRENCY: jobs };
  await using open = await openForService(readConfig(settings), pino({ level: 'silent' }), name);
  expect(open.database.settings.poolSize).toBe(opened);
});

describe('a second start', () => {
  it('changes nothing', async () => {
    const count = (): Promise<unknown> =>
      database.reader.one(sql.type(AnyRow)`
        SELECT (SELECT count(*) FROM record) AS records, (SELECT count(*) FROM enumeration_value) AS values,
      (SELECT count(*) FROM group_grant) AS grants, (SELECT count(*) FROM group_member) AS members, (SELECT count(*) FROM change) AS changes`);
    const before = await count();
    await loadAgain();
    expect(await count()).toEqual(before);
  });

  it('leaves edited lists alone, and brings back what nobody may remove', async () => {
    await database.transaction((tx) =>
      tx.run(sql`DELETE FROM enumeration_value WHERE value = 'gift' AND enumeration_id = 6`),
    );
    await database.transaction((tx) =>
      tx.run(sql`DELETE FROM enumeration_value WHERE value = 'digital_object' AND enumeration_id = 22`),
    );
    await database.transaction((tx) =>
      tx.run(sql`DELETE FROM enumeration_value WHERE value = 'series' AND enumeration_id = 32`),
    );
    await loadAgain();
    expect(await readEnumeration(database.reader, { id: 6 })).toMatchObject({
      values: ['deposit', 'purchase', 'transfer'],
    });
    expect((await readEnumeration(database.reader, { id: 22 }))['values']).toContain('digital_object');
    expect((await readEnumeration(database.reader, { id: 32 }))['values']).toContain('series');
  });

  it('has the administrator among the administrators again, whoever took them out', async () => {
    const administrators = (): Promise<readonly unknown[]> =>
      database.reader.any(sql.type(AnyRow)`
        SELECT m.user_id FROM group_member m JOIN record g ON g.kind = 'group' AND g.id = m.group_id WHERE g.label = 'administrators' ORDER BY 1`);
    const before = await administrators();
    expect(before).toContainEqual({ user_id: 1 });
    await database.transaction((tx) => tx.run(sql`DELETE FROM group_member WHERE user_id = 1`));
    await loadAgain();
    expect(await administrators()).toEqual(before);
  });

  it('gives a permission that is new to the reference its description and the next id', async () => {
    const more = {
      ...data,
      permissions: [
        ...data.permissions,
        { code: 'walk_on_water', level: 'repository', description: 'walk', hidden: false, derived_from: null },
      ],
    };
    await database.transaction((tx) => loadReference(tx, more, generatedValues));
    const rows = await database.reader.any(sql.type(z.strictObject({ id: column.int, code: column.text }))`
      SELECT id, code FROM permission WHERE id IN (1, 6, 14) OR code = 'walk_on_water' ORDER BY id`);
    expect(rows.map((row) => row.code)).toEqual([
      'create_job',
      'administer_system',
      'manage_repository',
      'walk_on_water',
    ]);
  });
});
