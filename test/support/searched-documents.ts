// A few hundred made documents in an index in PostgreSQL, which the tests of one sort of question after another ask as a client would.
import { afterAll } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { toSearchPage } from '#domain/search/reply/page.ts';
import { Database } from '#store/connection/database.ts';
import type { Visibility } from '#store/search/port.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { createDatabase } from './database.ts';
import { indexDocuments } from './index-documents.ts';
import type { RecordReply } from './make/record-replies.ts';
import { component, person, resource } from './make/record-replies.ts';

/** The moment that NOW is. */
export const now = Date.UTC(2026, 10, 21);

/** Who asks. */
export const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
export const publicUser: Visibility = { ...staff, mayNotSeeUnpublished: true };

const agent: JsonObject = {
  ref: '/agents/people/1',
  role: 'creator',
  _resolved: { display_name: { sort_name: 'Zinn, Howard' }, publish: true },
};

/** Kinds, and records as their GET answers them with refs resolved: of collections, a person, and three hundred letters. One is suppressed. */
export const records: readonly RecordReply[] = [
  resource(1, {
    title: 'Howard Zinn <emph>Papers</emph>',
    id_0: 'TAM',
    id_1: '542',
    linked_agents: [agent],
    dates: [{ begin: '1922', end: '2010', date_type: 'inclusive' }],
    finding_aid_title: 'Guide to the papers',
    subjects: [{ ref: '/subjects/1', _resolved: { title: 'Peace movements' } }],
    notes: [
      {
        jsonmodel_type: 'note_multipart',
        type: 'scopecontent',
        publish: true,
        subnotes: [{ content: 'Letters about disarmament' }],
      },
      {
        jsonmodel_type: 'note_multipart',
        type: 'processinfo',
        publish: false,
        subnotes: [{ content: 'Confidential whereabouts' }],
      },
    ],
  }),
  resource(2, {
    title: 'Harbor maps',
    id_0: 'MC.319',
    dates: [{ begin: '1940', date_type: 'single' }],
    create_time: '2020-05-06T00:00:00Z',
  }),
  resource(3, { title: 'Maps of the old harbor', id_0: 'MS 3009', publish: false }),
  resource(4, { title: 'Hidden harbor', id_0: 'S1', suppressed: true }, 3),
  resource(5, { title: 'Box 10', id_0: 'B10' }, 3),
  resource(6, { title: 'Box 2', id_0: 'B2' }, 3),
  resource(7, { title: '東京大学 photographs', id_0: 'JP' }, 3),
  component(1, {
    title: 'Rabbit',
    display_string: 'Rabbit, 1955',
    component_id: 'FA_MSS_133_ER_245',
    ancestors: [{ ref: '/repositories/2/resources/1', _resolved: { title: 'Menagerie' } }],
  }),
  component(2, { title: "O'Neill’s re-armament plan", display_string: "O'Neill’s re-armament plan" }),
  person(1, 'Zinn, Howard'),
  ...Array.from({ length: 300 }, (_, index) =>
    component(100 + index, {
      title: `Letter ${index}`,
      display_string: `Letter ${index}`,
      level: index % 3 === 0 ? 'item' : 'file',
      notes: index % 2 === 0 ? [{ content: ['common ground'] }] : [],
    }),
  ),
];

/** The index, and what is found in it. */
export type SearchedDocuments = {
  readonly database: Database;
  /** A page of what is found, of fifty where the parameters say nothing else; by staff, or by the one given. */
  find(parameters: Partial<SearchParameters>, visibility?: Visibility): Promise<JsonObject>;
  /** The ids of that page in their order, without `/repositories/`. */
  idsOf(parameters: Partial<SearchParameters>, visibility?: Visibility): Promise<readonly unknown[]>;
};

/** Indexes the records in a database of its own, which is dropped after the last test of the file that awaits this at its top. */
export async function indexRecords(): Promise<SearchedDocuments> {
  const server = await createDatabase();
  const database = new Database({ url: server.url, poolSize: 3 });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await server.drop();
  });
  await indexDocuments(
    database,
    records.flatMap(([kind, record]) => toSearchDocuments(kind, record)),
    1,
  );
  const find = async (parameters: Partial<SearchParameters>, visibility = staff): Promise<JsonObject> => {
    const request = buildSearchRequest({ page: 1, page_size: 50, ...parameters }, { now });
    return toSearchPage(request, await postgresSearch(database).search(request, visibility));
  };
  return {
    database,
    find,
    idsOf: async (parameters, visibility) => {
      const { results } = await find(parameters, visibility);
      return (results as readonly JsonObject[]).map((document) => String(document['id']).replace('/repositories/', ''));
    },
  };
}
