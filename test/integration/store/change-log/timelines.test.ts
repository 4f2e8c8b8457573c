// The numbers of the feed under another timeline: a replica that took the lead, with workers that saw the last numbers and with such that did not.
import { expect, test } from 'vitest';
import { appendChange } from '#store/change-log/append.ts';
import { adoptTimeline, sequenceChanges } from '#store/change-log/sequencer.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { runSql } from '#test/support/run-sql.ts';
import { startPrimary, startStandby } from '#test/support/standby.ts';
import { connect } from '#test/support/worker.ts';

async function change(database: Database): Promise<void> {
  await database.transaction((tx) =>
    appendChange(tx, { kind: 'accession', id: 1, repoId: 2, op: 'update', actor: null, lockVersion: 1 }),
  );
}
const last = async (database: Database): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT n FROM sequencer`)).n;

test('numbers go on where nothing was lost, and a million further where something was or nobody can tell', async () => {
  await using primary = await startPrimary();
  await using standby = await startStandby(primary);
  await using before = connect(primary.url, 2);
  await change(before.database);
  expect(await sequenceChanges(before.database)).toBeGreaterThan(0);
  const known = await last(before.database);
  const copied = new Database({ url: standby.url, poolSize: 1, anyServer: true });
  await expect.poll(() => last(copied)).toBe(known);
  await copied[Symbol.asyncDispose]();
  await runSql(standby.url, 'SELECT pg_promote()');

  await using database = new Database({ url: standby.url, poolSize: 2 });
  await change(database);
  // Nothing is published before the numbers are settled.
  expect(await sequenceChanges(database)).toBe(-2);
  expect(await last(database)).toBe(known);

  // One who has seen no more than is there.
  expect(await adoptTimeline(database, known)).toBe(false);
  expect(await sequenceChanges(database)).toBe(1);
  const next = await last(database);
  expect(next).toBe(known + 1);

  // One who has seen what is gone: under whichever timeline.
  expect(await adoptTimeline(database, next + 5)).toBe(true);
  expect(await last(database)).toBe(next + 5 + 1_000_000);
  await change(database);
  expect(await sequenceChanges(database)).toBe(1);
  expect(await last(database)).toBe(next + 5 + 1_000_001);

  // One who has just begun, on a timeline that is known and on one that is not.
  expect(await adoptTimeline(database, null)).toBe(false);
  await database.write(sql`UPDATE sequencer SET timeline = '00000001'`);
  expect(await adoptTimeline(database, null)).toBe(true);
  expect(await last(database)).toBe(next + 5 + 2_000_001);
});
