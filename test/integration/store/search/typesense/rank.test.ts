// The ladder of conditions that ranks on Typesense, held against the same grades as PostgreSQL's ranking. The order of a real server follows from
// `_eval` and two numeric fields, as documented; the stand-in does just that.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import type { OpenSearch } from '#store/search/open.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { judgedQueries, judgedRecords } from '#test/support/make/judged-search.ts';
import { ndcg } from '#test/support/ndcg.ts';
import { openOnStandIn } from '#test/support/typesense/open.ts';
import { startTypesenseStandIn } from '#test/support/typesense/server.ts';
import type { StandIn } from '#test/support/typesense/server.ts';
import { forgetWhatSetUpHid, indexDocuments } from '#test/support/index-documents.ts';

let server: TestDatabase;
let database: Database;
let standIn: StandIn;
let index: OpenSearch;
const names = new Map<string, string>();

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  await forgetWhatSetUpHid(database);
  standIn = await startTypesenseStandIn();
  index = openOnStandIn(database, standIn, 'judged');
  await index.mirror?.prepare(database);
  for (const [name, [, record]] of judgedRecords) names.set(String(record['uri']), name);
  await indexDocuments(
    database,
    [...judgedRecords.values()].flatMap(([kind, record]) => toSearchDocuments(kind, record)),
    1,
    index.mirror,
  );
});
afterAll(async () => {
  await standIn[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function namesFound(q: string): Promise<readonly string[]> {
  const request = buildSearchRequest({ page: 1, q }, { now: Date.UTC(2026, 10, 21) });
  const { hits } = await index.search.search(request, {
    repositories: 'all',
    mayNotSeeUnpublished: false,
    seesSuppressed: false,
  });
  return hits.map(({ id }) => names.get(id) ?? id);
}

it('reaches nDCG@10 0.95 over all judged queries', async () => {
  const scores = await Promise.all(
    judgedQueries.map(async ([q, grades]) => ({ q, score: ndcg(await namesFound(q), grades) })),
  );
  expect(scores.filter(({ score }) => score < 0.6)).toEqual([]);
  expect(scores.reduce((sum, { score }) => sum + score, 0) / scores.length).toBeGreaterThanOrEqual(0.95);
});

it('takes any form of a word in a title before the word as typed in a short field', async () => {
  const times = {
    create_time: '2026-01-02T03:04:05Z',
    system_mtime: '2026-01-02T03:04:05Z',
    user_mtime: '2026-01-02T03:04:05Z',
  };
  const heading = { ref: '/subjects/9000', _resolved: { title: 'Zeppelins' } };
  const records = [
    ['subject', { uri: '/subjects/9001', jsonmodel_type: 'subject', title: 'Zeppelin', terms: [], ...times }],
    [
      'accession',
      {
        uri: '/repositories/2/accessions/9001',
        repository: { ref: '/repositories/2' },
        jsonmodel_type: 'accession',
        title: 'Gift',
        display_string: 'Gift',
        id_0: 'Z',
        subjects: [heading],
        ...times,
      },
    ],
  ] as const;
  await indexDocuments(
    database,
    records.flatMap(([kind, record]) => toSearchDocuments(kind, record)),
    1,
    index.mirror,
  );
  const request = buildSearchRequest({ page: 1, q: 'zeppelins', stem: 'en' }, { now: 0 });
  const { hits } = await index.search.search(request, {
    repositories: 'all',
    mayNotSeeUnpublished: false,
    seesSuppressed: false,
  });
  expect(hits.map(({ id }) => id)).toEqual(['/subjects/9001', '/repositories/2/accessions/9001']);
});
