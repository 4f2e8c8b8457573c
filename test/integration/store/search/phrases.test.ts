// Phrases of common words: found by their neighbours as by their places, and for much less.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { compileFilter } from '#domain/search/query/compile.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { findByNeighbours } from '#domain/search/documents/neighbours.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import { endRenewal, hasPresentVersion, renewOldIndex } from '#store/search/document-version.ts';
import { toCondition } from '#store/search/postgres/conditions.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { PlanRow } from '#test/support/rows.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

let server: TestDatabase;
let database: Database;

const words = ['of', 'the', 'box', 'papers', 'wallaby', "state's", 'of/the'];
const textOf = (seed: number, length: number): string =>
  Array.from({ length }, (_, n) => words[(seed * 31 + n * n * (seed % 7) + n * (1 + (seed % 5))) % words.length]).join(
    ' ',
  );

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  await renewOldIndex(database);
  const times = {
    create_time: '2026-01-02T03:04:05Z',
    system_mtime: '2026-01-02T03:04:05Z',
    user_mtime: '2026-01-02T03:04:05Z',
  };
  const records = Array.from({ length: 400 }, (_, n): JsonObject => ({
    uri: `/repositories/2/resources/${n}`,
    repository: { ref: '/repositories/2' },
    jsonmodel_type: 'resource',
    id_0: `R${n}`,
    publish: true,
    ...times,
    title: textOf(n, 1 + (n % 4)),
    notes:
      n % 3 === 0
        ? [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: true, content: [textOf(n + 7, n % 9)] }]
        : [],
  }));
  await indexDocuments(
    database,
    records.flatMap((record) => toSearchDocuments('resource', record)),
    1,
  );
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server.drop();
});

async function idsOf(q: string): Promise<readonly string[]> {
  const { hits, total } = await postgresSearch(database).search(
    buildSearchRequest({ page: 1, page_size: 250, q }, { now: 0 }),
    { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false },
  );
  expect(total).toBeLessThan(251);
  return hits.map(({ id }) => id);
}

const setRenewal = (jobId: number | null): Promise<unknown> =>
  database.transaction((tx) => tx.run(sql`UPDATE search_form SET renewal = ${jobId}`));

it.each([
  '"of the"',
  '"the of"',
  '"box papers"',
  '"papers of the"',
  '"of the box"',
  '"the wallaby"',
  '"of the wallaby"',
  'title:"of the"',
  'notes:"of the"',
  'wallaby -"of the"',
  '"state box"',
  '"states papers"',
  '"of/the"',
  'of/the wallaby',
  '"the box" OR "box the"',
  '"of the"~2',
])('%s finds the same, in the same order, by neighbours and by places', async (q) => {
  const byNeighbours = await idsOf(q);
  await setRenewal(1);
  const byPlaces = await idsOf(q).finally(() => setRenewal(null));
  expect(byNeighbours).toEqual(byPlaces);
  expect(byNeighbours.length).toBeGreaterThan(0);
});

it('looks into no vector for a phrase of two common words', async () => {
  const { query } = buildSearchRequest({ page: 1, q: '"of the"' }, { now: 0 });
  const predicate = query === undefined ? undefined : compileFilter(query, { now: 0 });
  const plan = async (asked: NonNullable<typeof predicate>): Promise<string> => {
    const statement = sql`SELECT count(*) FROM search_doc d WHERE ${toCondition(asked, new Map())}`;
    const rows = await database.transaction(async (tx) => {
      await tx.run(sql`SELECT set_config('enable_seqscan', 'off', true)`);
      return tx.any({
        sql: `EXPLAIN (ANALYZE, COSTS off, TIMING off) ${toStatement(statement)}`,
        values: statement.values,
        parser: PlanRow,
      });
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  if (predicate === undefined) throw new Error('no query');
  // What has the words but not beside each other is found out by reading vectors.
  expect(await plan(predicate)).toMatch(/Rows Removed by Index Recheck/);
  const cheap = await plan(findByNeighbours(predicate));
  expect(cheap).toMatch(/Bitmap Index Scan on search_doc_tsv_idx/);
  expect(cheap).not.toMatch(/Rows Removed by Index Recheck|Seq Scan/);
});

it('relies on neighbours only once everything has been made anew', async () => {
  expect(await hasPresentVersion(database.reader)).toBe(true);
  await database.transaction((tx) => tx.run(sql`UPDATE search_form SET form = 3`));
  expect(await hasPresentVersion(database.reader)).toBe(false);
  const jobId = (await renewOldIndex(database)) ?? 0;
  expect(jobId).toBeGreaterThan(0);
  expect(await hasPresentVersion(database.reader)).toBe(false);
  await database.transaction((tx) => endRenewal(tx, jobId - 1));
  expect(await hasPresentVersion(database.reader)).toBe(false);
  await database.transaction((tx) => endRenewal(tx, jobId));
  expect(await hasPresentVersion(database.reader)).toBe(true);
});
