// Which documents are looked at where looking at all that is found takes too long: a sample of all where many fit, and else those that fit.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { isPartial, someDocuments } from '#store/search/postgres/some-documents.ts';
import { sizeOf } from '#store/search/postgres/sorted-page.ts';
import { mostBounded } from '#store/search/postgres/time-limit.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

/** Of which the last tenth is in another repository, and fifty have a rare word. */
const copies = 24_000;
const rare = 50;
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 2 });
  const records = ['Harbour views', 'Harbour lights'].map((title, n) => ({
    uri: `/repositories/2/resources/${n + 1}`,
    repository: { ref: '/repositories/2' },
    jsonmodel_type: 'resource',
    publish: true,
    level: 'collection',
    title,
  }));
  await indexDocuments(
    database,
    records.flatMap((record) => toSearchDocuments('resource', record)),
    1,
  );
  await database.transaction((tx) =>
    tx.run(sql`
      INSERT INTO search_doc (id, uri, kind, record_id, repo_id, audience, published, suppressed, factor, len, vals, head, tsv, seq)
      SELECT id || '/' || n, uri || '/' || n, kind, record_id + n * 100, CASE WHEN n > ${copies * 0.9}::int THEN 3 ELSE repo_id END, audience, published, suppressed, factor, len, vals, head, tsv, seq
      FROM search_doc CROSS JOIN generate_series(1, ${copies}::int) AS n
      WHERE uri = CASE WHEN n % ${copies / rare}::int = 0 THEN '/repositories/2/resources/2' ELSE '/repositories/2/resources/1' END
      ORDER BY n`),
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const Looked = z.strictObject({ numbers: column.ints, sampled: column.bool });
/** Of what everybody may see. */
const fitting = (condition: Fragment) => ({ condition, visibleWords: sql.fragment`true` });
const look = (condition: Fragment, most?: number): Promise<z.infer<typeof Looked>> =>
  database.reader.one(sql.type(Looked)`
    SELECT array_agg(no ORDER BY no)::int[] AS numbers, bool_and(is_sampled) AS sampled FROM ${someDocuments(sql.fragment`d.no`, fitting(condition), most)}`);
const word = (one: string): Fragment => sql.fragment`d.tsv @@ ${one}::tsquery`;

it('are of a sample of all where many fit, the same each time', async () => {
  const { numbers, sampled } = await look(word('harbour'));
  expect(sampled).toBe(true);
  expect(numbers.length).toBeLessThanOrEqual(mostBounded);
  expect(numbers.length).toBeGreaterThan(1000);
  // Not the first ones.
  const last = numbers.at(-1) ?? 0;
  expect(last - (numbers[0] ?? 0)).toBeGreaterThan(1.5 * numbers.length);
  expect((await look(word('harbour'))).numbers).toEqual(numbers);
  expect((await look(word('harbour'), 700)).numbers).toHaveLength(700);
});

it('are all that fit where these are few', async () => {
  const { numbers, sampled } = await look(word('lights'));
  expect(sampled).toBe(false);
  expect(numbers).toHaveLength(rare + 1);
  expect((await look(word('lights'), 20)).numbers).toHaveLength(20);
});

it('are looked for in the index by the words of who may see them, too, and in a sample by the condition alone', async () => {
  const fit = (one: string, visible: string, most?: number) =>
    database.reader.one(sql.type(Looked)`
      SELECT array_agg(no ORDER BY no)::int[] AS numbers, bool_and(is_sampled) AS sampled
      FROM ${someDocuments(sql.fragment`d.no`, { condition: word(one), visibleWords: word(visible) }, most)}`);
  const [own] = (await look(word('lights'))).numbers;
  await runSql(server.url, `UPDATE search_doc SET tsv = tsv || 'seen'::tsvector WHERE no = ${own}`);
  expect(await fit('lights', 'seen')).toEqual({ numbers: [own], sampled: false });
  expect((await fit('harbour', 'nobody')).sampled).toBe(true);
});

it('are those of a sample alone, however few, where the index is not to be asked', async () => {
  const Row = z.strictObject({ n: column.int, sampled: column.bool });
  const { n, sampled } = await database.reader.one(sql.type(Row)`
    SELECT count(*)::int AS n, bool_and(is_sampled) AS sampled
    FROM ${someDocuments(sql.fragment`d.no`, { ...fitting(word('lights')), sampleAlone: true })}`);
  expect(sampled).toBe(true);
  expect(n).toBeGreaterThan(0);
  expect(n).toBeLessThan(rare);
});

it('are of a repository that is behind all others, where that is asked', async () => {
  const { numbers } = await look(sql.fragment`${word('harbour')} AND d.repo_id = 3`);
  const { n } = await database.reader.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM search_doc WHERE repo_id = 3 AND no = ANY(${sql.array(numbers, 'int8')})`);
  expect(n).toBe(numbers.length);
  expect(n).toBeGreaterThan(0);
});

it('are counted as a part of what matches, or as all of it', async () => {
  const part = await sizeOf(database.reader, { ...fitting(word('harbour')), size: null });
  expect(part.isPart).toBe(true);
  expect(part.total).toBe((await look(word('harbour'))).numbers.length);
  expect(await sizeOf(database.reader, { ...fitting(word('lights')), size: null })).toMatchObject({
    total: rare + 1,
    isPart: false,
  });
  expect(await sizeOf(database.reader, { ...fitting(word('harbour')), size: sql.fragment`7` })).toMatchObject({
    total: 7,
    isPart: false,
  });
});

it.each([
  ['of a sample, which is not of all here, as in an index of any size', 1, true, true],
  ['as many as are looked at', mostBounded, false, true],
  ['fewer, of the index', mostBounded - 1, false, false],
])('are a part where they are %s', async (_, count, isSampled, expected) => {
  const Row = z.strictObject({ partial: column.bool });
  const told = isPartial(sql.fragment`${count}::int`, sql.fragment`${isSampled}::boolean`);
  expect((await database.reader.one(sql.type(Row)`SELECT ${told} AS partial`)).partial).toBe(expected);
});
