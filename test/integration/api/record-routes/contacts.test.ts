// Contact details of agents: shown to holders of view_agent_contact_record alone, kept when others save the agent (contract precedence.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';

const agent = (name: string): object => ({
  names: [{ primary_name: name, sort_name_auto_generate: true }],
  agent_contacts: [{ name: 'Front desk', email: 'desk@example.org', telephones: [{ number: '12345' }] }],
});

describe('where contacts are protected', () => {
  let api: TestApi;
  let repoId = 0;
  let uri = '';
  let editor = '';
  let viewer = '';
  beforeAll(async () => {
    api = await startTestApi({ worker: false });
    repoId = await api.repository();
    uri = (await api.post('/agents/corporate_entities', agent('Harbour Board'))).json.uri;
    editor = await api.userWith(['view_repository', 'update_accession_record', 'manage_agent_record'], repoId);
    viewer = await api.userWith(['view_repository', 'view_agent_contact_record'], repoId);
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  it('shows them to holders of the permission in any repository', async () => {
    for (const session of [api.session, viewer])
      expect((await api.get(uri, session)).json.agent_contacts).toMatchObject([
        { name: 'Front desk', telephones: [{ number: '12345' }] },
      ]);
  });

  it('hides them from others in single reads, lists, resolve and the agent of a repository', async () => {
    const { json: accession } = await api.post(`/repositories/${repoId}/accessions`, {
      id_0: 'A',
      accession_date: '2020-01-01',
      linked_agents: [{ ref: uri, role: 'creator' }],
    });
    const id = uri.split('/').at(-1);
    for (const session of [null, editor]) {
      const replies = await Promise.all(
        [
          uri,
          `/agents/corporate_entities?page=1`,
          `/agents/corporate_entities?id_set=${id}`,
          `/repositories/with_agent/${repoId}`,
          '/repositories?resolve[]=agent_representation',
        ].map((path) => api.get(path, session)),
      );
      for (const reply of replies) {
        expect(reply.status).toBe(200);
        expect(reply.text).not.toContain('desk@example.org');
        expect(reply.text).not.toMatch(/"agent_contacts":\[\{/);
      }
      expect(replies[0]?.json.agent_contacts).toEqual([]);
    }
    const resolved = await api.get(`${accession.uri}?resolve[]=linked_agents`, editor);
    expect(resolved.json.linked_agents[0]._resolved).toMatchObject({ title: 'Harbour Board', agent_contacts: [] });
    expect(
      (await api.get(`${accession.uri}?resolve[]=linked_agents`, viewer)).json.linked_agents[0]._resolved
        .agent_contacts,
    ).toHaveLength(1);
  });

  it('keeps them when somebody who does not see them saves the agent', async () => {
    const { json } = await api.get(uri, editor);
    const reply = await api.post(
      uri,
      { ...json, names: [{ primary_name: 'Harbour Trust', sort_name_auto_generate: true }] },
      editor,
    );
    expect(reply.status, reply.text).toBe(200);
    await api.post(uri, { ...(await api.get(uri, editor)).json, agent_contacts: [{ name: 'Mine' }] }, editor);
    expect((await api.get(uri)).json).toMatchObject({
      title: 'Harbour Trust',
      agent_contacts: [{ name: 'Front desk', email: 'desk@example.org' }],
    });
  });

  it('tells none of them where a version cannot be brought back', async () => {
    const { json: list } = await api.get('/config/enumerations/names/name_source');
    const setSources = async (values: readonly string[]): Promise<void> => {
      const { json } = await api.get(list.uri);
      expect((await api.post(list.uri, { ...json, values })).status).toBe(200);
    };
    await setSources([...list.values, 'of_then']);
    const named = (primary_name: string, source: string) => ({
      ...agent(primary_name),
      names: [{ primary_name, source, sort_name_auto_generate: true }],
    });
    const [saved, gone] = [
      await api.create('/agents/corporate_entities', named('Saved since', 'of_then')),
      await api.create('/agents/corporate_entities', named('Gone', 'of_then')),
    ];
    await api.post(saved, { ...named('Saved since', 'local'), lock_version: 0 });
    await api.del(gone);
    await setSources(list.values);
    for (const [uri, given] of [
      [saved, { lock_version: 1 }],
      [gone, {}],
    ] as const) {
      const refused = await api.post(`${uri}/history/0/restore`, given, editor);
      expect(refused).toMatchObject({ status: 400, json: { error: { 'names/0/source': [expect.any(String)] } } });
      expect(refused.text).not.toContain('desk@example.org');
      // Whoever sees them is told the whole body, as of any save that is refused.
      expect((await api.post(`${uri}/history/0/restore`, given)).text).toContain('desk@example.org');
    }
  });

  it('changes them when somebody who sees them saves the agent', async () => {
    const { json } = await api.get(uri);
    await api.post(uri, { ...json, agent_contacts: [] });
    expect((await api.get(uri)).json.agent_contacts).toEqual([]);
  });
});

describe('where contacts are not protected', () => {
  it('shows them to everybody', async () => {
    await using api = await startTestApi({ worker: false, environment: { MUNIMENT_PROTECT_CONTACTS: 'false' } });
    const { json } = await api.post('/agents/corporate_entities', agent('Open Board'));
    expect((await api.get(json.uri, null)).json.agent_contacts).toMatchObject([{ email: 'desk@example.org' }]);
  });
});
