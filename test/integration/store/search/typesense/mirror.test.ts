// How many documents go to Typesense with one request: what stands before a server bounds the size of bodies. The server is a stand-in.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { Database } from '#store/connection/database.ts';
import type { OpenSearch } from '#store/search/open.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { openOnStandIn } from '#test/support/typesense/open.ts';
import { startTypesenseStandIn } from '#test/support/typesense/server.ts';
import type { StandIn } from '#test/support/typesense/server.ts';

let server: TestDatabase;
let database: Database;
let standIn: StandIn;
let index: OpenSearch;
beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  standIn = await startTypesenseStandIn();
  index = openOnStandIn(database, standIn, 'portions');
  await index.mirror?.prepare(database);
});
afterAll(async () => {
  await standIn[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

let made = 0;
const document = (content: string) =>
  toSearchDocuments('resource', {
    uri: `/repositories/2/resources/${(made += 1)}`,
    repository: { ref: '/repositories/2' },
    jsonmodel_type: 'resource',
    publish: false,
    title: `Papers ${made}`,
    level: 'collection',
    notes: [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: true, content: [content] }],
    create_time: '2026-01-01T00:00:00Z',
    system_mtime: '2026-01-01T00:00:00Z',
    user_mtime: '2026-01-01T00:00:00Z',
  });

it.each([
  { documents: 200, letters: 8, requests: 1 },
  { documents: 201, letters: 8, requests: 2 },
  // A document holds its texts about three times; four million characters are the limit.
  { documents: 3, letters: 400_000, requests: 1 },
  { documents: 3, letters: 576_000, requests: 2 },
])('$documents documents with notes of $letters letters go in requests, so many: $requests', async (each) => {
  const content = 'dunnart '.repeat(each.letters / 8);
  const documents = Array.from({ length: each.documents }, () => document(content)).flat();
  expect(documents).toHaveLength(each.documents);
  standIn.requests.splice(0);
  await indexDocuments(database, documents, 1, index.mirror);
  expect(standIn.requests.filter((one) => one.endsWith('/documents/import'))).toHaveLength(each.requests);
});
