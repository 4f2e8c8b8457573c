// What creating and updating records does, fact by fact over HTTP (contract behaviour-records.md 1.4, 3.1, 3.2, 3.3, 3.4).
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read, save, attempt } = await serveRecords({ worker: false });
const note = (more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'note_singlepart',
  type: 'abstract',
  content: ['x'],
  ...more,
});

describe('1.4 from body text to record', () => {
  it('takes the type that the address says, whatever the body does', async () => {
    const uri = await records.make('accession', { jsonmodel_type: 'resource' });
    expect(await read(uri)).toMatchObject({ jsonmodel_type: 'accession' });
  });

  it('clears a field that is sent empty, as one that is left out', async () => {
    const uri = await records.make('accession', {
      title: 'T',
      content_description: 'c',
      provenance: 'p',
      inventory: ' ',
    });
    expect((await save(uri, { content_description: '', provenance: null })).status).toBe(200);
    const now = await read(uri);
    expect([now.content_description, now.provenance, now.inventory]).toEqual([undefined, undefined, ' ']);
  });

  it('takes {} for nothing wherever it stands, and what holds nothing but such', async () => {
    const uri = await records.make('accession', {
      title: {},
      provenance: { text: '' },
      publish: {},
      accession_date: {},
      extents: {},
      subjects: [{}],
      classifications: [{ ref: {} }],
      linked_agents: { 0: {} },
    });
    const now = await read(uri);
    expect([now.title, now.provenance, now.publish, now.accession_date]).toEqual([
      undefined,
      undefined,
      false,
      '9999-12-31',
    ]);
    expect([now.extents, now.subjects, now.classifications, now.linked_agents]).toEqual([[], [], [], []]);
    expect(await attempt('accession', { id_0: {} })).toEqual([400, { id_0: ['Property is required but was missing'] }]);
    expect(await attempt('accession', { title: { text: 'T' }, extents: { 0: { number: '1' } } })).toEqual([
      400,
      { title: ['Must be a string (you provided a Hash)'], extents: ['Must be a array (you provided a Hash)'] },
    ]);
    expect((await save(uri, { lock_version: {} })).json).toEqual({
      error: 'You must provide a lock_version in your request',
    });
  });

  it('stores dates in one form, whatever form they are sent in', async () => {
    const dates = await Promise.all(
      ['2012-5-3', 'May 3 2012'].map(
        async (accession_date) => (await read(await records.make('accession', { accession_date }))).accession_date,
      ),
    );
    expect(dates).toEqual(['2012-05-03', '2012-05-03']);
  });

  it('keeps the time of day where a property has one', async () => {
    const event = (event_date: string): JsonObject => ({
      maintenance_event_type: 'created',
      maintenance_agent_type: 'human',
      agent: 'x',
      event_date,
    });
    const { agent_maintenance_histories: events } = await read(
      await records.make('agent_person', {
        agent_maintenance_histories: [event('2020-02-03T04:05:06+01:00'), event('2020-02-03')],
      }),
    );
    expect(events.map((each: JsonObject) => each['event_date'])).toEqual(['2020-02-03T03:05:06Z', '2020-02-03']);
  });

  it('is strict about types but for the version, which may be digits', async () => {
    expect(await attempt('accession', { publish: 'true' })).toMatchObject([
      400,
      { publish: ['Must be a boolean (you provided a String)'] },
    ]);
    expect(await attempt('accession', { title: 5 })).toMatchObject([
      400,
      { title: ['Must be a string (you provided a Integer)'] },
    ]);
    const uri = await records.make('location');
    expect((await save(uri, { lock_version: '0' })).status).toBe(200);
  });

  it('tells a required list that is absent from one that is empty', async () => {
    expect(await attempt('resource', { extents: null })).toMatchObject([
      400,
      { extents: ['Property is required but was missing'] },
    ]);
    expect(await attempt('resource', { extents: [] })).toMatchObject([
      400,
      { extents: ['At least 1 item(s) is required'] },
    ]);
  });
});

describe('3.1 the pipeline', () => {
  it('replaces the whole record: what an update leaves out is gone, false, or its default', async () => {
    const uri = await records.make('accession', {
      title: 'T',
      publish: true,
      restrictions_apply: true,
      external_ids: [{ external_id: '1', source: 's' }],
      extents: [{ portion: 'whole', number: '1', extent_type: 'reels' }],
    });
    const { id_0, accession_date, lock_version } = await read(uri);
    expect((await api.post(uri, { id_0, accession_date, lock_version })).json).toMatchObject({
      status: 'Updated',
      stale: true,
      warnings: [],
      uri,
    });
    const now = await read(uri);
    expect([now.title, now.publish, now.restrictions_apply, now.external_ids, now.extents]).toEqual([
      undefined,
      false,
      false,
      [],
      [],
    ]);
  });

  it('keeps who made a record and when, and tells who saved it last', async () => {
    const uri = await records.make('accession');
    const before = await read(uri);
    const editor = await api.userWith(['view_repository', 'update_accession_record'], records.repoId);
    expect(
      (await api.post(uri, { ...before, created_by: 'forged', create_time: '1999-01-01T00:00:00Z' }, editor)).status,
    ).toBe(200);
    const after = await read(uri);
    expect([after.created_by, after.create_time]).toEqual([before.created_by, before.create_time]);
    expect([before.last_modified_by, after.last_modified_by]).toEqual(['admin', expect.stringMatching(/^user\d+$/)]);
  });

  it('publishes classifications, terms and subjects always', async () => {
    const shown = await Promise.all(
      ['classification', 'classification_term', 'subject'].map(
        async (kind) => (await read(await records.make(kind, { publish: false }))).publish,
      ),
    );
    expect(shown).toEqual([true, true, true]);
  });
});

