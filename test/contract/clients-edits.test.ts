// What client programs send back, row by row of the contract's clients.md: whole records as they were read, template bodies with unknown fields, and
// moves in trees.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { idOf, ok } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records } = await serveRecords({ worker: 'jobs' });
const at = `/repositories/${records.repoId}`;

describe('whole records back', () => {
  it('are accepted with everything resolved inside', async () => {
    const container = await records.make('top_container');
    const agent = await records.make('agent_person');
    const subject = await records.make('subject');
    const parent = await records.make('archival_object');
    const resource = (await api.get(parent)).json.resource;
    const uri = await records.make('archival_object', {
      resource,
      parent: { ref: parent },
      subjects: [{ ref: subject }],
      linked_agents: [{ ref: agent, role: 'creator' }],
      dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
      instances: [
        {
          instance_type: 'mixed_materials',
          sub_container: { top_container: { ref: container }, type_2: 'folder', indicator_2: '4' },
        },
      ],
      notes: [
        {
          jsonmodel_type: 'note_multipart',
          type: 'scopecontent',
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Letters' }],
        },
      ],
    });
    const names = [
      'ancestors',
      'ancestors::linked_agents',
      'instances::top_container',
      'top_container',
      'top_container::container_locations',
      'linked_agents',
      'subjects',
      'repository',
      'related_accessions',
      '',
    ];
    const record = ok(await api.get(`${uri}?${names.map((name) => `resolve[]=${name}`).join('&')}`));
    expect(record.instances[0].sub_container.top_container._resolved.indicator).toBe('1');
    expect(record.ancestors.map((ancestor: any) => ancestor._resolved.uri)).toEqual([parent, resource.ref]);
    const plain = ok(await api.get(uri));
    ok(await api.post(uri, { ...record, title: 'Edited' }));
    const after = ok(await api.get(uri));
    expect(after.title).toBe('Edited');
    expect({
      instances: after.instances.length,
      subjects: after.subjects,
      ancestors: after.ancestors,
      notes: after.notes,
      position: after.position,
    }).toEqual({
      instances: plain.instances.length,
      subjects: plain.subjects,
      ancestors: plain.ancestors,
      notes: plain.notes,
      position: plain.position,
    });
  });

  it('keep the members of a group', async () => {
    ok(await api.post('/users?password=pw', { username: 'member1', name: 'Member' }));
    const made = ok(
      await api.post(`${at}/groups`, {
        group_code: 'whole',
        description: 'd',
        member_usernames: ['member1'],
        grants_permissions: ['view_repository'],
      }),
    );
    const group = ok(await api.get(made.uri));
    expect(group).toMatchObject({ member_usernames: ['member1'], grants_permissions: ['view_repository'] });
    ok(await api.post(made.uri, { ...group, description: 'changed' }));
    expect(ok(await api.get(made.uri))).toMatchObject({ member_usernames: ['member1'], description: 'changed' });
  });

  it('make a repository with its agent from a template with blanks and unknown fields', async () => {
    const body = {
      repository: {
        repo_code: 'TEMPLATE',
        name: 'From a template',
        org_code: '',
        country: null,
        parent_institution_name: '',
        url: '',
        unknown_field: 'x',
      },
      agent_representation: {
        names: [{ primary_name: 'Template', sort_name: 'Template', source: 'local', rules: '' }],
        agent_contacts: [{ name: 'Desk', telephones: [{ number: '1' }], fax: '' }],
        nonsense: true,
      },
    };
    const made = ok(await api.post('/repositories/with_agent', body));
    expect(made.uri).toBe(`/repositories/with_agent/${made.id}`);
    expect(ok(await api.get(made.uri))).toMatchObject({
      repository: { uri: `/repositories/${made.id}`, repo_code: 'TEMPLATE' },
    });
    const repository = ok(await api.get(`/repositories/${made.id}`));
    expect(ok(await api.get(repository.agent_representation.ref)).title).toBe('Template');
  });

  it('make subjects whose new terms carry their vocabulary', async () => {
    expect(ok(await api.get('/vocabularies/1', null)).jsonmodel_type).toBe('vocabulary');
    const term = { term: 'Newfound', term_type: 'topical', vocabulary: '/vocabularies/1' };
    const made = ok(
      await api.post('/subjects', {
        source: 'local',
        vocabulary: '/vocabularies/1',
        terms: [term, { ...term, term: 'Second' }],
      }),
    );
    const subject = ok(await api.get(made.uri));
    expect(subject.title).toBe('Newfound -- Second');
    expect(subject.terms[0]).toMatchObject({
      ...term,
      jsonmodel_type: 'term',
      uri: expect.stringMatching(/^\/terms\/\d+$/),
    });
    const sent = ok(await api.post(made.uri, subject));
    expect(sent.lock_version).toBe(1);
    expect(ok(await api.get('/vocabularies/1/terms', null)).map((one: JsonObject) => one['term'])).toContain(
      'Newfound',
    );
    expect(ok(await api.get('/subjects?all_ids=true', null))).toContain(made.id);
  });
});

describe('trees', () => {
  it('are read by waypoints, with a stray offset on root and node, and edited by moves in the query', async () => {
    const root = await records.make('resource');
    const nodes: string[] = [];
    for (const title of ['One', 'Two', 'Three'])
      nodes.push(ok(await api.post(`${at}/archival_objects`, { title, level: 'file', resource: { ref: root } })).uri);
    const [one = '', two = '', three = ''] = nodes;
    const titles = async (parent?: string): Promise<readonly string[]> =>
      ok(await api.get(`${root}/tree/waypoint?offset=0${parent === undefined ? '' : `&parent_node=${parent}`}`)).map(
        (entry: JsonObject) => entry['title'],
      );
    expect(ok(await api.get(`${root}/tree/root?offset=0`))).toMatchObject({
      child_count: 3,
      waypoints: 1,
      precomputed_waypoints: { '': { 0: [{ uri: one }, { uri: two }, { uri: three }] } },
    });
    ok(await api.ask(`${one}/accept_children?children[]=${three}&children[]=${two}&position=0`, { method: 'POST' }));
    expect([await titles(), await titles(one)]).toEqual([['One'], ['Three', 'Two']]);
    expect(ok(await api.get(`${root}/tree/node?node_uri=${one}&offset=0`))).toMatchObject({
      child_count: 2,
      position: 1,
    });
    expect(
      ok(await api.get(`${root}/tree/node_from_root?node_ids[]=${idOf(two)}&published_only=False`))[idOf(two)].map(
        (step: JsonObject) => step['node'],
      ),
    ).toEqual([null, one]);
    ok(await api.ask(`${two}/parent?position=0`, { method: 'POST' }));
    expect(await titles()).toEqual(['Two', 'One']);
    ok(await api.ask(`${two}/parent`, { form: new URLSearchParams({ parent: String(idOf(one)), position: '0' }) }));
    expect(await titles(one)).toEqual(['Two', 'Three']);
    expect(ok(await api.get(`${one}/children`)).map((child: JsonObject) => child['uri'])).toEqual([two, three]);
    expect(ok(await api.get(`${three}/previous`)).uri).toBe(two);
  });
});
