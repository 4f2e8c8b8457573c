// The statements of a load, each on a few rows of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { namingOff } from '#domain/identifiers/naming.ts';
import { Database } from '#store/connection/database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { readClashes, readFilled, removeReplaced } from '#store/loading/clashes.ts';
import { findLoadFaults } from '#store/loading/faults.ts';
import { finishLoad, layLoadedTrees, readUsersToInvite, settleTargets, writeRights } from '#store/loading/settle.ts';
import { copyAddresses, copyLoadedRecords, copyLoadedRows, createLoadStage } from '#store/loading/stage.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { undone } from './undone.ts';

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

const { arks } = namingOff;

const lines = (...rows: readonly (readonly (string | number)[])[]): readonly Uint8Array[] => [
  Buffer.from(rows.map((row) => `${row.join('\t')}\n`).join('')),
];
const none = String.raw`\N`;
const time = '2001-01-01T00:00:00Z';
const user = (id: number, name: string) => [
  'user',
  id,
  none,
  3,
  none,
  'f',
  name,
  none,
  none,
  time,
  time,
  time,
  `{"jsonmodel_type":"user","username":"${name}","name":"${name}","is_active_user":true}`,
];
const Label = z.strictObject({ label: column.text, lock_version: column.int });

describe('a service', () => {
  it('is empty until somebody makes a record', async () => {
    const filled = await undone(database, async (tx) => {
      const before = await readFilled(tx);
      await tx.run(sql`INSERT INTO record (kind, id, created_by, body) VALUES ('subject', 5, 'jane', '{}')`);
      return [before, await readFilled(tx)];
    });
    expect(filled).toEqual([[], [{ kind: 'subject', n: 1 }]]);
  });
});

describe('what the service made by itself', () => {
  it('gives way to the record of the same address and name, and clashes with another name', async () => {
    const found = await undone(database, async (tx) => {
      await createLoadStage(tx);
      await copyAddresses(
        tx,
        lines(['user', 1, none, 0, '/users/1', 'admin'], ['user', 2, none, 1, '/users/2', 'jane']),
        [],
      );
      return readClashes(tx, 10);
    });
    expect(found).toMatchObject([{ uri: '/users/2', twice: false }]);
    const rows = await undone(database, async (tx) => {
      await createLoadStage(tx);
      await copyAddresses(tx, lines(['user', 1, none, 0, '/users/1', 'admin']), []);
      await readClashes(tx, 10);
      await removeReplaced(tx);
      await copyLoadedRecords(tx, 'user', lines(user(1, 'admin')));
      return tx.any(sql.type(Label)`SELECT label, lock_version FROM record WHERE kind = 'user' AND id = 1`);
    });
    expect(rows).toEqual([{ label: 'admin', lock_version: 3 }]);
  });

  it('gives its name up, with its groups, to a record that has it at another address', async () => {
    const found = await undone(database, async (tx) => {
      await createLoadStage(tx);
      await copyAddresses(tx, lines(['user', 50, none, 0, '/users/50', 'admin']), []);
      await copyLoadedRecords(tx, 'user', lines(user(50, 'admin')));
      await copyLoadedRows(tx, 'key', lines(['user.username', '', 'admin', 'username', 'user', 50, 0, 'f']));
      await settleTargets(tx);
      const faults = await findLoadFaults(tx, 10);
      const { n } = await tx.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM group_member WHERE user_id = 50`);
      const left = await tx.one(
        sql.type(NumberRow)`SELECT count(*)::int AS n FROM record WHERE kind = 'user' AND label = 'admin'`,
      );
      return { faults, groups: n, admins: left.n };
    });
    expect(found).toEqual({ faults: [], groups: 1, admins: 1 });
  });
});

describe('users and groups', () => {
  it('get members, grants and administrators, and what there is not is told', async () => {
    const found = await undone(database, async (tx) => {
      await createLoadStage(tx);
      await copyAddresses(
        tx,
        lines(['user', 50, none, 0, '/users/50', 'jane'], ['group', 60, 9, 1, '/repositories/9/groups/60', 'g']),
        [],
      );
      await copyLoadedRecords(tx, 'user', lines(user(50, 'jane')));
      await copyLoadedRows(tx, 'key', lines(['user.username', '', 'jane', 'username', 'user', 50, 0, 'f']));
      await copyLoadedRows(tx, 'member', lines([60, 9, 'jane'], [60, 9, 'joe']));
      await copyLoadedRows(tx, 'grant', lines([60, 9, 'view_repository'], [60, 9, 'fly']));
      await copyLoadedRows(tx, 'admin', lines([50]));
      await settleTargets(tx);
      await findLoadFaults(tx, 10);
      await layLoadedTrees(tx);
      const unknown = await writeRights(tx);
      const { n } = await tx.one(sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM group_member m JOIN group_grant g USING (group_id) WHERE m.user_id = 50 AND g.permission_code IN ('view_repository', 'administer_system')`);
      return { unknown, n, invite: await readUsersToInvite(tx) };
    });
    expect(found).toMatchObject({ unknown: ['permission fly', 'user joe'], invite: ['jane'] });
    expect(found.n).toBeGreaterThanOrEqual(2);
  });
});

describe('the end of a load', () => {
  it('keeps new ids behind those of records and of what was deleted', async () => {
    const next = await undone(database, async (tx) => {
      await createLoadStage(tx);
      await copyAddresses(
        tx,
        lines(['subject', 40, none, 0, '/subjects/40', none]),
        lines(['/subjects/44', 'subject', 44, time]),
      );
      await finishLoad(tx, { actor: 'admin', mark: null, arks });
      return tx.one(sql.type(NumberRow)`SELECT nextval('subject_id_seq')::int AS n`);
    });
    expect(next).toEqual({ n: 45 });
  });

  it('counts ARKs on from those of this installation alone', async () => {
    const next = await undone(database, async (tx) => {
      await createLoadStage(tx);
      await tx.run(
        sql`INSERT INTO record (kind, id, label, body) VALUES ('repository', 90, 'S', '{"ark_shoulder": "s4"}')`,
      );
      await tx.run(sql`INSERT INTO unique_key (rule, scope, value, kind, id) SELECT 'ark', '', u.value, 'resource', 1 FROM unnest(ARRAY[
        'ark:/f00001/41', 'ark:/f00001/s4-43', 'ark:/f00001/b0-77', 'ark:/99999/600', 'https://example.org/701', 'ark:/f000011/800', 'ark:/f00001/1900-01-02']) AS u (value)`);
      await finishLoad(tx, { actor: 'admin', mark: null, arks: { ...arks, delimiter: '-' } });
      return tx.one(sql.type(NumberRow)`SELECT nextval('ark_number')::int AS n`);
    });
    expect(next).toEqual({ n: 44 });
  });
});
