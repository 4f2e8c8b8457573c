// Pages in orders that an index has, where their count costs nothing: what comes first is looked for in the order, past what cannot match, and what has no value is last.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { withCursor } from '#domain/search/reply/cursor.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import type { Found } from '#store/search/postgres/found.ts';
import { readFound } from '#store/search/postgres/found.ts';
import { toMatch } from '#store/search/postgres/match.ts';
import type { Way } from '#store/search/postgres/time-limit.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { explained } from '#test/support/explained.ts';
import { nothingHidden } from '#test/support/index-contents.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { component } from '#test/support/make/record-replies.ts';
import { runSql } from '#test/support/run-sql.ts';
import { staff } from '#test/support/searched-documents.ts';

/** Components, a hundred of which have the same time; then subjects, all of a time that is later. */
const components = 6000;
const subjects = 1400;
const identified = [40, 30, 20];

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 2 });
  const subject = { uri: '/subjects/1', jsonmodel_type: 'subject', title: 'Harbours', publish: true };
  await indexDocuments(
    database,
    [...toSearchDocuments(...component(1, { title: 'Views' })), ...toSearchDocuments('subject', subject)],
    1,
  );
  const copy = (kind: string, count: number, time: string): string => `
    INSERT INTO search_doc (id, uri, kind, record_id, repo_id, audience, published, suppressed, factor, len, vals, head, tsv, seq, title_sort, identifier_sort, create_time, user_mtime)
    SELECT id || '/' || n, uri || '/' || n, kind, record_id + n * 10, repo_id, audience, published, suppressed, factor, len, vals, head, tsv, seq,
      CASE WHEN n > 5 THEN 'title ' || md5(n::text) END, CASE WHEN kind = 'archival_object' AND n IN (${identified.join()}) THEN 'id ' || n END, ${time}, ${time}
    FROM search_doc, generate_series(1, ${count}) AS n WHERE kind = '${kind}' AND audience <> 2 ORDER BY n`;
  await runSql(
    server.url,
    copy('archival_object', components, `'2026-01-01'::timestamptz + n / 100 * interval '1 hour'`),
  );
  await runSql(server.url, copy('subject', subjects, `'2026-12-01'::timestamptz`));
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const find = (
  parameters: Partial<SearchParameters>,
  way: Way = 'whole',
): Promise<{ readonly result: Found; readonly plans: readonly string[] }> => {
  const request = buildSearchRequest({ page: 1, ...parameters }, { now: 0 });
  return explained(database, async (tx) =>
    readFound(tx, request, await toMatch(tx, request, staff, nothingHidden), way),
  );
};

/** The numbers of components in an order, put in it by the database. */
async function componentsBy(order: Fragment, offset: number): Promise<readonly number[]> {
  const { ids } = await database.reader.one(
    sql.type(z.strictObject({ ids: column.ints }))`
      SELECT ARRAY(SELECT no::int FROM search_doc WHERE kind = 'archival_object' AND audience <> 2 ORDER BY ${order} OFFSET ${offset} LIMIT 10) AS ids`,
  );
  return ids;
}

const orders: readonly (readonly [string, Fragment])[] = [
  ['user_mtime desc', sql.fragment`user_mtime DESC NULLS LAST, no DESC`],
  ['user_mtime asc', sql.fragment`user_mtime, no`],
  ['create_time desc', sql.fragment`create_time DESC NULLS LAST, no DESC`],
  ['create_time asc', sql.fragment`create_time, no`],
  ['title_sort desc', sql.fragment`(title_sort || '') DESC NULLS LAST, no DESC`],
  ['title_sort asc', sql.fragment`title_sort, no`],
  ['identifier desc', sql.fragment`identifier_sort DESC NULLS LAST, no DESC`],
  ['identifier asc', sql.fragment`identifier_sort, no`],
];

describe.each(orders)('in the order %s', (sort, order) => {
  it.each([1, 7])('components are met without all of them being gathered, page %i', async (page) => {
    const { result, plans } = await find({ type: ['archival_object'], sort, page });
    expect(result).toEqual({ total: components + 1, page: await componentsBy(order, 10 * (page - 1)) });
    expect(plans.filter((line) => line.includes('search_doc_tsv_idx'))).toEqual([]);
  });

  it('those without a value are last', async () => {
    const page = Math.ceil((components + 1) / 10);
    const { result } = await find({ type: ['archival_object'], sort, page });
    expect(result).toEqual({ total: components + 1, page: await componentsBy(order, 10 * (page - 1)) });
    const before = await find({ type: ['archival_object'], sort, page: page - 1 });
    expect(before.result.page).toEqual(await componentsBy(order, 10 * (page - 2)));
  });
});

it('a page by part is whole where it goes beyond the documents that were counted', async () => {
  const asked = { q: 'views', sort: 'title_sort desc', page_size: 250 };
  const { total } = (await find(asked, 'bounded')).result;
  expect(total).toBeLessThan(components);
  const page = Math.ceil(total / 250);
  const { result } = await find({ ...asked, page }, 'bounded');
  const expected = await componentsBy(sql.fragment`(title_sort || '') DESC NULLS LAST, no DESC`, 250 * (page - 1));
  expect(result).toMatchObject({ total, isPart: true });
  expect(result.page.slice(0, 10)).toEqual(expected);
  expect(result.page).toHaveLength(250);
});

describe('a page of a sample alone', () => {
  it.each([
    ['by relevance', { q: 'views' }],
    ['by title', { q: 'views', sort: 'title_sort asc' }],
    ['in the order of entry', { filter_term: [JSON.stringify({ primary_type: 'archival_object' })], q: 'title:views' }],
  ])('asks no index of words, and says that it is a part: %s', async (_, parameters) => {
    const { result, plans } = await find(parameters, 'sampled');
    expect(result.isPart).toBe(true);
    expect(result.page).toHaveLength(10);
    expect(result.total).toBeGreaterThan(1000);
    expect(result.total).toBeLessThan(components);
    expect(plans.filter((line) => line.includes('search_doc_tsv_idx'))).toEqual([]);
  });

  it('does not say that there is nothing, nor begins a walk', async () => {
    const stopped = { code: 'search_stopped', status: 503 };
    await expect(find({ q: 'zzyzx' }, 'sampled')).rejects.toMatchObject(stopped);
    const request = withCursor(buildSearchRequest({ page: 1, q: 'views' }, { now: 0 }), '*');
    await expect(
      explained(database, async (tx) =>
        readFound(tx, request, await toMatch(tx, request, staff, nothingHidden), 'sampled'),
      ),
    ).rejects.toMatchObject(stopped);
  });
});

it('two kinds are met in one order, each where it stands', async () => {
  const { result } = await find({
    type: ['archival_object', 'subject'],
    sort: 'user_mtime desc',
    page: 47,
    page_size: 30,
  });
  const Row = z.strictObject({ kind: column.text });
  const numbers = sql.array([...result.page], 'int8');
  const rows = await database.reader.any(
    sql.type(Row)`SELECT kind FROM search_doc WHERE no = ANY(${numbers}) ORDER BY array_position(${numbers}, no)`,
  );
  const border = subjects - 46 * 30;
  expect(rows.map(({ kind }) => kind)).toEqual(
    Array.from({ length: 30 }, (_, place) => (place < border ? 'subject' : 'archival_object')),
  );
  expect(result.total).toBe(components + subjects + 2);
});
