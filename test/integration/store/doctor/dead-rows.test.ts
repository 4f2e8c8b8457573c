// Since when tables have had many dead rows: what a job notes, and what is said of it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limits } from '#domain/doctor/limits.ts';
import { noteDeadRows, readDeadRows } from '#store/doctor/dead-rows.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';

let own: TestDatabase;
let connected: Connected;
beforeAll(async () => {
  own = await createDatabase();
  connected = connect(own.url, 2);
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await own.drop();
});

const few = { ...limits.deadRows, least: 100 };
const sinceOf = async (): Promise<number | undefined> =>
  (await readDeadRows(connected.database.reader)).find(({ name }) => name === 'size_sample')?.seconds;

it('rows that have just died are many for no time yet, and from when they were seen first', async () => {
  await runSql(
    own.url,
    `ALTER TABLE size_sample SET (autovacuum_enabled = false);
    INSERT INTO size_sample SELECT now() - interval '20 years' + n * interval '1 s', 1 FROM generate_series(1, 200) n; DELETE FROM size_sample; SELECT pg_stat_force_next_flush()`,
  );
  await expect.poll(sinceOf).toBe(0);
  // As a job does it: too few for it.
  expect(await noteDeadRows(connected.database)).toBe(0);
  expect(await noteDeadRows(connected.database, few)).toBe(1);
  await runSql(own.url, `UPDATE table_behind SET since = since - interval '20 minutes'`);
  expect(await noteDeadRows(connected.database, few)).toBe(1);
  expect(await sinceOf()).toBeGreaterThanOrEqual(1200);
  await runSql(own.url, 'TRUNCATE size_sample');
  await runSql(own.url, `SELECT pg_stat_reset_single_table_counters('size_sample'::regclass)`);
  await expect.poll(() => noteDeadRows(connected.database, few)).toBe(0);
});
