// Slow statements as they are told, with plans that PostgreSQL makes of them without running them.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { currentOrigin, onBehalfOf } from '#store/observing/origin.ts';
import { isSelect, planOf } from '#store/observing/plans.ts';
import { watchSlowStatements } from '#store/observing/slow-statements.ts';
import type { SlowStatement } from '#store/observing/slow-statements.ts';
import { isWatched, summaryOf } from '#store/observing/statements.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

let own: TestDatabase;
let database: Database;
let watch: Disposable | undefined;

beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 4 });
  await database.write(sql`CREATE TABLE note (id int PRIMARY KEY, text text)`);
});
afterEach(() => watch?.[Symbol.dispose]());
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const Note = z.strictObject({ id: column.int });
const slowly = (text: string) =>
  database.reader.any(sql.type(Note)`SELECT id FROM note, pg_sleep(0.02) WHERE text = ${text} OR id > 5`);

/** Watches with a limit that everything reaches that sleeps. */
function watching(more: { readonly withPlans?: boolean; readonly planEveryMs?: number } = {}): SlowStatement[] {
  const told: SlowStatement[] = [];
  const settings = { limitMs: 15, withPlans: false, tell: (slow: SlowStatement) => void told.push(slow), ...more };
  watch = watchSlowStatements(database, settings);
  return told;
}

test('tells what was slow, for whom, and not with which values', async () => {
  const told = watching();
  await onBehalfOf({ method: 'GET', route: '/notes/:id', request_id: 'one' }, () => slowly('a private word'));
  await onBehalfOf({ job: 7, type: 'reindex' }, () =>
    database.write(sql`INSERT INTO note SELECT 1, ${'another word'} FROM pg_sleep(0.02)`),
  );
  expect(told.find(({ summary }) => summary === 'SELECT note')).toEqual({
    method: 'GET',
    route: '/notes/:id',
    request_id: 'one',
    summary: 'SELECT note',
    statement: 'SELECT id FROM note, pg_sleep(0.02) WHERE text = $1 OR id > 5',
    ms: expect.any(Number),
  });
  expect(told.find(({ summary }) => summary === 'INSERT note')).toMatchObject({ job: 7, type: 'reindex' });
  expect(JSON.stringify(told)).not.toMatch(/private|another word/);
  expect(currentOrigin()).toBeUndefined();
});

test('tells nothing of quick ones, nor after it was ended, and a limit of nothing watches nothing', async () => {
  const told = watching();
  watch?.[Symbol.dispose]();
  await slowly('x');
  watch = watchSlowStatements(database, { limitMs: 0, withPlans: true, tell: (slow) => void told.push(slow) });
  expect(isWatched()).toBe(false);
  await slowly('x');
  expect(told).toEqual([]);
});

test('has the steps of the plan on demand, seldom, without conditions', async () => {
  const told = watching({ withPlans: true, planEveryMs: 600_000 });
  await slowly('a private word');
  await expect.poll(() => told.length).toBe(1);
  await slowly('a private word');
  await expect.poll(() => told.length).toBe(2);
  expect(told[0]?.plan?.join('\n')).toMatch(/ on note rows=\d+ cost=/);
  expect(told[1]).not.toHaveProperty('plan');
  expect(JSON.stringify(told)).not.toContain('private');
});

test('plans SELECTs alone, and one statement at a time', async () => {
  expect(['SELECT 1', ' with a AS (SELECT 1) SELECT 2'].map(isSelect)).toEqual([true, true]);
  const others = [
    'DELETE FROM note',
    'WITH a AS (DELETE FROM note RETURNING id) SELECT 1',
    "SELECT nextval('s')",
    'COMMIT',
  ];
  expect(others.map(isSelect)).toEqual([false, false, false, false]);
  expect(await planOf(database, { text: 'DELETE FROM note', values: [] })).toBeNull();
  await expect(planOf(database, { text: 'SELECT 1; SELECT 2', values: [] })).rejects.toThrow(/multiple commands/);
  // Not run: it would take an hour, and be ended.
  expect(await planOf(database, { text: 'SELECT pg_sleep($1)', values: [3600] })).toEqual([
    expect.stringMatching(/^Result rows=1 cost=/),
  ]);
});

test('calls statements by their name, or by verb and table', () => {
  expect(summaryOf({ name: 'read_record', text: 'SELECT', values: [] })).toBe('read_record');
  expect(summaryOf({ text: 'UPDATE job SET a = 1', values: [] })).toBe('UPDATE job');
  expect(summaryOf({ text: 'COMMIT', values: [] })).toBe('COMMIT');
});
