// What search documents hold (contract: behaviour-search.md section 9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilIndexed } from '#test/support/indexer.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import type { Collection } from './collection.ts';
import { startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
});
afterAll(() => c[Symbol.asyncDispose]());

const documentOf = async (name: string, type: string): Promise<any> => {
  const { json } = await c.search({ q: `uri:"${c.uris[name]}"`, type: [type] });
  expect(json.total_hits).toBe(1);
  return json.results[0];
};

describe('documents', () => {
  it('of a collection', async () => {
    const found = await documentOf('papers', 'resource');
    expect(found).toMatchObject({
      id: c.uris['papers'],
      uri: c.uris['papers'],
      title: 'Wallaby <emph>papers</emph>',
      title_ws: 'Wallaby <emph>papers</emph>',
      primary_type: 'resource',
      types: ['resource', 'pui_collection', 'pui'],
      jsonmodel_type: 'resource',
      suppressed: false,
      publish: true,
      repository: `/repositories/${c.repo}`,
      created_by: 'admin',
      last_modified_by: 'admin',
      identifier: 'MS-001',
      identifier_ws: 'MS-001',
      four_part_id: 'MS 001',
      ead_id: 'ead.wallaby',
      level: 'collection',
      level_enum_s: ['collection'],
      external_id: ['EXT-1'],
      ancestors: [],
      restrictions: 'false',
      subjects: ['Marsupials'],
      subjects_text: ['Marsupials'],
      subject_uris: [c.uris['subject']],
      agents: ['Bandicoot, Ada'],
      agents_text: ['Bandicoot, Ada'],
      creators: ['Bandicoot, Ada'],
      creators_text: ['Bandicoot, Ada'],
      agent_uris: [c.uris['ada']],
      published_agents: ['Bandicoot, Ada'],
      published_agent_uris: [c.uris['ada']],
      dates: ['1900 - 1950'],
      notes: ['Letters about harbor maps of the old town', 'Confidential whereabouts'],
      notes_published: ['Letters about harbor maps of the old town'],
      summary: 'Letters about harbor maps of the old town',
      processing_priority: 'high',
      processors: 'Quokka, Quentin',
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      system_mtime: expect.any(String),
      user_mtime: expect.any(String),
    });
    for (const searchedOnly of ['fullrecord', 'fullrecord_published', 'years', 'year_sort', 'title_sort', 'repo_sort'])
      expect(found).not.toHaveProperty(searchedOnly);
  });

  it('of a component: its title is the computed one, its collection and containers are named', async () => {
    expect(await documentOf('diary', 'archival_object')).toMatchObject({
      resource: c.uris['papers'],
      title: 'Wallaby diary',
      identifier: 'F-77',
      component_id: 'F-77',
      ref_id: expect.any(String),
      types: ['archival_object'],
      top_container_uri_u_sstr: [c.uris['box']],
      child_container_u_sstr: ['folder 3'],
      ancestors: [c.uris['papers']],
    });
    expect((await documentOf('letters', 'archival_object')).ancestors).toEqual([c.uris['diary'], c.uris['papers']]);
  });

  it('of a public copy', async () => {
    const { json } = await c.search({ q: 'title:diary', type: ['pui_archival_object'] }, c.publicUser);
    expect(json.results).toEqual([
      expect.objectContaining({
        id: `${c.uris['diary']}#pui`,
        uri: c.uris['diary'],
        pui_parent_id: c.uris['diary'],
        types: ['archival_object', 'pui', 'pui_archival_object', 'pui_record', 'pui_only'],
      }),
    ]);
  });

  it('of a container: what is in it, and its identifiers as people write them', async () => {
    expect(await documentOf('box', 'top_container')).toMatchObject({
      title: expect.stringContaining('10'),
      type_u_ssort: 'box',
      indicator_u_icusort: '10',
      barcode_u_sstr: ['39002012345678'],
      collection_uri_u_sstr: [c.uris['papers']],
      collection_identifier_stored_u_sstr: ['MS--001'],
      collection_identifier_u_stext: ['MS--001', 'MS 001', 'MS001'],
      empty_u_sbool: [false],
      has_location_u_sbool: [false],
      types: ['top_container', 'pui_container', 'pui'],
      publish: true,
    });
  });

  it('of a repository, a digital object and its components', async () => {
    const { json } = await c.search({ type: ['repository'], q: 'home' });
    expect(json.results[0]).toMatchObject({
      title: 'HOME',
      repository: `/repositories/${c.repo}`,
      types: ['repository', 'pui_repository', 'pui'],
    });
    expect(await documentOf('scan', 'digital_object')).toMatchObject({
      digital_object_id: 'DO-1',
      identifier: 'DO-1',
      types: ['digital_object', 'pui_record', 'pui'],
    });
    expect(await documentOf('part', 'digital_object_component')).toMatchObject({
      digital_object: c.uris['scan'],
      title: 'Page of the scan',
    });
  });

  it('of an agent: subjects and places of its functions and topics, and no contact details', async () => {
    await c.make('eve', '/agents/people', {
      ...personBody('Echidna, Eve'),
      agent_contacts: [{ name: 'Undisclosed address' }],
      agent_topics: [{ subjects: [{ ref: c.uris['subject'] }] }],
    });
    await untilIndexed(c.api.database);
    const found = await documentOf('eve', 'agent_person');
    expect(found).toMatchObject({
      title: 'Echidna, Eve',
      subjects: ['Marsupials'],
      subject_uris: [c.uris['subject']],
      is_user: false,
      types: ['agent_person', 'agent'],
    });
    expect(JSON.parse(found.json).agent_contacts).toEqual([]);
    expect(await c.find({ q: 'undisclosed' })).toEqual([]);
  });
});