describe('3.2 sub-records', () => {
  it('keep their order', async () => {
    const extents = ['3', '1', '2'].map((number) => ({ portion: 'part', number, extent_type: 'reels' }));
    const uri = await records.make('accession', { extents });
    const numbers = async (): Promise<string[]> =>
      (await read(uri)).extents.map((extent: { number: string }) => extent.number);
    expect(await numbers()).toEqual(['3', '1', '2']);
    await save(uri, { extents: [...extents].reverse() });
    expect(await numbers()).toEqual(['2', '1', '3']);
  });

  it('have one that is representative, in words that name the parent', async () => {
    const container = await records.make('top_container');
    const instance = {
      instance_type: 'text',
      is_representative: true,
      sub_container: { top_container: { ref: container } },
    };
    expect(await attempt('resource', { instances: [instance, instance] })).toEqual([
      400,
      { 'instances/1/is_representative': ['A resource can have only one Instance defined as: is_representative'] },
    ]);
    const file = { file_uri: 'http://x.org/a', publish: true, is_representative: true };
    expect(await attempt('digital_object', { file_versions: [file, file] })).toEqual([
      400,
      {
        'file_versions/1/is_representative': [
          'A digital_object can have only one FileVersion defined as: is_representative',
        ],
      },
    ]);
    expect(await attempt('digital_object', { file_versions: [{ ...file, publish: false }] })).toEqual([
      400,
      { 'file_versions/0/is_representative': ['representative_file_version_must_be_published'] },
    ]);
  });

  it('of one document at one place may not be named twice', async () => {
    const document = { title: 'Plan', location: 'http://x.org/plan' };
    expect(await attempt('accession', { external_documents: [document, document] })).toEqual([
      400,
      { 'external_documents/1/location': ['location and title must have unique values within a record'] },
    ]);
  });

  it('show an identifier of each file version', async () => {
    const versions = {
      file_versions: [
        { file_uri: 'http://x.org/a' },
        { file_uri: 'http://x.org/b', publish: true, is_representative: true },
      ],
    };
    const [object, component] = [
      await records.make('digital_object', versions),
      await records.make('digital_object_component', versions),
    ];
    const identifiers = async (uri: string): Promise<string[]> =>
      (await read(uri)).file_versions.map((version: { identifier: string }) => version.identifier);
    const shown = [...(await identifiers(object)), ...(await identifiers(component))];
    expect([shown.filter((each) => /^\d+$/.test(each)).length, new Set(shown).size]).toEqual([4, 4]);
    await save(object, { title: 'Saved' });
    expect(await identifiers(object)).toEqual(shown.slice(0, 2));
    expect((await read(object)).representative_file_version).toMatchObject({
      file_uri: 'http://x.org/b',
      identifier: shown[1],
    });
  });
});

describe('3.3 links', () => {
  it('keep what the ref says beside its target, and their order', async () => {
    const [one, two] = [await records.make('agent_person'), await records.make('agent_family')];
    const linked = [
      {
        ref: two,
        role: 'subject',
        relator: 'aut',
        terms: [{ term: 'Letters', term_type: 'topical', vocabulary: '/vocabularies/1' }],
      },
      { ref: one, role: 'creator', title: 'Sir' },
    ];
    const uri = await records.make('accession', { linked_agents: linked });
    expect((await read(uri)).linked_agents).toMatchObject([
      { ref: two, role: 'subject', relator: 'aut', terms: [{ term: 'Letters' }] },
      { ref: one, role: 'creator', title: 'Sir', terms: [] },
    ]);
    await save(uri, { linked_agents: [...linked].reverse() });
    expect((await read(uri)).linked_agents.map((link: { ref: string }) => link.ref)).toEqual([one, two]);
  });

  it('show on both sides: accessions and resources, events and what they tell of', async () => {
    const accession = await records.make('accession');
    const resource = await records.make('resource', { related_accessions: [{ ref: accession }] });
    expect((await read(accession)).related_resources).toEqual([{ ref: resource }]);
    await save(accession, { related_resources: [] });
    expect((await read(resource)).related_accessions).toEqual([]);
    const event = await records.make('event', { linked_records: [{ ref: accession, role: 'source' }] });
    expect((await read(accession)).linked_events).toEqual([{ ref: event }]);
    // Of the two sides only the event can change it.
    await save(accession, { linked_events: [] });
    expect((await read(accession)).linked_events).toEqual([{ ref: event }]);
  });

  it('may not lead to the record itself', async () => {
    const uri = await records.make('accession');
    const { status, json } = await save(uri, {
      related_accessions: [
        {
          jsonmodel_type: 'accession_parts_relationship',
          ref: uri,
          relator: 'forms_part_of',
          relator_type: 'part',
        },
      ],
    });
    expect([status, json.error]).toEqual([400, "Can't relate an object to itself"]);
  });

  it('leave the version of what they lead to alone (7.2), so that what was fetched before can be saved', async () => {
    const agent = await records.make('agent_person');
    const fetched = await read(agent);
    await records.make('accession', { linked_agents: [{ ref: agent, role: 'creator' }] });
    expect((await api.post(agent, fetched)).json).toMatchObject({ status: 'Updated', lock_version: 1 });
  });
});

