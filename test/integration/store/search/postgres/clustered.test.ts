// What matches may stand anywhere in an order: all of one agent's behind thousands of others by number, between them by title and time. A page of it costs what its matches cost, whatever
// the planner was told: statistics are of before the documents came, and were written again. Counted in pages of the database, as EXPLAIN tells them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { withCursor, writeCursor } from '#domain/search/reply/cursor.ts';
import type { SearchParameters, SearchRequest } from '#domain/search/query/request.ts';
import { buildSearchRequest, inRepository } from '#domain/search/query/request.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import { toVisibleCondition } from '#store/search/postgres/conditions.ts';
import type { Visibility } from '#store/search/port.ts';
import type { Found } from '#store/search/postgres/found.ts';
import { readFound } from '#store/search/postgres/found.ts';
import { toMatch } from '#store/search/postgres/match.ts';
import type { Way } from '#store/search/postgres/time-limit.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { explained } from '#test/support/explained.ts';
import { nothingHidden } from '#test/support/index-contents.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { amount } from '#test/support/long.ts';
import { component } from '#test/support/make/record-replies.ts';
import { PlanRow } from '#test/support/rows.ts';
import { runSql } from '#test/support/run-sql.ts';
import { staff } from '#test/support/searched-documents.ts';

const others = amount(18_000, 24_000);
const named = amount(2256, 3000);
/** Beside the copies there are two that were copied. */
const everything = others + named + 2;
const agent = '/agents/people/1';
const ofAgent = { filter_term: [JSON.stringify({ agent_uris: agent })] };

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  await runSql(server.url, 'ALTER TABLE search_doc SET (autovacuum_enabled = off)');
  database = new Database({ url: server.url, poolSize: 2 });
  const notes = [
    {
      jsonmodel_type: 'note_multipart',
      type: 'scopecontent',
      publish: true,
      subnotes: [{ content: Array.from({ length: 250 }, (_, n) => `word${n}`).join(' ') }],
    },
  ];
  const linked = { linked_agents: [{ ref: agent, role: 'creator', _resolved: { publish: true, title: 'Zinn' } }] };
  const documents = [
    toSearchDocuments(...component(1, { title: 'Other', notes })),
    toSearchDocuments(...component(2, { title: 'Named', notes, ...linked }, 3)),
  ].flat();
  await indexDocuments(database, documents, 1);
  await runSql(server.url, 'ANALYZE search_doc');
  // By title and time, half of the others stand before what names the agent and half behind. Two of each half have the same time of change, one of each kind has none, and one has no title.
  const copy = (id: number, count: number, place: string): string => `
    INSERT INTO search_doc (id, uri, kind, record_id, repo_id, audience, published, suppressed, factor, len, vals, head, tsv, seq, title_sort, identifier_sort, create_time, user_mtime, system_mtime)
    SELECT id || '/' || n, uri || '/' || n, kind, record_id + n * 1000, repo_id, audience, published, suppressed, factor, len, vals, head, tsv || CASE WHEN n % 8 < 2 THEN array_to_tsvector(ARRAY['x=level=item']) ELSE '' END, seq,
      CASE WHEN n <> 500 THEN (${place}) || ' ' || md5(n::text) END, 'i' || md5('i' || n), create_time + (n * 7919 % 10007) * interval '1 second', CASE WHEN n <> 600 THEN user_mtime + strpos('amz', ${place}) * interval '1 year' + n / 4 * interval '1 second' END, system_mtime
    FROM search_doc, generate_series(1, ${count}) AS n WHERE record_id = ${id} AND audience <> 2`;
  await runSql(server.url, copy(1, others, `CASE WHEN n % 2 = 0 THEN 'a' ELSE 'z' END`));
  await runSql(server.url, copy(2, named, `'m'`));
  // Written again, as by the merge of an agent: of each there is a dead row.
  await runSql(server.url, 'UPDATE search_doc SET seq = 2 WHERE repo_id = 3');
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const requestOf = (parameters: Partial<SearchParameters>): SearchRequest =>
  buildSearchRequest({ page: 1, ...parameters }, { now: 0 });

