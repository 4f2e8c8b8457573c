// Nothing leaks: a text of its own in every part that is not for everybody, and none of them in anything that goes out.
// What may have them: exports with `include_unpublished`, which are for callers who may view the repository and have unpublished parts
// (never suppressed ones); container labels, which are printed for the boxes in the stacks and count unpublished records by contract;
// and records.ndjson, which holds records as a GET answers them, hence with what is kept for those who work on them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { startTestApi } from '../../support/api.ts';
import { amount, isLong } from '../../support/long.ts';
import { untilIndexed } from '../../support/indexer.ts';
import type { Reason } from '../../support/make/hidden-parts.ts';
import type { HiddenRecords } from '../../support/make/hidden-records.ts';
import { makeHiddenRecords } from '../../support/make/hidden-records.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { readOaiReply } from '#test/support/oai-reply.ts';
import { publicUserSession } from '#test/support/public-user.ts';

let api: TestApi;
let made: HiddenRecords;
let reader = '';
let publicUser = '';
beforeAll(async () => {
  api = await startTestApi();
  made = await makeHiddenRecords(api);
  reader = await api.userWith(['view_repository'], made.repoId);
  publicUser = await publicUserSession(api, made.repoId);
  await untilIndexed(api.database);
});
afterAll(async () => api[Symbol.asyncDispose]());

const idOf = (uri: string): string => uri.split('/').at(-1) ?? '';

/** The places whose texts stand in a reply. */
function leaksIn(
  text: string,
  reasons: readonly Reason[] = ['unpublished', 'suppressed', 'internal'],
): readonly string[] {
  const lower = text.toLowerCase();
  return made.marks
    .filter(({ text: marked, reason }) => reasons.includes(reason) && lower.includes(marked))
    .map(({ place, reason }) => `${reason}: ${place}`);
}

/** Every document of the records that are published, and its twin of metadata. */
function documents(): readonly string[] {
  const base = `/repositories/${made.repoId}`;
  const [resource, object] = [idOf(made.resource), idOf(made.digitalObject)];
  return [
    ...[
      '',
      'ead3=true',
      'include_daos=true',
      'include_daos=true&ead3=true',
      'numbered_cs=true',
      'include_uris=true&include_daos=true',
    ].map((flags) => `${base}/resource_descriptions/${resource}.xml?${flags}`),
    `${base}/resource_descriptions/${resource}.xml/metadata`,
    `${base}/resource_descriptions/${resource}.html`,
    `${base}/resource_descriptions/${resource}.html/metadata`,
    `${base}/resource_descriptions/${resource}.pdf/metadata`,
    `${base}/resources/marc21/${resource}.xml`,
    `${base}/resources/marc21/${resource}.xml/metadata`,
    `${base}/resource_labels/${resource}.tsv/metadata`,
    ...['dublin_core', 'mods', 'mets'].flatMap((format) => [
      `${base}/digital_objects/${format}/${object}.xml`,
      `${base}/digital_objects/${format}/${object}.xml/metadata`,
    ]),
    `${base}/digital_objects/mets/${object}.xml?dmd=dc`,
    ...made.agents.flatMap(([folder, uri]) =>
      [
        'archival_contexts/FOLDER/ID.xml',
        'archival_contexts/FOLDER/ID.xml?eac2=true',
        'archival_contexts/FOLDER/ID.xml/metadata',
        'agents/FOLDER/marc21/ID.xml',
        'agents/FOLDER/marc21/ID.xml/metadata',
      ].map((path) => `${base}/${path.replace('FOLDER', folder).replace('ID', idOf(uri))}`),
    ),
  ];
}

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

