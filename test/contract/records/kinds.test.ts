// The rules of single kinds, fact by fact over HTTP (contract behaviour-records.md 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.8, 6.9, 6.10, 6.11, 6.12).
import { describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { idOf, serveRecords } from '#test/support/record-service.ts';

const { api, records, read, save } = await serveRecords();
const attempt = async (kind: string, changes: JsonObject): Promise<readonly [number, any]> => {
  const { status, json } = await api.post(records.collection(kindNamed(kind)), {
    ...(await records.body(kind)),
    ...changes,
  });
  return [status, json.error];
};
const inBox = (container: string, more: JsonObject = {}): JsonObject => ({
  instance_type: 'text',
  sub_container: { top_container: { ref: container }, ...more },
});
const shows = (ref: string, more: JsonObject = {}): JsonObject => ({
  instance_type: 'digital_object',
  digital_object: { ref },
  ...more,
});
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

describe('6.3 accessions', () => {
  it('are linked with components from either side', async () => {
    const accession = await records.make('accession');
    const component = await records.make('archival_object', { accession_links: [{ ref: accession }] });
    expect((await read(accession)).component_links).toEqual([{ ref: component }]);
    await save(accession, { component_links: [] });
    expect((await read(component)).accession_links).toEqual([]);
  });
});

describe('6.4 resources and archival objects', () => {
  it.each([
    'title',
    'id_0',
    'level',
    'finding_aid_language',
    'finding_aid_script',
    'extents',
    'dates',
    'lang_materials',
  ])('a resource without %s is refused', async (property) => {
    expect(await attempt('resource', { [property]: null })).toEqual([
      400,
      { [property]: ['Property is required but was missing'] },
    ]);
  });

  it('a resource without a language in its lang_materials is refused with a code', async () => {
    expect(
      await attempt('resource', {
        lang_materials: [{ notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['x'] }] }],
      }),
    ).toEqual([400, { coded_errors: ['must_contain_at_least_one_language'] }]);
  });

  it('name their ancestors from near to far, with their levels', async () => {
    const resource = await records.make('resource', { level: 'collection' });
    const series = await records.make('archival_object', {
      resource: { ref: resource },
      level: 'otherlevel',
      other_level: 'heap',
    });
    const file = await records.make('archival_object', { resource: { ref: resource }, parent: { ref: series } });
    expect((await read(file)).ancestors).toEqual([
      { ref: series, level: 'heap' },
      { ref: resource, level: 'collection' },
    ]);
    expect((await read(resource)).tree).toEqual({ ref: `${resource}/tree` });
    expect(await read(resource)).toMatchObject({ is_finding_aid_status_published: true });
  });

  it('name the kinds of records in them', async () => {
    const resource = await records.make('resource');
    expect((await read(`${resource}/models_in_graph`)).includes('resource')).toBe(false);
    const component = await records.make('archival_object');
    expect(await read(`${component}/models_in_graph`)).toContain('archival_object');
  });
});

describe('6.5 digital objects', () => {
  it('tell where they are shown, and of which collections', async () => {
    const object = await records.make('digital_object');
    const accession = await records.make('accession', { instances: [shows(object)] });
    const node = await records.make('archival_object', { publish: true, instances: [shows(object)] });
    const { resource } = await read(node);
    await save(resource.ref, { publish: true });
    const shown = await read(object);
    expect([
      shown.linked_instances.map((link: { ref: string }) => link.ref).sort(),
      shown.collection.map((link: { ref: string }) => link.ref).sort(),
    ]).toEqual([[accession, node].sort(), [accession, resource.ref].sort()]);
  });
});

describe('6.6 instances', () => {
  it('whose object a reader may not see are left out for this reader', async () => {
    const object = await records.make('digital_object');
    const accession = await records.make('accession', { instances: [shows(object)] });
    await api.ask(`${object}/suppressed?suppressed=true`, { method: 'POST' });
    const viewer = await api.userWith(['view_repository'], records.repoId);
    expect((await api.get(accession, viewer)).json.instances).toEqual([]);
  });

  it('name a container', async () => {
    expect(
      (await attempt('accession', { instances: [{ instance_type: 'text', sub_container: {} }] }))[1],
    ).toMatchObject({ 'instances/0/sub_container': ["Can't be empty"] });
  });
});

