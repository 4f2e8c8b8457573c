// Agents and subjects, fact by fact over HTTP (contract behaviour-records.md 6.1, 6.2).
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read, save, attempt } = await serveRecords({ worker: 'jobs' });
const person = (primary_name: string, more: JsonObject = {}): JsonObject => ({
  primary_name,
  name_order: 'direct',
  sort_name_auto_generate: true,
  ...more,
});

describe('6.1 agents', () => {
  it('take the first name as authorized and for display, and one of equal names', async () => {
    const uri = await records.make('agent_person', { names: [person('Ann'), person('Bea'), person('Ann')] });
    const { names, title, display_name: shown } = await read(uri);
    expect(
      names.map((name: { primary_name: string; authorized: boolean; is_display_name: boolean }) => [
        name.primary_name,
        name.authorized,
        name.is_display_name,
      ]),
    ).toEqual([
      ['Ann', true, true],
      ['Bea', false, false],
    ]);
    expect([title, shown.sort_name]).toEqual(['Ann', 'Ann']);
  });

  it('are unique by content, and their authority ids over all agents', async () => {
    const uri = await records.make('agent_person', {
      names: [person('Twin', { authority_id: 'auth1', source: 'local' })],
    });
    expect(await attempt('agent_person', { names: [person('Twin', { source: 'local' })] })).toEqual([
      400,
      { names: ['Agent must be unique'], conflicting_record: [uri] },
    ]);
    expect(
      await attempt('agent_family', {
        names: [{ family_name: 'Others', sort_name_auto_generate: true, authority_id: 'auth1', source: 'local' }],
      }),
    ).toEqual([400, { 'names/0/authority_id': ['Authority ID must be unique'], conflicting_record: [uri] }]);
  });

  it('are told at which of their names an authority id is taken', async () => {
    const uri = await records.make('agent_person', {
      names: [person('Owner', { authority_id: 'auth2', source: 'local' })],
    });
    const names = [
      person('First', { authority_id: 'auth3', source: 'local' }),
      person('Second'),
      person('Third', { authority_id: 'auth2', source: 'local' }),
    ];
    const refused = [400, { 'names/2/authority_id': ['Authority ID must be unique'], conflicting_record: [uri] }];
    expect(await attempt('agent_person', { names })).toEqual(refused);
    const other = await records.make('agent_person', { names: names.slice(0, 2) });
    const saved = await save(other, { names });
    expect([saved.status, saved.json.error]).toEqual(refused);
  });

  it('have an authority id in one of their names', async () => {
    const names = [
      person('One', { authority_id: 'auth4', source: 'local' }),
      person('Two'),
      person('Three', { authority_id: 'auth4', source: 'local' }),
    ];
    const refused = { 'names/2/authority_id': ['Authority ID must be unique'] };
    expect(await attempt('agent_person', { names })).toEqual([400, refused]);
    const uri = await records.make('agent_person', { names: names.slice(0, 2) });
    const saved = await save(uri, { names });
    expect([saved.status, saved.json.error]).toEqual([400, { ...refused, conflicting_record: [uri] }]);
    expect((await read(uri)).names).toHaveLength(2);
    // Equal names are one, and so is what they are known by.
    const equal = [names[0] ?? {}, { ...names[0], is_display_name: true }];
    expect((await save(uri, { names: equal })).status).toBe(200);
  });

  it('keep an authority id that an import gives two of their names, until they are saved', async () => {
    const uri = '/agents/people/import_1';
    const name = person('Imported', { authority_id: 'auth5', source: 'local' });
    const names = [name, { ...name, primary_name: 'Known also' }];
    const imported = await api.post(`/repositories/${records.repoId}/batch_imports`, [
      { jsonmodel_type: 'agent_person', uri, names },
    ]);
    const stored = imported.json.at(-1).saved[uri][0];
    expect((await read(stored)).names).toMatchObject([{ authority_id: 'auth5' }, { authority_id: 'auth5' }]);
    expect((await save(stored)).json.error).toEqual({
      'names/1/authority_id': ['Authority ID must be unique'],
      conflicting_record: [stored],
    });
    expect((await save(stored, { names: [name, person('Known also')] })).status).toBe(200);
  });

  it('leave an event of their cataloguing in the global repository', async () => {
    const uri = await records.make('agent_person', { names: [person('Catalogued')] });
    const events = (await read('/repositories/1/events?page=1&page_size=250')).results;
    expect(
      events.filter((event: { linked_records: { ref: string }[] }) =>
        event.linked_records.some(({ ref }) => ref === uri),
      ),
    ).toMatchObject([
      {
        event_type: 'cataloged',
        linked_records: [{ ref: uri, role: 'outcome' }],
        linked_agents: [{ role: 'implementer' }],
      },
    ]);
  });

  it('tell what they are to records, whose agent they are, and their relations from both sides', async () => {
    const agent = await records.make('agent_person', { names: [person('Linked')] });
    await records.make('accession', {
      linked_agents: [
        { ref: agent, role: 'creator' },
        { ref: agent, role: 'subject' },
      ],
    });
    expect([...(await read(agent)).linked_agent_roles].sort()).toEqual(['creator', 'subject']);
    expect(await read(agent)).toMatchObject({ agent_type: 'agent_person' });
    expect(await read((await read('/users/current-user')).agent_record.ref)).toMatchObject({ is_user: 'admin' });
    const child = await records.make('agent_person', {
      names: [person('Child')],
      related_agents: [{ jsonmodel_type: 'agent_relationship_parentchild', relator: 'is_child_of', ref: agent }],
    });
    expect((await read(agent)).related_agents).toMatchObject([{ ref: child, relator: 'is_parent_of' }]);
  });

  it('are linked to a published record by records, not by one another, whichever was saved last', async () => {
    const ada = await records.make('agent_person', { names: [person('Ada')], publish: true });
    const max = await records.make('agent_person', {
      names: [person('Max')],
      publish: true,
      related_agents: [{ jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: ada }],
    });
    const flags = (): Promise<boolean[]> =>
      Promise.all([ada, max].map(async (uri) => (await read(uri)).is_linked_to_published_record));
    expect(await flags()).toEqual([false, false]);
    expect((await save(ada)).status).toBe(200);
    expect(await flags()).toEqual([false, false]);
  });

  it('leave the agent of the service itself to nobody', async () => {
    const software = (await read('/agents/software?page=1')).results[0];
    expect([software.uri, (await api.del(software.uri)).status]).toEqual(['/agents/software/1', 403]);
  });
});