describe('an export without include_unpublished', () => {
  test('has the marks to look for', () => {
    expect(new Set(made.marks.map(({ text }) => text)).size).toBe(made.marks.length);
    expect(made.marks.length).toBeGreaterThan(150);
  });

  test('of any format holds nothing that is hidden, whoever asks', async () => {
    for (const path of documents()) {
      for (const session of [api.session, reader, publicUser]) {
        const reply = await api.get(path, session);
        expect([path, reply.status, leaksIn(reply.text)]).toEqual([path, 200, []]);
      }
    }
  });

  test('shows what is published, so that there is something to look through', async () => {
    for (const path of documents().filter(
      (each) => !each.includes('metadata') && !each.includes('/marc21/') && !each.includes('mets'),
    ))
      expect([path, /plainly visible|Seen/.test((await api.get(path, reader)).text)]).toEqual([path, true]);
  });

  test('to a caller without a session is EAC-CPF alone, and holds nothing that is hidden', async () => {
    for (const path of documents()) {
      const reply = await api.get(path, null);
      expect([path, reply.status, leaksIn(reply.text)]).toEqual([
        path,
        path.includes('archival_contexts') ? 200 : 403,
        [],
      ]);
    }
  });

  test('as PDF holds nothing that is hidden', async () => {
    for (const session of [reader, publicUser]) {
      const reply = await fetch(
        `${api.url}/repositories/${made.repoId}/resource_descriptions/${idOf(made.resource)}.pdf`,
        { headers: { 'x-service-session': session } },
      );
      expect(reply.status).toBe(200);
      const pdf = readPdf(new Uint8Array(await reply.arrayBuffer()));
      expect(pdf.text).toContain('plainly visible');
      expect(leaksIn(`${pdf.text}\n${pdf.bookmarks.join('\n')}`)).toEqual([]);
    }
  });

  test('as records.ndjson holds nothing that is unpublished or suppressed', async () => {
    const path = `/repositories/${made.repoId}/resources/${idOf(made.resource)}/records.ndjson`;
    for (const session of [api.session, reader, publicUser]) {
      const { text } = await api.get(path, session);
      expect(text).toContain('plainly visible');
      expect(leaksIn(text, ['unpublished', 'suppressed'])).toEqual([]);
    }
  });

  test('as labels holds nothing suppressed', async () => {
    const path = `/repositories/${made.repoId}/resource_labels/${idOf(made.resource)}.tsv`;
    for (const session of [reader, publicUser])
      expect(leaksIn((await api.get(path, session)).text, ['suppressed', 'internal'])).toEqual([]);
  });

  test('of an agent that is not published is not there for callers without the permission, nor is its name', async () => {
    for (const [folder, uri] of made.unpublishedAgents) {
      for (const path of [
        `archival_contexts/${folder}/${idOf(uri)}.xml`,
        `archival_contexts/${folder}/${idOf(uri)}.xml/metadata`,
        `archival_contexts/${folder}/${idOf(uri)}.xml?eac2=true&include_unpublished=true`,
      ]) {
        const reply = await api.get(`/repositories/${made.repoId}/${path}`, null);
        expect([path, reply.status, leaksIn(reply.text)]).toEqual([path, 404, []]);
      }
    }
  });
});

describe('an export with include_unpublished', () => {
  test('is for callers who may view the repository: it has unpublished parts, and nothing suppressed or internal', async () => {
    for (const path of documents().filter((each) => !each.includes('metadata'))) {
      const text = (
        await api.get(
          withQuery(
            path,
            path.includes('resources/marc21') ? 'include_unpublished_marc=true' : 'include_unpublished=true',
          ),
          reader,
        )
      ).text;
      expect([path, leaksIn(text, ['suppressed', 'internal'])]).toEqual([path, []]);
      expect([path, leaksIn(text, ['unpublished']).length > 0]).toEqual([path, true]);
    }
  });

  test('gives a caller without a session no more than without it', async () => {
    for (const path of documents().filter((each) => /archival_contexts.*xml(?:\?|$)/.test(each)))
      expect([path, leaksIn((await api.get(withQuery(path, 'include_unpublished=true'), null)).text)]).toEqual([
        path,
        [],
      ]);
  });
});

describe('OAI-PMH', () => {
  const ask = async (parameters: { readonly [name: string]: string }): Promise<string> =>
    (await api.ask(`/oai?${new URLSearchParams(parameters).toString()}`, { session: null })).text;

  test('tells nothing that is hidden, by any verb and prefix', async () => {
    const { prefixes } = readOaiReply(await ask({ verb: 'ListMetadataFormats' }));
    expect(prefixes).toHaveLength(6);
    for (const verb of ['Identify', 'ListSets', 'ListMetadataFormats'])
      expect([verb, leaksIn(await ask({ verb }))]).toEqual([verb, []]);
    expect(leaksIn((await api.get('/oai_sample', null)).text)).toEqual([]);
    const seen = new Set<string>();
    for (const metadataPrefix of prefixes) {
      for (const verb of ['ListIdentifiers', 'ListRecords']) {
        let text = await ask({ verb, metadataPrefix });
        for (;;) {
          expect([verb, metadataPrefix, leaksIn(text)]).toEqual([verb, metadataPrefix, []]);
          const { records, token } = readOaiReply(text);
          for (const { identifier } of records) seen.add(identifier);
          if (token === null) break;
          text = await ask({ verb, resumptionToken: token });
        }
      }
    }
    expect(seen.size).toBeGreaterThan(0);
    const [example = ''] = seen;
    const uris = [made.resource, made.component, made.digitalObject, ...made.hiddenResources, ...made.hiddenObjects];
    for (const metadataPrefix of prefixes)
      for (const uri of uris)
        expect([
          metadataPrefix,
          uri,
          leaksIn(
            await ask({ verb: 'GetRecord', metadataPrefix, identifier: example.replace(/\/repositories\/.*/, uri) }),
          ),
        ]).toEqual([metadataPrefix, uri, []]);
    for (const uri of made.hiddenResources)
      expect(
        await ask({
          verb: 'GetRecord',
          metadataPrefix: 'oai_dc',
          identifier: example.replace(/\/repositories\/.*/, uri),
        }),
      ).toMatch(/idDoesNotExist|status="deleted"/);
  });
});

