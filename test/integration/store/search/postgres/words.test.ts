// The numbers of the word list: new words are there with their document, the rest is gathered and written by flush.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Database } from '#store/connection/database.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { WordCounter } from '#store/search/postgres/words.ts';
import { createWordCounter } from '#store/search/postgres/words.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server.drop();
});

/** Adds the counts in a transaction of their own and remembers them. */
async function add(counter: WordCounter, counts: readonly (readonly [string, number])[]): Promise<void> {
  const remember = await database.transaction((tx) => counter.add(tx, counts));
  remember();
}

async function numbers(...words: readonly string[]): Promise<readonly (number | undefined)[]> {
  const rows = await database.reader.any(sql.type(z.strictObject({ word: column.text, df: column.int }))`
    SELECT word, df FROM search_lexeme`);
  return words.map((word) => rows.find((row) => row.word === word)?.df);
}

test('a new word has its number at once, and nothing waits', async () => {
  const counter = createWordCounter();
  await add(counter, [
    ['alder', 2],
    ['ash', 1],
  ]);
  expect([await numbers('alder', 'ash'), counter.waiting]).toEqual([[2, 1], 0]);
});

test('further numbers of a word wait for flush, which writes them once', async () => {
  const counter = createWordCounter();
  await add(counter, [['beech', 1]]);
  await add(counter, [['beech', 3]]);
  await add(counter, [['beech', 4]]);
  expect([await numbers('beech'), counter.waiting]).toEqual([[1], 1]);
  await counter.flush(database);
  await counter.flush(database);
  expect([await numbers('beech'), counter.waiting]).toEqual([[8], 0]);
});

test('a word that another process made is counted with the next flush', async () => {
  const counter = createWordCounter();
  await add(createWordCounter(), [['cedar', 1]]);
  await add(counter, [['cedar', 1]]);
  expect([await numbers('cedar'), counter.waiting]).toEqual([[1], 1]);
  await counter.flush(database);
  expect(await numbers('cedar')).toEqual([2]);
});

test('a word that a document keeps is there and leaves nothing to write', async () => {
  const counter = createWordCounter();
  await add(counter, [['elm', 1]]);
  await add(counter, [['elm', 0]]);
  expect([await numbers('elm'), counter.waiting]).toEqual([[1], 0]);
});

test('what could not be written waits on', async () => {
  const counter = createWordCounter();
  await add(counter, [['fir', 1]]);
  await add(counter, [['fir', 2]]);
  const away = new Database({ url: server.url, poolSize: 2 });
  await away[Symbol.asyncDispose]();
  await expect(counter.flush(away)).rejects.toThrow();
  expect(counter.waiting).toBe(1);
  await counter.flush(database);
  expect(await numbers('fir')).toEqual([3]);
});