const find = (
  request: SearchRequest,
  way: Way = 'whole',
  visibility: Visibility = staff,
): Promise<{ readonly result: Found; readonly pages: number }> =>
  explained(database, async (tx) => readFound(tx, request, await toMatch(tx, request, visibility, nothingHidden), way));

const inRepository3 = (request: SearchRequest): SearchRequest => ({
  ...request,
  filters: [...request.filters, inRepository('/repositories/3')],
});

/** The numbers of the agent's documents in an order, put in it by the database from their rows. */
async function numbersBy(order: Fragment): Promise<readonly number[]> {
  const rows = await database.reader.any(
    sql.type(NumberRow)`SELECT no::int AS n FROM search_doc WHERE repo_id = 3 ORDER BY ${order}`,
  );
  return rows.map(({ n }) => n);
}

/** The numbers of a page of all documents in an order, put in it by the database. */
async function allBy(order: Fragment, offset: number): Promise<readonly number[]> {
  const { ids } = await database.reader.one(
    sql.type(z.strictObject({ ids: column.ints }))`
      SELECT ARRAY(SELECT no::int FROM search_doc WHERE audience <> 2 ORDER BY ${order} OFFSET ${offset} LIMIT 10) AS ids`,
  );
  return ids;
}

// Titles stand beside their rows: to be sorted they are fetched once, and not for each comparison.
const orders: readonly (readonly [string, Partial<SearchParameters>, Fragment])[] = [
  ['entry', {}, sql.fragment`no`],
  ['title', { sort: 'title_sort asc' }, sql.fragment`title_sort, no`],
  ['title, backwards', { sort: 'title_sort desc' }, sql.fragment`(title_sort || '') DESC NULLS LAST, no DESC`],
  ['the time of change', { sort: 'user_mtime asc' }, sql.fragment`user_mtime, no`],
  ['the time of change, backwards', { sort: 'user_mtime desc' }, sql.fragment`user_mtime DESC NULLS LAST, no DESC`],
  ['the time of creation', { sort: 'create_time desc' }, sql.fragment`create_time DESC, no DESC`],
  ['identifier', { sort: 'identifier asc' }, sql.fragment`identifier_sort, no`],
];

/** Those that an index has, either way. */
const indexed = orders.filter(([, { sort }]) => sort === undefined || /^(?:title_sort|user_mtime) /.test(sort));

// A vector is read from three or four pages, and those of half of the others at least would be read where an order is followed to what matches.
const most = (others / 2) * 3;