describe('6.2 subjects', () => {
  const term = (text: string): JsonObject => ({ term: text, term_type: 'topical', vocabulary: '/vocabularies/1' });
  it('share their terms, are titled by them in order, and unique by them', async () => {
    const uri = await records.make('subject', { source: 'local', terms: [term('Ships'), term('Sails')] });
    const shown = await read(uri);
    expect([shown.title, shown.vocabulary]).toEqual(['Ships -- Sails', '/vocabularies/1']);
    expect(await attempt('subject', { source: 'local', terms: [term('Ships'), term('Sails')] })).toEqual([
      400,
      { terms: ['Subject must be unique'], conflicting_record: [uri] },
    ]);
    const other = await read(await records.make('subject', { source: 'local', terms: [term('Sails'), term('Ships')] }));
    expect([other.terms[0].uri, other.terms[1].uri]).toEqual([shown.terms[1].uri, shown.terms[0].uri]);
  });

  it('have an authority id that is unique in its source, without naming the other', async () => {
    await records.make('subject', { source: 'local', authority_id: 'sh1', terms: [term('A')] });
    expect(await attempt('subject', { source: 'local', authority_id: 'sh1', terms: [term('B')] })).toEqual([
      400,
      { authority_id: ['Subject heading identifier must be unique within source'] },
    ]);
    expect((await attempt('subject', { source: 'lcsh', authority_id: 'sh1', terms: [term('B')] }))[0]).toBe(200);
  });
});
