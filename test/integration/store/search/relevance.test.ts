// Ranking held against grades given by hand (test/support/make/judged-search.ts): nDCG@10 over all queries, and each query by itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { judgedQueries, judgedRecords } from '#test/support/make/judged-search.ts';
import { ndcg } from '#test/support/ndcg.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

let server: TestDatabase;
let database: Database;
const names = new Map<string, string>();

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  for (const [name, [, record]] of judgedRecords) names.set(String(record['uri']), name);
  await indexDocuments(
    database,
    [...judgedRecords.values()].flatMap(([kind, record]) => toSearchDocuments(kind, record)),
    1,
  );
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function namesFound(q: string): Promise<readonly string[]> {
  const request = buildSearchRequest({ page: 1, q }, { now: Date.UTC(2026, 10, 21) });
  const { hits } = await postgresSearch(database).search(request, {
    repositories: 'all',
    mayNotSeeUnpublished: false,
    seesSuppressed: false,
  });
  return hits.map(({ id }) => names.get(id) ?? id);
}

describe('ranking of agents, subjects, accessions, containers, identifiers and other scripts', () => {
  it('reaches nDCG@10 0.95 over all judged queries, and fails none', async () => {
    const scores = await Promise.all(
      judgedQueries.map(async ([q, grades]) => {
        const found = await namesFound(q);
        return { q, score: ndcg(found, grades), found: found.slice(0, 5) };
      }),
    );
    expect(judgedQueries.length).toBeGreaterThanOrEqual(40);
    expect(scores.filter(({ score }) => score < 0.6)).toEqual([]);
    expect(scores.reduce((sum, { score }) => sum + score, 0) / scores.length).toBeGreaterThanOrEqual(0.95);
  });

  it.each(['MC 00432', 'MS.2011-04/7', 'RG 13-A', '2019-042', '39002012345678'])(
    'puts the record with the quoted identifier "%s" first',
    async (identifier) => {
      const [wanted] = Object.keys(judgedQueries.find(([q]) => q === `"${identifier}"`)?.[1] ?? {});
      expect((await namesFound(`"${identifier}"`))[0]).toBe(wanted);
    },
  );
});