describe.each([
  ['of before', null],
  ['as they are', 'ANALYZE search_doc'],
])('with statistics %s,', (_, statement) => {
  beforeAll(async () => {
    if (statement !== null) await runSql(server.url, statement);
  });

  describe('a page by fields', () => {
    it.each(orders)('of what names an agent costs what that costs, by %s', async (__, parameters, order) => {
      const wanted = await numbersBy(order);
      for (const page of [1, 30]) {
        const { result, pages } = await find(requestOf({ ...ofAgent, ...parameters, page }));
        expect(result).toEqual({ total: named + 1, page: wanted.slice(10 * (page - 1), 10 * page) });
        expect(pages).toBeLessThan(most);
      }
    });

    it.each(orders)('of a repository that is behind another one does, by %s', async (__, parameters, order) => {
      const wanted = await numbersBy(order);
      const { result, pages } = await find(inRepository3(requestOf(parameters)));
      expect(result).toEqual({ total: named + 1, page: wanted.slice(0, 10) });
      expect(pages).toBeLessThan(most);
    });

    it.each(orders)('of all that is seen where that is one repository does, by %s', async (__, parameters, order) => {
      const { result, pages } = await find(requestOf(parameters), 'whole', { ...staff, repositories: [3] });
      expect(result).toEqual({ total: named + 1, page: (await numbersBy(order)).slice(0, 10) });
      expect(pages).toBeLessThan(most);
    });

    it.each(indexed)('of what is nearly everywhere is met at once, by %s', async (__, parameters, order) => {
      const { result, pages } = await find(requestOf({ ...parameters, type: ['archival_object'] }));
      expect(result).toEqual({ total: everything, page: await allBy(order, 0) });
      expect(pages).toBeLessThan(500);
    });
  });

  it.each(['asc', 'desc'])('finds what is spread evenly at the beginning of the index of titles, %s', async (way) => {
    const level = [JSON.stringify({ level: 'item' })];
    const { result, pages } = await find(requestOf({ filter_term: level, sort: `title_sort ${way}` }));
    const { ids } = await database.reader.one(
      sql.type(z.strictObject({ ids: column.ints }))`
        SELECT ARRAY(SELECT no::int FROM search_doc WHERE tsv @@ '''x=level=item'''::tsquery ORDER BY CASE WHEN ${way === 'asc'} THEN title_sort END, title_sort DESC, no LIMIT 10) AS ids`,
    );
    expect(result).toEqual({ total: (others + named) / 4, page: ids });
    expect(pages).toBeLessThan((others + named) / 4);
  });

  it('looks up no audience, which nearly all documents have', async () => {
    const plan = await database.transaction(async (tx) => {
      await tx.run(sql`SELECT set_config('enable_seqscan', 'off', true)`);
      const query = sql`SELECT count(d.tsv) FROM search_doc d WHERE ${toVisibleCondition(staff, nothingHidden)}`;
      return tx.any({ sql: `EXPLAIN ${toStatement(query)}`, values: query.values, parser: PlanRow });
    });
    expect(plan.filter((line) => /Index Cond: .*audience/.test(line['QUERY PLAN']))).toEqual([]);
  });

  describe('what is done by part where all takes too long', () => {
    it.each([
      ['by entry', {}],
      ['by relevance', { q: 'word7' }],
    ])('looks at a sample, and at no other documents than those that match, %s', async (__, more) => {
      const { result, pages } = await find(requestOf({ ...ofAgent, ...more }), 'bounded');
      const all = await numbersBy(sql.fragment`no`);
      expect(result.page.filter((number) => all.includes(number))).toHaveLength(10);
      expect(result.total).toBeLessThanOrEqual(named + 1);
      expect(pages).toBeLessThan(2 * most);
    });
  });

  describe('a walk by cursor', () => {
    it.each<[string, Partial<SearchParameters>, Fragment]>([
      ['uri', {}, sql.fragment`uri COLLATE "C"`],
      ['title', { sort: 'title_sort asc' }, sql.fragment`title_sort`],
      ['title, backwards', { sort: 'title_sort desc' }, sql.fragment`(title_sort || '') DESC NULLS LAST`],
    ])('through what names an agent costs what that costs, by %s', async (__, parameters, order) => {
      const wanted = await numbersBy(order);
      const asked = requestOf({ ...ofAgent, ...parameters, page_size: 250 });
      const first = await find(withCursor(asked, '*'));
      expect(first.result).toMatchObject({ total: named + 1, page: wanted.slice(0, 250) });
      expect(first.pages).toBeLessThan(2 * most);
      const next = await find(withCursor(asked, writeCursor(asked, first.result.last ?? [], first.result.total)));
      expect(next.result.page).toEqual(wanted.slice(250, 500));
      expect(next.pages).toBeLessThan(2 * most);
    });
  });
});

it.each(indexed)('has what has no value at the end of everything, by %s', async (_, parameters, order) => {
  const end = 10 * Math.floor(everything / 10);
  const { result } = await find(requestOf({ ...parameters, type: ['archival_object'], page: end / 10 + 1 }));
  expect(result).toEqual({ total: everything, page: await allBy(order, end) });
});
