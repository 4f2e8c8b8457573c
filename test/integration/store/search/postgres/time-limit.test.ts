// The limit of a search's own on its time: what is too much is answered in part, and says so, or fails with search_stopped. Slow documents are made by a
// ts_rank of this database that sleeps over those with the word "late", which stand behind all others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { toSearchPage } from '#domain/search/reply/page.ts';
import type { JsonObject } from '#domain/json.ts';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { mostBounded, mostFaceted } from '#store/search/postgres/time-limit.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { runSql } from '#test/support/run-sql.ts';

// A third of it is enough for what is quick, on a busy machine too; what sleeps for ten minutes is not done by then.
const patientMs = 12_000;
const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false } as const;
const copies = mostBounded + 200;
// Sixty words that end alike: more than are looked up together.
const actions = Array.from({ length: 60 }, (_, n) => `${'abcdefghij'[n % 10]}${'klmnop'[Math.floor(n / 10)]}uxion`);

let server: TestDatabase;
let database: Database;

const record = (id: number, fields: JsonObject): JsonObject => ({
  uri: `/repositories/2/resources/${id}`,
  repository: { ref: '/repositories/2' },
  jsonmodel_type: 'resource',
  publish: true,
  level: 'collection',
  create_time: '2026-01-01T00:00:00Z',
  system_mtime: '2026-01-01T00:00:00Z',
  user_mtime: '2026-01-01T00:00:00Z',
  ...fields,
});
const index = (records: readonly JsonObject[]): Promise<void> =>
  indexDocuments(
    database,
    records.flatMap((one) => toSearchDocuments('resource', one)),
    1,
  );

