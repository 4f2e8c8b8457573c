// Slugs for many records at once: each the first that no record has and none before it took, in few statements however many share a title.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slugKey } from '#domain/identifiers/slugs.ts';
import { Database } from '#store/connection/database.ts';
import type { SlugNumbers } from '#store/records/writing/naming.ts';
import { freeSlugs } from '#store/records/writing/naming.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';

let own: TestDatabase;
let database: Database;
const stored = ['letters', 'letters_1', 'letters_3', 'maps_1', ...Array.from({ length: 40 }, (_, n) => `notes_${n}`)];
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 1 });
  const rows = ['notes', ...stored].map((slug, at) => `('slug', '', '${slug}', 'resource', ${at + 1})`);
  await store(rows);
});
const store = (rows: readonly string[]) =>
  runSql(own.url, `INSERT INTO unique_key (rule, scope, value, kind, id) VALUES ${rows.join(', ')}`);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const find = (wanted: readonly string[], numbers: SlugNumbers = new Map(), reserved?: string) =>
  freeSlugs(database.reader, wanted, { numbers, reserved });

test('are the wanted ones, or those with the first number that is free', async () => {
  expect(await find(['plans', 'letters', 'maps', 'plans', 'Letters', 'maps', 'letters'])).toEqual([
    'plans',
    'letters_2',
    'maps',
    'plans_1',
    'Letters_4',
    'maps_2',
    'letters_5',
  ]);
  expect(await find(['plans', 'plans'], new Map(), 'plans')).toEqual(['plans_1', 'plans_2']);
  expect(await find([])).toEqual([]);
});

test('are looked for beyond many that are taken, and from there on in the next block', async () => {
  const numbers: SlugNumbers = new Map();
  expect(await find(['notes', 'notes'], numbers)).toEqual(['notes_40', 'notes_41']);
  expect(await find(['notes', 'plans'], numbers)).toEqual(['notes_42', 'plans']);
  expect([...numbers]).toEqual([['notes', 43]]);
});

test('are never of two records, whatever is wanted', async () => {
  const name = fc.constantFrom('letters', 'Letters', 'letters_1', 'letters_2', 'maps', 'maps_1_1', 'notes', 'plans');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(name, { maxLength: 30 }), { maxLength: 3 }), async (blocks) => {
      const numbers: SlugNumbers = new Map();
      const given: string[] = [];
      for (const block of blocks) {
        const found = await find(block, numbers);
        block.forEach((slug, at) => expect(found[at]).toMatch(new RegExp(`^${slug}(_\\d+)?$`)));
        given.push(...found.map(slugKey));
        const rows = found.map((slug) => `('slug', '', '${slugKey(slug)}', 'accession', 1)`);
        if (rows.length > 0) await store(rows);
      }
      await runSql(own.url, `DELETE FROM unique_key WHERE kind = 'accession'`);
      expect(new Set(given).size).toBe(given.length);
      expect(given.filter((slug) => stored.includes(slug) || slug === 'notes')).toEqual([]);
    }),
    { numRuns: 10 },
  );
});