describe('6.7 top containers', () => {
  it.each([
    [{ type: 'box', indicator: '1', barcode: 'b1' }, 'Box 1: [Barcode: b1]'],
    [{ type: 'box', indicator: '2' }, 'Box 2'],
    [{ type: null, indicator: '3' }, ' 3'],
  ])('are labelled by %o', async (change, expected) => {
    expect(await read(await records.make('top_container', { barcode: null, ...change }))).toMatchObject({
      display_string: expected,
      series: [],
      collection: [],
    });
  });

  it('tell of the series and collection in them, and of barcodes inside', async () => {
    const container = await records.make('top_container', { type: 'box', indicator: '9', barcode: 'bc9' });
    const resource = await records.make('resource', { id_0: 'MS', id_1: '7', title: 'Papers' });
    const series = await records.make('archival_object', {
      resource: { ref: resource },
      level: 'series',
      component_id: 'S1',
      title: 'Letters',
    });
    await records.make('archival_object', {
      resource: { ref: resource },
      parent: { ref: series },
      instances: [inBox(container, { type_2: 'folder', indicator_2: '1', barcode_2: 'f1' })],
    });
    const shown = await read(container);
    expect(shown.collection).toMatchObject([{ ref: resource, identifier: 'MS--7', display_string: 'Papers' }]);
    expect(shown.series).toMatchObject([
      { ref: series, identifier: 'S1', display_string: 'Letters', level_display_string: 'Series' },
    ]);
    expect([shown.display_string, shown.subcontainer_barcodes]).toEqual(['Box 9: Series S1 [Barcode: bc9]', 'f1 ']);
    expect(shown.long_display_string).toBe('Box 9 [Barcode: bc9], MS--7, Papers, Series S1');
  });

  it('take accessions among the components for series, and neither other levels nor series without an identifier', async () => {
    const container = await records.make('top_container', { type: 'box', indicator: '9', barcode: null });
    const resource = await records.make('resource');
    const levels = [
      { level: 'otherlevel', other_level: 'Accession', component_id: 'A1' },
      { level: 'otherlevel', other_level: 'series', component_id: 'A2' },
      { level: 'series' },
      { level: 'file', component_id: 'series' },
    ];
    for (const level of levels)
      await records.make('archival_object', {
        component_id: null,
        resource: { ref: resource },
        title: 'Part',
        instances: [inBox(container)],
        ...level,
      });
    const shown = await read(container);
    expect(shown.series).toMatchObject([{ identifier: 'A1', level_display_string: 'Accession' }]);
    expect(shown.display_string).toBe('Box 9: Accession A1');
  });

  it('show active restrictions of the records in them and of all above', async () => {
    const container = await records.make('top_container');
    const restriction = {
      jsonmodel_type: 'note_multipart',
      type: 'accessrestrict',
      subnotes: [{ jsonmodel_type: 'note_text', content: 'closed' }],
      rights_restriction: { begin: '2000-01-01', end: '2999-01-01' },
    };
    const resource = await records.make('resource', { notes: [restriction] });
    await records.make('archival_object', { resource: { ref: resource }, instances: [inBox(container)] });
    expect(await read(container)).toMatchObject({
      restricted: true,
      active_restrictions: [{ begin: '2000-01-01', end: '2999-01-01' }],
    });
    await save(resource, {
      notes: [{ ...restriction, rights_restriction: { begin: '2000-01-01', end: '2001-01-01' } }],
    });
    expect(await read(container)).toMatchObject({ restricted: false, active_restrictions: [] });
  });

  it('have barcodes that are unique in their repository', async () => {
    await records.make('top_container', { barcode: 'twice' });
    expect(await attempt('top_container', { barcode: 'twice' })).toEqual([
      400,
      { barcode: ['A barcode must be unique within a repository'] },
    ]);
    const other = await api.repository();
    expect((await api.post(`/repositories/${other}/top_containers`, { indicator: '1', barcode: 'twice' })).status).toBe(
      200,
    );
  });
});

