// What public interfaces send: pages of what is published, with what the rows name put beside them (contract: behaviour-search.md sections 2, 5, 8, 9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilIndexed } from '#test/support/indexer.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import type { Collection } from './collection.ts';
import { toQuery } from '#test/support/search-query.ts';
import { advanced, startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
  await c.make('grace', '/agents/people', {
    ...personBody('Glider, Grace'),
    publish: true,
    related_agents: [
      { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: c.uris['ada'] },
    ],
  });
  await c.make('ghost', '/agents/people', {
    ...personBody('Ghost, Gus'),
    publish: false,
    related_agents: [
      { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: c.uris['ada'] },
    ],
  });
  await c.make('bequest', `/repositories/${c.repo}/accessions`, {
    id_0: '1999',
    title: 'Bequest',
    accession_date: '1999-01-01',
    publish: true,
    external_ids: [{ external_id: 'EXT-2', source: 'old' }],
  });
  await c.make('quiet', `/repositories/${c.repo}/accessions`, {
    id_0: '1998',
    title: 'Quiet bequest',
    accession_date: '1998-01-01',
    publish: false,
    external_ids: ['EXT-2', 'EXT-3'].map((each) => ({ external_id: each, source: 'old' })),
  });
  await c.make(
    'related',
    `/repositories/${c.repo}/resources`,
    resourceBody('REL', {
      title: 'Related papers',
      publish: true,
      level: 'collection',
      related_accessions: [{ ref: c.uris['bequest'] }, { ref: c.uris['quiet'] }],
    }),
  );
  await c.make('pouch', `/repositories/${c.repo}/archival_objects`, {
    title: 'Pouch',
    level: 'item',
    publish: true,
    resource: { ref: c.uris['related'] },
    external_ids: [{ external_id: 'EXT-4', source: 'old' }],
  });
  await untilIndexed(c.api.database);
});
afterAll(() => c[Symbol.asyncDispose]());

const ask = async (parameters: Parameters<typeof toQuery>[0], session = c.publicUser): Promise<any> =>
  (
    await c.api.ask('/search', {
      method: 'POST',
      body: toQuery(parameters),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      session,
    })
  ).json;
const rowOf = (page: any, name: string): any =>
  page.results.find((row: { readonly uri: string }) => row.uri === c.uris[name]);

