// Revisions in parts of ten million numbers: how a database comes to them with what it has, how the next one is there in time, and how old ones go.
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kinds } from '#domain/kinds/index.ts';
import { subject } from '#domain/kinds/subject.ts';
import { restoreBackup } from '#store/backup/restore.ts';
import { column, CountRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { keepRevisionParts } from '#store/records/history/parts.ts';
import { pruneHistory } from '#store/records/history/purge.ts';
import { readHistory } from '#store/records/history/history.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { backedUp } from '#test/support/backed-up.ts';
import { isLong } from '#test/support/long.ts';
import { createDatabase, withoutTemplate } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';

const migrations = new URL('../../../../../db/migrations/', import.meta.url);

let own: TestDatabase;
let connected: Connected;
const use = (database: TestDatabase): void => {
  own = database;
  connected = connect(own.url, 3);
};
afterEach(async () => {
  await connected[Symbol.asyncDispose]();
  await own.drop();
});

const PartRow = z.strictObject({ name: column.text, bounds: column.text, rows: column.int });

/** The parts in order, with their bounds and how many revisions each holds. */
const parts = async (): Promise<readonly string[]> =>
  (
    await connected.database.reader.any(sql.type(PartRow)`
      SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds, (SELECT count(*) FROM revision v WHERE v.tableoid = c.oid) AS rows
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'revision'::regclass ORDER BY length(c.relname), 1`)
  ).map(({ name, bounds, rows }) => `${name} ${bounds.replaceAll(/[^A-Z0-9 ]|FOR VALUES FROM |TO /g, '')}: ${rows}`);

/** Revisions of the subject 1, as many as there are ages, the oldest first; each is replaced that many days ago. */
const revise = async (ages: readonly number[]): Promise<unknown> =>
  connected.database.transaction(async (tx) =>
    tx.run(sql`
      INSERT INTO revision (kind, id, lock_version, op, at, label, suppressed, user_mtime, body)
      SELECT ${subject.name}, 1, (SELECT count(*) FROM revision) + i, 'update', now() - age * interval '1 day', 'aged ' || age, false, now(), '{}' FROM unnest(${sql.array(ages, 'int4')}) WITH ORDINALITY AS a (age, i) ORDER BY i`),
  );

const goTo = async (number: number): Promise<unknown> => runSql(own.url, `SELECT setval('revision_n_seq', ${number})`);

const labels = async (): Promise<readonly string[]> =>
  (
    await readHistory(
      connected.database.reader,
      { kind: subject, id: 1, repoId: null, hidden: [], viewer: { seesSuppressed: true } },
      { offset: 0, limit: 100 },
    )
  ).entries.map(({ title }) => title);

describe('the migration', () => {
  const cases = [
    { last: 0, first: 'revision_0 MINVALUE 10000000: 3' },
    { last: 8_999_900, first: 'revision_0 MINVALUE 10000000: 3' },
    { last: 9_000_100, first: 'revision_1 MINVALUE 20000000: 3' },
    { last: 73_000_000, first: 'revision_7 MINVALUE 80000000: 3' },
  ];
  // Each makes a database from the first migration on; usual runs have the last one that is of the first part, and the first that is not.
  it.each(cases.filter(({ last }) => isLong || (last > 8_000_000 && last < 10_000_000)))(
    'takes the table of a database with $last revisions as the first part, and goes on behind',
    async ({ last, first }) => {
      use(await withoutTemplate());
      await migrate(own.url, migrations, '0059_uses_by_lists.sql');
      if (last > 0) await goTo(last);
      await revise([3, 2]);
      await migrate(own.url, migrations);
      await revise([1]);
      expect(await parts()).toEqual([first]);
      const numbers = await connected.database.reader.any(
        sql.type(z.strictObject({ n: column.int }))`SELECT n FROM revision ORDER BY n`,
      );
      expect(numbers.map(({ n }) => n - last)).toEqual([1, 2, 3]);
      await keepRevisionParts(connected.database);
      const next = Math.floor((last + 3) / 10_000_000) + 1;
      const behind = first.startsWith(`revision_${next} `)
        ? []
        : [`revision_${next} ${next}0000000 ${next + 1}0000000: 0`];
      expect(await parts()).toEqual([first, ...behind]);
    },
  );
});

describe('parts', () => {
  beforeEach(async () => {
    use(await createDatabase());
    await keepRevisionParts(connected.database);
  });

  it('are made before they are written, and hold one history together', async () => {
    expect((await parts()).map((part) => part.split(' ')[0])).toEqual(['revision_0', 'revision_1']);
    await keepRevisionParts(connected.database);
    expect(await parts()).toHaveLength(2);
    await goTo(9_999_998);
    await revise([9, 8, 7]);
    expect((await parts()).map((part) => part.split(': ')[1])).toEqual(['1', '2']);
    await keepRevisionParts(connected.database);
    expect((await parts()).map((part) => part.split(' ')[0])).toEqual(['revision_0', 'revision_1', 'revision_2']);
    expect(await labels()).toHaveLength(3);
  });

  it('of which all is old are dropped whole, in order and never the one being written; what else is old goes one by one', async () => {
    await goTo(9_999_990);
    await revise([60, 59]);
    await goTo(10_000_000);
    await revise([50, 49, 30]);
    await goTo(20_000_000);
    await keepRevisionParts(connected.database);
    await revise([29, 45]);
    expect(await pruneHistory(connected.database, 0)).toEqual({ revisions: 0, parts: 0 });
    // Of the second part one is young, and the third is written.
    expect(await pruneHistory(connected.database, 40)).toEqual({ revisions: 3, parts: 1 });
    expect((await parts()).map((part) => [part.split(' ')[0], part.split(': ')[1]].join(' '))).toEqual([
      'revision_1 1',
      'revision_2 1',
      'revision_3 0',
    ]);
    expect(await labels()).toHaveLength(2);
    expect(await pruneHistory(connected.database, 10)).toEqual({ revisions: 1, parts: 1 });
    expect((await parts()).map((part) => part.split(' ')[0])).toEqual(['revision_2', 'revision_3']);
  });

  it('that somebody writes beside are left for the next time', async () => {
    await revise([60]);
    await goTo(10_000_000);
    await connected.database.withClient(async (client) => {
      await client.query('BEGIN READ WRITE; UPDATE revision SET label = label WHERE false');
      expect(await pruneHistory(connected.database, 40)).toEqual({ revisions: 1, parts: 0 });
      await client.query('ROLLBACK');
    });
    expect(await pruneHistory(connected.database, 40)).toEqual({ revisions: 0, parts: 1 });
  });

  it('are there for what a backup brings', async () => {
    await goTo(9_999_999);
    await revise([2, 1]);
    const { file } = await backedUp(own.url);
    await using target = await withoutTemplate();
    await restoreBackup({ url: target.url, source: Readable.from([file]), migrations, kinds: [...kinds.values()] });
    await using restored = connect(target.url, 2);
    const { count } = await restored.database.reader.one(
      sql.type(CountRow)`SELECT count(*) FROM revision WHERE n >= 10000000`,
    );
    expect(count).toBe(2);
  });
});