describe('searching', () => {
  const facets = [
    'primary_type',
    'subjects',
    'creators',
    'repository',
    'level',
    'langcode',
    'published_agents',
    'agents',
    'finding_aid_status',
    'processing_priority',
  ];
  const parameters = (query: { readonly [name: string]: string }): string =>
    [
      ...Object.entries({ page: '1', page_size: '250', ...query }).map(
        ([name, value]) => `${name}=${encodeURIComponent(value)}`,
      ),
      ...facets.map((facet) => `facet[]=${facet}`),
    ].join('&');

  /** All answers to a question: pages, marked fragments, facets, CSV, whole records. */
  async function answers(
    route: string,
    session: string | null,
    query: { readonly [name: string]: string },
  ): Promise<readonly (readonly [path: string, text: string])[]> {
    const paths = [
      `${route}?${parameters(query)}`,
      `${route}?${parameters({ ...query, hl: 'true' })}`,
      `${route}?${parameters({ ...query, dt: 'csv' })}`,
      `${route}?${parameters(query)}&resolve[]=repository:id&resolve[]=resource:uri@compact_resource`,
    ];
    return Promise.all(
      paths.map(async (path) => {
        const reply = await api.get(path, session);
        expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, '']);
        return [path, reply.text] as const;
      }),
    );
  }

  test('as the public shows nothing that is hidden', async () => {
    for (const route of ['/search', `/repositories/${made.repoId}/search`]) {
      const queries: readonly { readonly [name: string]: string }[] = [
        { q: '*' },
        { q: 'visible seen' },
        { q: 'leak*' },
        { q: '', root_record: made.resource },
      ];
      for (const query of queries) {
        for (const [path, text] of await answers(route, publicUser, query))
          expect([path, leaksIn(text.replaceAll('leak*', ''))]).toEqual([path, []]);
      }
    }
    expect((await api.get('/search?page=1&q=*', publicUser)).json.total_hits).toBeGreaterThan(5);
  });

  test('as the public finds nothing by a hidden word, in any field', async () => {
    const found: unknown[] = [];
    const ask = async (place: string, q: string): Promise<void> => {
      const { json } = await api.get(`/search?page=1&q=${encodeURIComponent(q)}`, publicUser);
      if (json.total_hits !== 0) found.push([place, q, json.results.map((row: { readonly id: string }) => row.id)]);
    };
    // An identifier that is the whole query is looked for by a way of its own.
    for (const { text, place } of made.marks.filter(
      (mark) => isLong || /identifier|code|number|barcode/i.test(mark.place),
    ))
      await ask(place, text);
    // What one of many words would find is found by all of them together: each by itself is for long runs.
    const together = amount(12, 1);
    const asked = ['', 'title:', 'fullrecord:'];
    for (let at = 0; at < made.marks.length; at += together) {
      const some = made.marks.slice(at, at + together);
      for (const field of asked)
        await ask(some.map(({ place }) => place).join(), some.map(({ text }) => `${field}${text}`).join(' OR '));
    }
    expect(found).toEqual([]);
    // One that is found is found beside a word that is hidden.
    const hidden = made.marks[0]?.text ?? '';
    for (const field of asked) {
      const { json } = await api.get(
        `/search?page=1&q=${encodeURIComponent(`${field}${hidden} OR ${field}seen`)}`,
        publicUser,
      );
      expect(json.total_hits, `one of several words in ${field}`).toBeGreaterThan(0);
    }
  });

  test('without a session, and of single documents, shows nothing that is hidden', async () => {
    // The list of repositories is open to all by contract (records 2.4, search 1): who logs in chooses from it.
    const open = ['unpublished: name of an unpublished repository', 'unpublished: code of an unpublished repository'];
    for (const route of ['/search/subjects', '/search/repositories', '/search/location_profile']) {
      for (const session of [null, publicUser])
        for (const [path, text] of await answers(route, session, { q: '*' }))
          expect([
            path,
            leaksIn(text).filter((leak) => route !== '/search/repositories' || !open.includes(leak)),
          ]).toEqual([path, []]);
    }
    const uris = [
      made.resource,
      made.component,
      made.digitalObject,
      made.accession,
      made.classification,
      ...[...made.agents, ...made.unpublishedAgents].map(([, uri]) => uri),
      ...made.hiddenResources,
      ...made.hiddenObjects,
    ];
    const asked = [
      `/search/records?${uris.map((uri) => `uri[]=${uri}`).join('&')}`,
      `/search/records?${uris.map((uri) => `uri[]=${encodeURIComponent(`${uri}#pui`)}`).join('&')}`,
      ...uris.flatMap((uri) =>
        ['', '/node_root'].map((end) => `/search/published_tree?node_uri=${encodeURIComponent(`${uri}${end}`)}`),
      ),
      '/search/record_types_by_repository?record_types[]=resource&record_types[]=accession&repo_uri=/repositories/1',
    ];
    for (const path of asked) expect([path, leaksIn((await api.get(path, publicUser)).text)]).toEqual([path, []]);
  });

  test('as a reader without the permission to see them shows nothing suppressed', async () => {
    for (const query of [{ q: '*' }, { q: 'leak*' }])
      for (const [path, text] of await answers(`/repositories/${made.repoId}/search`, reader, query))
        expect([path, leaksIn(text, ['suppressed'])]).toEqual([path, []]);
  });
});