describe('fields of documents', () => {
  it('find by each text field, also what the title says', async () => {
    await c.make('series', `/repositories/${c.repo}/archival_objects`, {
      title: 'Ledgers',
      level: 'series',
      component_id: 'S1',
      publish: true,
      resource: { ref: c.uris['eire'] },
    });
    await c.make('crate', `/repositories/${c.repo}/top_containers`, { indicator: '77', type: 'box' });
    await c.make('ledger', `/repositories/${c.repo}/archival_objects`, {
      title: 'Ledger 1',
      level: 'file',
      publish: true,
      resource: { ref: c.uris['eire'] },
      parent: { ref: c.uris['series'] },
      instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: c.uris['crate'] } } }],
    });
    await c.make('guided', `/repositories/${c.repo}/resources`, {
      ...resourceBody('GU', { title: 'Platypus papers', level: 'collection' }),
      finding_aid_title: 'Guide to the Platypus papers',
      finding_aid_filing_title: 'Platypus papers',
    });
    await untilIndexed(c.api.database);
    expect(await c.find({ q: 'series_identifier_u_stext:S1' })).toEqual(['crate']);
    expect(await c.find({ q: 'collection_identifier_u_stext:"FA 7"' })).toEqual(['crate']);
    expect(await c.find({ q: 'top_container_u_typeahead_utext:box77*' })).toEqual(['crate']);
    expect(await c.find({ q: 'display_string:"Ledger 1"' })).toEqual(['ledger']);
    expect(await c.find({ q: 'finding_aid_filing_title:platypus' })).toEqual(['guided']);
    expect(await c.find({ q: 'finding_aid_title:guide' })).toEqual(['guided']);
    expect((await c.search({ q: 'parent_title:wallaby' })).json.results[0]).toMatchObject({
      primary_type: 'collection_management',
      parent_id: c.uris['papers'],
    });
    expect(await c.find({ type: ['top_container'], sort: 'series_level_u_sstr desc', page_size: 1 })).toEqual([
      'crate',
    ]);
    expect(await documentOf('crate', 'top_container')).toMatchObject({
      display_string: expect.stringContaining('Box 77'),
      top_container_u_typeahead_utext: expect.stringContaining('box77'),
    });
    expect(await documentOf('ledger', 'archival_object')).toMatchObject({
      display_string: 'Ledger 1',
      level_enum_s: ['file'],
    });
  });

  it('name the repositories of records, and not those of events', async () => {
    const agent = await c.make('witness', '/agents/people', personBody('Witness, Will'));
    await c.make('event', `/repositories/${c.repo}/events`, {
      event_type: 'accession',
      date: { label: 'event', date_type: 'single', begin: '2020-01-01' },
      linked_records: [{ ref: agent, role: 'source' }],
      linked_agents: [{ ref: c.uris['ada'], role: 'executing_program' }],
    });
    await untilIndexed(c.api.database);
    expect(await documentOf('witness', 'agent_person')).not.toHaveProperty('used_within_repository');
    expect((await documentOf('ada', 'agent_person')).used_within_repository).toEqual(
      (await c.api.get(c.uris['ada'] ?? '')).json.used_within_repositories,
    );
  });

  it('find names that are written without blanks as people write them', async () => {
    const name = (primary: string, rest: string): unknown => ({
      names: [
        {
          primary_name: primary,
          rest_of_name: rest,
          name_order: 'inverted',
          source: 'local',
          sort_name_auto_generate: true,
        },
      ],
    });
    await c.make('murakami', '/agents/people', name('村上', '春樹'));
    await c.make('kim', '/agents/people', name('김', '구'));
    await c.make(
      'novels',
      `/repositories/${c.repo}/resources`,
      resourceBody('NO', {
        title: 'Novels',
        level: 'collection',
        linked_agents: [{ ref: c.uris['murakami'], role: 'creator' }],
      }),
    );
    await untilIndexed(c.api.database);
    expect([...(await c.find({ q: '村上春樹' }))].sort()).toEqual(['murakami', 'novels']);
    expect([...(await c.find({ q: '村上 春樹' }))].sort()).toEqual(['murakami', 'novels']);
    expect(await c.find({ q: 'creators_text:村上春樹' })).toEqual(['novels']);
    expect(await c.find({ q: 'title:김구' })).toEqual(['kim']);
  });

  it('sort classifications by the name of their repository', async () => {
    await c.make('there', `/repositories/${c.away}/classifications`, { identifier: 'A', title: 'Zoo' });
    await c.make('here', `/repositories/${c.repo}/classifications`, { identifier: 'B', title: 'Ark' });
    await untilIndexed(c.api.database);
    expect(await c.find({ type: ['classification'], sort: 'repo_sort asc' })).toEqual(['here', 'there']);
    expect(await c.find({ type: ['classification'], sort: 'repo_sort desc' })).toEqual(['there', 'here']);
  });
});

