// Repositories together with their agent, over HTTP (contract 2.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('/repositories/with_agent', () => {
  it('creates, reads, updates and unlinks the agent together with the repository', async () => {
    const created = await api.post('/repositories/with_agent', {
      repository: { repo_code: 'WITH', name: 'With agent', org_code: '', surprise: 1 },
      agent_representation: {
        names: [{ primary_name: 'The Body', sort_name_auto_generate: true }],
        agent_contacts: [{ name: 'Desk', city: 'Paris' }],
      },
    });
    expect(created.json).toMatchObject({ status: 'Created', uri: `/repositories/with_agent/${created.json.id}` });
    // Contacts are shown to whoever may see them alone.
    expect((await api.get(created.json.uri, null)).json.agent_representation.agent_contacts).toEqual([]);
    const both = (await api.get(created.json.uri)).json;
    expect(both).toMatchObject({
      jsonmodel_type: 'repository_with_agent',
      repository: { repo_code: 'WITH' },
      agent_representation: { title: 'The Body', agent_contacts: [{ city: 'Paris' }] },
    });
    both.agent_representation.agent_contacts[0].city = 'Lyon';
    both.repository.name = 'With an agent';
    expect((await api.post(created.json.uri, both)).json).toMatchObject({
      status: 'Updated',
      lock_version: 1,
      uri: created.json.uri,
    });
    const changed = (await api.get(created.json.uri)).json;
    expect(changed).toMatchObject({
      repository: { name: 'With an agent' },
      agent_representation: { agent_contacts: [{ city: 'Lyon' }], uri: both.agent_representation.uri },
    });
    const { agent_representation: agent, ...without } = changed;
    expect((await api.post(created.json.uri, without)).status).toBe(200);
    expect((await api.get(`/repositories/${created.json.id}`)).json).not.toHaveProperty('agent_representation');
    expect((await api.get(agent.uri)).status).toBe(200);
  });

  it('names the part of a body that is not valid', async () => {
    const reply = await api.post('/repositories/with_agent', { repository: { repo_code: 'X' } });
    expect([reply.status, reply.json.error]).toEqual([
      400,
      { 'repository/name': ['Property is required but was missing'] },
    ]);
  });
});
