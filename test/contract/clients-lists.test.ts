// What client programs look up, row by row of the contract's clients.md: lists in all their forms, controlled lists and their values, small reads.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { idOf, ok } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records } = await serveRecords({ worker: 'jobs' });
const at = `/repositories/${records.repoId}`;

describe('lists', () => {
  const lists = ['resources', 'archival_objects', 'accessions', 'digital_objects', 'top_containers'] as const;
  const kinds = {
    resources: 'resource',
    archival_objects: 'archival_object',
    accessions: 'accession',
    digital_objects: 'digital_object',
    top_containers: 'top_container',
  } as const;

  it.each(lists)('of %s answer all_ids, True too, pages to 250, ids in both forms, and a time', async (plural) => {
    const uri = await records.make(kinds[plural]);
    const id = idOf(uri);
    for (const value of ['true', 'True', 'false', ''])
      expect(ok(await api.get(`${at}/${plural}?all_ids=${value}`))).toContain(id);
    expect(
      ok(await api.get(`${at}/${plural}?page=1&page_size=250`)).results.map((record: JsonObject) => record['uri']),
    ).toContain(uri);
    expect(
      ok(await api.get(`${at}/${plural}?page=1&page_size=2000`)).results.map((record: JsonObject) => record['uri']),
    ).toContain(uri);
    expect(ok(await api.get(`${at}/${plural}?id_set=${id}`))).toHaveLength(1);
    expect(ok(await api.get(`${at}/${plural}?id_set[]=${id}&id_set[]=${id}`))).toHaveLength(1);
    expect(
      ok(await api.get(`${at}/${plural}?all_ids=true&modified_since=${Math.floor(Date.now() / 1000) - 600}`)),
    ).toContain(id);
    expect(ok(await api.get(`${at}/${plural}?all_ids=true&modified_since=4102444800`))).toEqual([]);
  });

  it('let page win over all_ids', async () => {
    expect(ok(await api.get(`${at}/accessions?all_ids=true&page=1`))).toHaveProperty('results');
    expect(ok(await api.get(`${at}/accessions?page=1&id_set=1&page_size=3`))).toMatchObject({ this_page: 1 });
  });

  it('go down as well as up', async () => {
    const ids = ok(await api.get(`${at}/accessions?all_ids=true`));
    const page = ok(await api.get(`${at}/accessions?page=1&sort_direction=desc`));
    expect(idOf(page.results[0].uri)).toBe(ids.at(-1));
    expect((await api.get(`${at}/accessions?page=1&sort_direction=sideways`)).json).toEqual({
      error: { sort_direction: ["Failed validation -- must be either 'asc' or 'desc' but given: sideways"] },
    });
  });

  it.each(['people', 'corporate_entities', 'families', 'software'])(
    'of agents (%s) resolve inside an id set',
    async (plural) => {
      expect((await api.get(`/agents/${plural}?id_set=1,2&resolve[]=related_agents`)).status).toBe(200);
      expect((await api.get(`/agents/${plural}?page=1`, null)).status).toBe(200);
    },
  );

  it('of users come in pages, and one by one', async () => {
    const page = ok(await api.get('/users?page=1&page_size=5', null));
    expect(page.results[0]).toMatchObject({ jsonmodel_type: 'user', groups: [] });
    expect(ok(await api.get(page.results[0].uri)).permissions).toBeDefined();
  });

  it('tell administrators where an agent is used, others nothing', async () => {
    const agent = await records.make('agent_person');
    await records.make('accession', { linked_agents: [{ ref: agent, role: 'source' }] });
    expect(ok(await api.get(agent)).used_within_repositories).toEqual([at]);
    expect(ok(await api.get(`/agents/people?id_set=${idOf(agent)}`))[0]).toMatchObject({
      used_within_repositories: [at],
      used_within_published_repositories: [],
    });
    expect(ok(await api.get(agent, null)).used_within_repositories).toEqual([]);
  });

  it('of repositories are plain arrays without the global one, read by everybody', async () => {
    const list = ok(await api.get('/repositories', null));
    expect(list.map((record: JsonObject) => record['uri'])).not.toContain('/repositories/1');
    expect(ok(await api.get('/repositories/1', null)).uri).toBe('/repositories/1');
  });
});

describe('controlled lists', () => {
  it('have the ids that clients know', async () => {
    expect(ok(await api.get('/config/enumerations/32', null)).name).toBe('archival_record_level');
    expect(ok(await api.get('/config/enumerations/names/archival_record_level', null)).uri).toBe(
      '/config/enumerations/32',
    );
    expect(ok(await api.get('/config/enumerations', null)).length).toBeGreaterThan(90);
  });

  it('move records from one value to another', async () => {
    const list = ok(await api.get('/config/enumerations/names/container_type'));
    ok(await api.post(list.uri, { ...list, values: [...list.values, 'crate_of_test'] }));
    const uri = await records.make('top_container', { type: 'crate_of_test' });
    ok(await api.post('/config/enumerations/migration', { enum_uri: list.uri, from: 'crate_of_test', to: 'box' }));
    expect(ok(await api.get(uri)).type).toBe('box');
  });
});

describe('small reads', () => {
  it.each([
    `/repositories/2/jobs?page=1`,
    '/repositories/2/jobs/import_types',
    '/job_types',
    '/permissions?level=all',
    '/users/complete?query=ad',
  ])('answer GET %s', async (path) => {
    expect((await api.get(path)).status).toBe(200);
  });

  it('answer HEAD wherever GET does', async () => {
    const reply = await api.ask(`${await records.one('accession')}`, { method: 'HEAD' });
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it('end in a newline, are not cached, and have no charset', async () => {
    const reply = await api.get(await records.one('accession'));
    expect(reply.text.endsWith('}\n')).toBe(true);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });
});