beforeAll(async () => {
  server = await createDatabase();
  await runSql(
    server.url,
    `CREATE FUNCTION ts_rank(real[], tsvector, tsquery) RETURNS real LANGUAGE plpgsql STABLE AS $$
     BEGIN
       IF $2 @@ 'late'::tsquery THEN PERFORM pg_sleep(600); END IF;
       RETURN pg_catalog.ts_rank($1, $2, $3);
     END $$`,
  );
  await runSql(server.url, `ALTER DATABASE "${server.name}" SET search_path = public, pg_catalog`);
  // A part is what is met first. Statistics that autovacuum makes meanwhile, on a slow machine, lead to another plan, which meets the one that is late.
  await runSql(server.url, 'ALTER TABLE search_doc SET (autovacuum_enabled = off)');
  database = new Database({ url: server.url, poolSize: 3 });
  await index([
    record(1, { title: 'Harbor views' }),
    ...actions.map((word, n) =>
      record(100 + n, { title: `Papers of ${word}`, level: n % 2 === 0 ? 'series' : 'file' }),
    ),
  ]);
  await database.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO search_doc (id, uri, kind, record_id, repo_id, audience, published, suppressed, factor, len, vals, head, tsv, seq)
      SELECT id || '/' || n, uri || '/' || n, kind, record_id + n * 1000, repo_id, audience, published, suppressed, factor, len, vals, head, tsv, seq
      FROM search_doc, generate_series(1, ${copies}::int) AS n WHERE id = '/repositories/2/resources/1'`);
    await tx.run(
      sql`INSERT INTO search_body (no, stored) SELECT no, '{"id":"copy","primary_type":"resource"}' FROM search_doc WHERE no NOT IN (SELECT no FROM search_body)`,
    );
  });
  await index([record(2, { title: 'Late harbor views' }), record(3, { title: 'Late arrivals' })]);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Searches; in time enough on a busy machine too unless told. */
async function search(parameters: Partial<SearchParameters>, limitMs = 60_000): Promise<any> {
  const request = buildSearchRequest({ page: 1, ...parameters }, { now: 0 });
  return toSearchPage(request, await postgresSearch(database, { limitMs }).search(request, staff));
}

describe('a search that takes too long', () => {
  it('is answered by some of the documents, and says of what its total and facets are', async () => {
    const found = await search({ q: 'harbor', facet: ['level'] }, patientMs);
    expect(found.results).toHaveLength(10);
    expect(found.total_hits).toBeGreaterThanOrEqual(mostBounded);
    expect(found.total_hits).toBeLessThan(copies + 1);
    expect(found.facets.facet_fields.level).toEqual(['collection', mostFaceted]);
    expect(found.warnings.map(({ code }: any) => code)).toEqual(['total_is_least', 'facets_of_part']);
    expect(found.warnings[0].message).toContain(String(found.total_hits));
  });

  it('is answered by some at once when it is asked for again', async () => {
    const port = postgresSearch(database, { limitMs: patientMs });
    const ask = async (q: string): Promise<{ readonly ms: number; readonly page: any }> => {
      const request = buildSearchRequest({ page: 1, q, facet: ['level'] }, { now: 0 });
      const begun = performance.now();
      const page = toSearchPage(request, await port.search(request, staff));
      return { ms: performance.now() - begun, page };
    };
    // Whoever is stopped has waited for so long before; nobody has to be quick here.
    const stoppedMs = 0.45 * patientMs;
    const [first, second, other] = [await ask('harbor'), await ask('harbor'), await ask('harbor views')];
    expect(first.ms).toBeGreaterThan(stoppedMs);
    expect(second.ms).toBeLessThan(stoppedMs);
    expect(second.page).toEqual(first.page);
    expect(other.ms).toBeGreaterThan(stoppedMs);
  });

  it('fails with search_stopped where some of them take too long as well, and leaves the connection as it was', async () => {
    await expect(search({ q: 'late' }, 400)).rejects.toMatchObject({ code: 'search_stopped', status: 503 });
    expect((await search({ q: 'papers' })).total_hits).toBe(actions.length);
    const { limit } = await database.reader.one(
      sql.type(z.strictObject({ limit: column.text }))`SELECT current_setting('statement_timeout') AS limit`,
    );
    expect(limit).toBe('1min');
  });

  it('says nothing of limits where there was time enough', async () => {
    const found = await search({ q: 'papers', facet: ['level'], did_you_mean: true });
    expect(found.warnings).toBeUndefined();
    expect(found.facets.facet_fields.level).toEqual(['file', 30, 'series', 30, 'collection', 0]);
  });

  it('leaves reasons out that take too long, and answers the rest whole', async () => {
    const found = await search({ q: 'title:views -late', sort: 'title_sort asc', explain: true });
    expect(found.warnings).toBeUndefined();
    expect(Object.keys(found.explain).length).toBeGreaterThan(0);
    const late = await search({ q: 'late', sort: 'title_sort asc', explain: true }, patientMs);
    expect(late).toMatchObject({ total_hits: 2, explain: {}, warnings: [{ code: 'explain_left_out' }] });
    expect(late.results.map(({ title }: any) => title)).toEqual(['Late arrivals', 'Late harbor views']);
  });
});

describe('a pattern that many words fit', () => {
  const idsOf = (found: any): readonly string[] => found.results.map(({ uri }: any) => String(uri)).sort();
  const of = (fits: (n: number) => boolean): readonly string[] =>
    actions.flatMap((_, n) => (fits(n) ? [`/repositories/2/resources/${100 + n}`] : [])).sort();

  it.each([
    ['alone', { q: '*uxion' }, () => true],
    ['with a further word', { q: '*uxion papers akuxion' }, (n: number) => n === 0],
    ['with a filter', { q: '*uxion', filter_query: ['level:series'] }, (n: number) => n % 2 === 0],
    ['beside what is refused', { q: '*uxion -level:series' }, (n: number) => n % 2 === 1],
    ['in a field', { q: 'title:*uxion' }, () => true],
  ] as const)('finds the same as word by word: %s', async (_, parameters, fits) => {
    const found = await search({ ...parameters, page_size: 250, facet: ['level'], facet_mincount: 1 });
    expect(idsOf(found)).toEqual(of(fits));
    expect(found.total_hits).toBe(of(fits).length);
    const counted: readonly (string | number)[] = found.facets.facet_fields.level;
    expect(counted.filter((one) => typeof one === 'number').reduce((sum, one) => sum + one, 0)).toBe(found.total_hits);
  });

  it('finds nothing of them where they are refused', async () => {
    expect((await search({ q: 'papers -*uxion' })).total_hits).toBe(0);
  });
});
