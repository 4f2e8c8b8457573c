// What a search gives beside its page: here, the words without which something is found. Facets, spellings and reasons have tests of their own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  const documents = [
    ['Harbor maps of Boston', true],
    ['Harbor views', true],
    ['Secret maps of Boston', false],
  ].flatMap(([title, publish], n) =>
    toSearchDocuments('resource', {
      uri: `/repositories/2/resources/${n + 1}`,
      repository: { ref: '/repositories/2' },
      jsonmodel_type: 'resource',
      title: String(title),
      publish: publish === true,
      level: 'collection',
    }),
  );
  await indexDocuments(database, documents, 1);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function foundWithout(q: string, asked: object, mayNotSeeUnpublished = false): Promise<unknown> {
  const request = buildSearchRequest({ page: 1, q, ...asked }, { now: 0 });
  const visibility = { repositories: 'all', mayNotSeeUnpublished, seesSuppressed: false } as const;
  return (await postgresSearch(database).search(request, visibility)).foundWithout;
}

it('names the words without which something is found, where nothing is found with all', async () => {
  expect(await foundWithout('harbor maps paris', { did_you_mean: true })).toEqual([{ word: 'paris', total_hits: 1 }]);
  expect(await foundWithout('harbor maps paris', { relax: true })).toEqual([{ word: 'paris', total_hits: 1 }]);
  expect(await foundWithout('views boston', { relax: true })).toEqual([
    { word: 'views', total_hits: 2 },
    { word: 'boston', total_hits: 1 },
  ]);
  expect(await foundWithout('paris london maps', { relax: true })).toEqual([]);
});

it('says nothing where something is found, where it is not asked, or where there is one word', async () => {
  expect(await foundWithout('harbor maps', { did_you_mean: true })).toBeUndefined();
  expect(await foundWithout('harbor paris', {})).toBeUndefined();
  expect(await foundWithout('paris', { did_you_mean: true })).toBeUndefined();
});

it('counts within the filters of the search, and what the caller may see', async () => {
  expect(await foundWithout('views boston', { relax: true, filter_query: ['title:maps'] })).toEqual([
    { word: 'views', total_hits: 2 },
  ]);
  expect(await foundWithout('views boston', { relax: true }, true)).toEqual([
    { word: 'views', total_hits: 1 },
    { word: 'boston', total_hits: 1 },
  ]);
});