describe('6.8 profiles', () => {
  it('have names that are unique', async () => {
    const [box, shelf] = [
      await read(await records.make('container_profile')),
      await read(await records.make('location_profile')),
    ];
    expect(await attempt('container_profile', { name: box.name })).toEqual([
      400,
      { name: ['container profile name not unique'] },
    ]);
    expect(await attempt('location_profile', { name: shelf.name })).toEqual([
      400,
      { name: ['location profile name not unique'] },
    ]);
  });
});

describe('6.9 locations', () => {
  it('are titled by what they say of themselves', async () => {
    const full = {
      building: 'Main',
      floor: '2',
      room: '5',
      area: 'N',
      barcode: 'b',
      classification: 'c',
      coordinate_1_label: 'Range',
      coordinate_1_indicator: '1',
      coordinate_2_label: 'Shelf',
      coordinate_2_indicator: '4',
    };
    expect((await read(await records.make('location', full))).title).toBe('Main, 2, 5, N [b, c, Range: 1, Shelf: 4]');
  });
});

describe('6.10 classifications', () => {
  it('tell the way from the root, and what is linked from either side', async () => {
    const classification = await records.make('classification', { title: 'Top', identifier: 'T' });
    const term = await records.make('classification_term', {
      title: 'Below',
      identifier: 'B',
      classification: { ref: classification },
    });
    expect((await read(term)).path_from_root).toMatchObject([
      { title: 'Top', identifier: 'T' },
      { title: 'Below', identifier: 'B' },
    ]);
    expect((await read(classification)).has_classification_terms).toBe(true);
    const accession = await records.make('accession', { classifications: [{ ref: classification }] });
    expect((await read(classification)).linked_records).toEqual([{ ref: accession }]);
    expect((await attempt('classification', { identifier: 'T' }))[0]).toBe(200);
  });
});

describe('6.11 events', () => {
  it('name an agent and a record, and one of date and timestamp', async () => {
    expect(await attempt('event', { linked_agents: [] })).toEqual([
      400,
      { linked_agents: ['At least 1 item(s) is required'] },
    ]);
    expect(await attempt('event', { linked_records: [] })).toEqual([
      400,
      { linked_records: ['At least 1 item(s) is required'] },
    ]);
    expect((await attempt('event', { timestamp: '2000-01-01T00:00:00Z' }))[1]).toEqual({
      date: ["Can't specify both a date and a timestamp"],
      timestamp: ["Can't specify both a date and a timestamp"],
    });
    expect((await attempt('event', { date: null }))[1]).toEqual({
      date: ['Must specify either a date or a timestamp'],
      timestamp: ['Must specify either a date or a timestamp'],
    });
  });

  it('may tell of records of every described kind, containers and agents', async () => {
    for (const kind of [
      'accession',
      'resource',
      'archival_object',
      'digital_object',
      'digital_object_component',
      'top_container',
      'agent_person',
    ])
      expect([
        kind,
        (await attempt('event', { linked_records: [{ ref: await records.make(kind), role: 'source' }] }))[0],
      ]).toEqual([kind, 200]);
  });
});

describe('6.12 assessments', () => {
  it('name records and surveyors, and the collections behind the records', async () => {
    const node = await records.make('archival_object');
    const uri = await records.make('assessment', { records: [{ ref: node }] });
    expect(await read(uri)).toMatchObject({
      display_string: String(idOf(uri)),
      collections: [{ ref: (await read(node)).resource.ref }],
    });
    for (const property of ['records', 'surveyed_by'])
      expect((await attempt('assessment', { [property]: [] }))[1]).toEqual({
        [property]: ['At least 1 item(s) is required'],
      });
  });
});