describe('3.4 generated values', () => {
  it('keep the ref_id of a component, and its place in its resource', async () => {
    const uri = await records.make('archival_object', { ref_id: 'mine' });
    const { resource } = await read(uri);
    expect((await save(uri, { ref_id: 'other' })).status).toBe(200);
    expect((await read(uri)).ref_id).toBe('mine');
    expect(await attempt('archival_object', { ref_id: 'mine', resource })).toEqual([
      400,
      { ref_id: ['An Archival Object Ref ID must be unique to its resource'] },
    ]);
    expect((await read(await records.make('archival_object'))).ref_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    [
      {
        title: 'Letters',
        dates: [
          { date_type: 'single', label: 'creation', expression: 'May' },
          { date_type: 'inclusive', label: 'creation', begin: '1990', end: '1991' },
        ],
      },
      'Letters, May, 1990 - 1991',
    ],
    [{ title: null, dates: [{ date_type: 'bulk', label: 'creation', begin: '1990' }] }, 'bulk: 1990'],
  ])('name a component by title and dates: %o', async (change, expected) => {
    expect((await read(await records.make('archival_object', change))).display_string).toBe(expected);
  });

  it('glue label and date of a component of an object together', async () => {
    const dates = [{ date_type: 'single', label: 'creation', expression: 'May' }];
    const shown = await Promise.all(
      [
        { title: 'T', label: 'L', dates },
        { title: null, label: 'L', dates },
      ].map(async (change) => (await read(await records.make('digital_object_component', change))).display_string),
    );
    expect(shown).toEqual(['T, May', 'LMay']);
  });

  it('name an accession by its title, else its identifier', async () => {
    const shown = await Promise.all(
      [{ title: 'Gift' }, { title: null, id_0: 'Z1', id_1: 'b', id_2: 'c' }].map(
        async (change) => (await read(await records.make('accession', change))).display_string,
      ),
    );
    expect(shown).toEqual(['Gift', 'Z1-b-c']);
  });

  it('make identifiers of rights statements and notes where there are none, and keep those that are sent', async () => {
    const uri = await records.make('accession', {
      rights_statements: [{ rights_type: 'other', other_rights_basis: 'donor', start_date: '2000-01-01' }],
    });
    const [{ identifier }] = (await read(uri)).rights_statements;
    expect(identifier).toMatch(/^[0-9a-f]{32}$/);
    await save(uri, { title: 'Saved' });
    expect((await read(uri)).rights_statements[0].identifier).toBe(identifier);
    const resource = await records.make('resource', { notes: [note(), note({ persistent_id: 'kept' })] });
    expect((await read(resource)).notes.map((each: { persistent_id: string }) => each.persistent_id)).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      'kept',
    ]);
  });

  it('refuse identifiers that are taken, and parts that are too long', async () => {
    const accession = await read(await records.make('accession', { id_0: 'TAKEN', id_1: '1' }));
    expect(await attempt('accession', { id_0: accession.id_0, id_1: '1' })).toEqual([
      400,
      { id_0: ['That ID is already in use'] },
    ]);
    expect((await attempt('accession', { id_0: accession.id_0, id_1: '2' }))[0]).toBe(200);
    expect(await attempt('resource', { id_0: 'r', id_1: 'x'.repeat(51) })).toMatchObject([
      400,
      { id_1: ['Max length is 50 characters'] },
    ]);
    await records.make('resource', { ead_id: 'ead' });
    expect(await attempt('resource', { ead_id: 'ead' })).toEqual([400, { ead_id: ['Must be unique'] }]);
    await records.make('digital_object', { digital_object_id: 'do' });
    expect(await attempt('digital_object', { digital_object_id: 'do' })).toEqual([
      400,
      { digital_object_id: ['Must be unique'] },
    ]);
    const { digital_object: root } = await read(await records.make('digital_object_component', { component_id: 'c' }));
    expect(await attempt('digital_object_component', { component_id: 'c', digital_object: root })).toEqual([
      400,
      { component_id: ['A Digital Object Component ID must be unique to its Digital Object'] },
    ]);
  });
});