describe('collection management', () => {
  const sorted = {
    type: ['collection_management'],
    sort: 'processing_priority asc',
    facet: ['processing_status'],
    facet_mincount: 1,
  };

  it('is a document of its own, for staff alone', async () => {
    const { json } = await c.search(sorted);
    expect(json.facets.facet_fields).toEqual({ processing_status: ['new', 1] });
    const [row] = json.results;
    const { uri } = JSON.parse((await documentOf('papers', 'resource')).json).collection_management;
    expect(row).toMatchObject({
      id: uri,
      uri,
      primary_type: 'collection_management',
      types: ['collection_management'],
      jsonmodel_type: 'collection_management',
      title: 'Wallaby <emph>papers</emph>',
      parent_id: c.uris['papers'],
      parent_title: 'Wallaby <emph>papers</emph>',
      parent_type: 'resource',
      processing_priority: 'high',
      processing_status: 'new',
      processors: 'Quokka, Quentin',
      repository: `/repositories/${c.repo}`,
    });
    expect(JSON.parse(row.json)).toMatchObject({ uri, processing_priority: 'high' });
    expect((await c.search(sorted, c.publicUser)).json.total_hits).toBe(0);
    expect((await c.api.get(`/search/records?uri[]=${uri}`)).json.results[0].id).toBe(uri);
  });

  it('changes and goes with its record', async () => {
    const at = `/repositories/${c.repo}/accessions`;
    const uri = await c.make('brief', at, {
      id_0: 'CM',
      title: 'Brief gift',
      accession_date: '2021-01-01',
      collection_management: { processing_priority: 'low', processing_status: 'new' },
    });
    await untilIndexed(c.api.database);
    expect((await c.search({ ...sorted, q: 'brief' })).json.results[0]).toMatchObject({
      processing_priority: 'low',
      parent_type: 'accession',
    });
    const { json } = await c.api.get(uri);
    await c.api.post(uri, {
      ...json,
      collection_management: { ...json.collection_management, processing_priority: 'medium' },
    });
    await untilIndexed(c.api.database);
    expect(
      (await c.search({ ...sorted, q: 'brief' })).json.results.map(
        (row: { readonly processing_priority: string }) => row.processing_priority,
      ),
    ).toEqual(['medium']);
    await c.api.del(uri);
    await untilIndexed(c.api.database);
    expect((await c.search({ ...sorted, q: 'brief' })).json.total_hits).toBe(0);
  });
});