describe('a public interface', () => {
  it('finds by identifiers of other systems what its searches find', async () => {
    const askBy = async (query: string, session = c.publicUser): Promise<unknown> => {
      const { status, headers, text } = await c.api.get(`/by-external-id?${query}`, session);
      return [status, headers.get('location') ?? JSON.parse(text)];
    };
    expect(await askBy('eid=EXT-1')).toEqual([303, c.uris['papers']]);
    expect(await askBy('eid=EXT-2')).toEqual([303, c.uris['bequest']]);
    expect(await askBy('eid=EXT-3')).toEqual([404, []]);
    // A component is found as the public's copy, and told by its own uri.
    expect(await askBy('eid=EXT-4')).toEqual([303, c.uris['pouch']]);
    expect(await askBy('eid=EXT-2', c.api.session)).toEqual([300, [c.uris['bequest'], c.uris['quiet']]]);
  });

  it('gets what stands above components beside them, by id', async () => {
    const page = await ask({
      type: ['pui_archival_object'],
      q: 'numbat',
      resolve: [
        'repository:id',
        'resource:id@compact_resource',
        'ancestors:id@compact_resource',
        'top_container_uri_u_sstr:id',
      ],
      facet: ['repository', 'primary_type'],
      facet_mincount: 1,
      hl: true,
    });
    const row = rowOf(page, 'letters');
    expect(Object.keys(row._resolved_ancestors).sort()).toEqual([c.uris['diary'], c.uris['papers']].sort());
    expect(row._resolved_ancestors[c.uris['diary'] ?? '']).toEqual([
      expect.objectContaining({ title: 'Wallaby diary', level: 'file', uri: c.uris['diary'] }),
    ]);
    expect(row._resolved_resource[c.uris['papers'] ?? ''][0]).toMatchObject({
      id_0: 'MS',
      id_1: '001',
      title: 'Wallaby <emph>papers</emph>',
    });
    expect(row._resolved_repository[`/repositories/${c.repo}`][0]).toMatchObject({ title: 'HOME' });
    expect(page.facets.facet_fields.repository).toEqual([`/repositories/${c.repo}`, 1]);
  });

  it('reads the repository of a record in its json', async () => {
    const { json: home } = await c.api.get(`/repositories/${c.repo}`);
    for (const session of [c.publicUser, c.api.session]) {
      const row = rowOf(await ask({ q: 'wallaby', type: ['resource'] }, session), 'papers');
      expect(JSON.parse(row.json).repository).toMatchObject({
        ref: `/repositories/${c.repo}`,
        _resolved: {
          uri: `/repositories/${c.repo}`,
          repo_code: 'HOME',
          name: home.name,
          agent_representation: { ref: home.agent_representation.ref },
        },
      });
    }
    const [found] = (await c.api.get(`/search/records?uri[]=${c.uris['papers']}`, c.publicUser)).json.results;
    // Its agent is unpublished: the public reads its name all the same, and nothing else of it.
    const { json: agent } = await c.api.get(home.agent_representation.ref);
    expect(agent.publish).toBe(false);
    const represented = JSON.parse(found.json).repository._resolved.agent_representation._resolved;
    expect(represented.display_name.sort_name).toBe(agent.display_name.sort_name);
    expect(represented.agent_contacts ?? []).toEqual([]);
    expect(JSON.parse(found.json).repository._resolved.repo_code).toBe('HOME');
    expect((await ask({ q: 'wallaby', fields: ['id', 'title'] })).results[0]).not.toHaveProperty('json');
  });

  it('reads related agents and accessions in json, those that are published', async () => {
    const related = (row: any, property: string): unknown =>
      JSON.parse(row.json)[property].map(
        (link: { readonly ref: string; readonly _resolved?: { readonly title?: string } }) => [
          link.ref,
          link._resolved?.title,
        ],
      );
    expect(related(rowOf(await ask({ type: ['pui_agent'] }), 'ada'), 'related_agents')).toEqual([
      [c.uris['grace'], 'Glider, Grace'],
    ]);
    expect(related(rowOf(await ask({ type: ['pui_agent'] }), 'grace'), 'related_agents')).toEqual([
      [c.uris['ada'], 'Bandicoot, Ada'],
    ]);
    expect(related(rowOf(await ask({ type: ['agent_person'] }, c.api.session), 'ada'), 'related_agents')).toEqual(
      expect.arrayContaining([[c.uris['ghost'], 'Ghost, Gus']]),
    );
    expect(related(rowOf(await ask({ type: ['pui_collection'] }), 'related'), 'related_accessions')).toEqual([
      [c.uris['bequest'], 'Bequest'],
    ]);
  });

  it('learns that a related record was named anew', async () => {
    const { json } = await c.api.get(c.uris['bequest'] ?? '');
    await c.api.post(c.uris['bequest'] ?? '', { ...json, title: 'Bequest, larger' });
    await untilIndexed(c.api.database);
    expect(
      JSON.parse(rowOf(await ask({ type: ['pui_collection'] }), 'related').json).related_accessions[0]._resolved.title,
    ).toBe('Bequest, larger');
  });

  it('narrows by a filter, with what is in it taken literally', async () => {
    const filter = advanced({
      jsonmodel_type: 'boolean_query',
      op: 'AND',
      subqueries: [
        { jsonmodel_type: 'field_query', field: 'primary_type', value: 'resource', literal: true },
        { jsonmodel_type: 'field_query', field: 'subjects', value: 'Marsupials', literal: true },
      ],
    });
    expect(
      (await ask({ q: '*', filter, type: ['pui'] })).results.map((row: { readonly uri: string }) => row.uri),
    ).toEqual([c.uris['papers']]);
  });
});

describe('the address of a record as query', () => {
  it.each(['%', '"%"', ' % '])('finds that record: %s', async (form) => {
    const uri = c.uris['papers'] ?? '';
    const { json } = await c.search({ q: form.replace('%', uri) });
    expect(json.results.map((row: { readonly id: string }) => row.id)).toEqual([uri]);
  });

  it('and no more than words where it is none', async () => {
    expect(await c.find({ q: '/wallaby\\/diary' })).toContain('diary');
    expect(await c.find({ q: 'uri:"/repositories/2/resources/999999"' })).toEqual([]);
  });
});
