// The records that the contract tests of search look for, made over HTTP and indexed by the running service.
import type { JsonObject } from '#domain/json.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { note } from '#test/support/make/notes.ts';
import { publicUserSession } from '#test/support/public-user.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import type { Parameters } from '#test/support/search-query.ts';
import { toQuery } from '#test/support/search-query.ts';

/** The service with the records. `uris` by the names below; `find` gives the names found, in order. */
export type Collection = AsyncDisposable & {
  readonly api: TestApi;
  readonly repo: number;
  readonly away: number;
  readonly viewer: string;
  readonly publicUser: string;
  readonly uris: { readonly [name: string]: string };
  search(parameters: Parameters, session?: string | null): Promise<Reply>;
  find(parameters: Parameters, session?: string): Promise<readonly string[]>;
  make(name: string, path: string, body: unknown): Promise<string>;
};

const date = (begin: string, end: string): JsonObject => ({ date_type: 'inclusive', label: 'creation', begin, end });

/** Starts the service in a release and makes the records. */
export async function startCollection(release = 'R-B'): Promise<Collection> {
  const api = await startTestApi({ environment: { MUNIMENT_RELEASE: release } });
  const repo = await api.repository('HOME');
  const away = await api.repository('AWAY');
  const at = `/repositories/${repo}`;
  const uris: { [name: string]: string } = {};
  const make = async (name: string, path: string, body: unknown): Promise<string> => {
    const reply = await api.post(path, body);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return (uris[name] = String(reply.json.uri));
  };
  const { json: home } = await api.get(at);
  await api.post(at, { ...home, publish: true });
  await make('ada', '/agents/people', { ...personBody('Bandicoot, Ada'), publish: true });
  await make('subject', '/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Marsupials', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    publish: true,
  });
  await make(
    'papers',
    `${at}/resources`,
    resourceBody('MS', {
      title: 'Wallaby <emph>papers</emph>',
      id_1: '001',
      publish: true,
      ead_id: 'ead.wallaby',
      level: 'collection',
      dates: [date('1900', '1950')],
      linked_agents: [{ ref: uris['ada'], role: 'creator' }],
      subjects: [{ ref: uris['subject'] }],
      external_ids: [{ external_id: 'EXT-1', source: 'old' }],
      collection_management: { processing_priority: 'high', processing_status: 'new', processors: 'Quokka, Quentin' },
      notes: [
        note('scopecontent', 'Letters about harbor maps of the old town'),
        note('processinfo', 'Confidential whereabouts', false),
      ],
    }),
  );
  await make(
    'views',
    `${at}/resources`,
    resourceBody('MS-002.1', {
      title: 'Harbor views',
      publish: false,
      level: 'collection',
      dates: [date('1940', '1940')],
    }),
  );
  await make(
    'eire',
    `${at}/resources`,
    resourceBody('FA', {
      title: 'Maps of Éire',
      id_1: '7',
      publish: true,
      level: 'series',
      dates: [date('1999', '1999')],
    }),
  );
  await make('box', `${at}/top_containers`, { indicator: '10', type: 'box', barcode: '39002012345678' });
  await make('box2', `${at}/top_containers`, { indicator: '2', type: 'box' });
  await make('diary', `${at}/archival_objects`, {
    title: 'Wallaby diary',
    level: 'file',
    component_id: 'F-77',
    publish: true,
    resource: { ref: uris['papers'] },
    instances: [
      {
        instance_type: 'mixed_materials',
        sub_container: { top_container: { ref: uris['box'] }, type_2: 'folder', indicator_2: '3' },
      },
    ],
  });
  await make('letters', `${at}/archival_objects`, {
    title: 'Numbat letters',
    level: 'item',
    ref_id: 'fa70beef',
    publish: true,
    resource: { ref: uris['papers'] },
    parent: { ref: uris['diary'] },
  });
  await make('scan', `${at}/digital_objects`, { title: 'Scan of a diary', digital_object_id: 'DO-1', publish: true });
  await make('part', `${at}/digital_object_components`, {
    title: 'Page of the scan',
    publish: true,
    digital_object: { ref: uris['scan'] },
  });
  await make('gift', `${at}/accessions`, {
    id_0: '2020',
    id_1: '5',
    title: 'Secret gift',
    accession_date: '2020-01-01',
    publish: true,
  });
  await make(
    'abroad',
    `/repositories/${away}/resources`,
    resourceBody('AB', { title: 'Wallaby abroad', publish: true, level: 'collection' }),
  );
  ok(await api.ask(`${uris['gift']}/suppressed?suppressed=true`, { method: 'POST' }));
  const viewer = await api.userWith(['view_repository'], repo);
  const publicUser = await publicUserSession(api, repo);
  await untilIndexed(api.database);
  const search = (parameters: Parameters, session?: string | null): Promise<Reply> =>
    api.get(`/search?${toQuery(parameters)}`, session);
  return {
    api,
    repo,
    away,
    viewer,
    publicUser,
    uris,
    make,
    search,
    find: async (parameters, session) => {
      const { status, json, text } = await search(parameters, session);
      if (status !== 200) throw new Error(text);
      const names = new Map(Object.entries(uris).map(([name, uri]) => [uri, name]));
      return json.results.map((row: { readonly id: string }) => names.get(row.id) ?? row.id);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** An advanced_query of a node as JSON text. */
export const advanced = (query: unknown): string => JSON.stringify({ jsonmodel_type: 'advanced_query', query });
