// The documents of records: who sees them, what they answer, what they are found by.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { headText, tsvectorText } from '#test/support/tsvector.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';

const resource: JsonObject = {
  uri: '/repositories/2/resources/1',
  jsonmodel_type: 'resource',
  repository: { ref: '/repositories/2' },
  publish: true,
  suppressed: false,
  title: 'Papers of <emph>Howard</emph> Zinn',
  id_0: 'TAM',
  id_1: '542',
  level: 'collection',
  ead_id: 'tam_542',
  create_time: '2020-01-02T03:04:05Z',
  created_by: 'admin',
  linked_agents: [
    {
      ref: '/agents/people/1',
      role: 'creator',
      _resolved: { display_name: { sort_name: 'Zinn, Howard' }, publish: false },
    },
  ],
  subjects: [{ ref: '/subjects/1', _resolved: { title: 'Peace' } }],
  dates: [{ date_type: 'inclusive', label: 'creation', begin: '1922', end: '1924' }],
  extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet' }],
};

function only(kind: string, record: JsonObject) {
  const [document] = toSearchDocuments(kind, record);
  return document ?? expect.fail('no document');
}

describe('who sees a record', () => {
  const audiences = (kind: string, record: JsonObject, context = {}) =>
    toSearchDocuments(kind, record, context).map(({ id, audience, isPublished }) => [
      id.replace(/.*\//, ''),
      audience,
      isPublished,
    ]);
  const note = (publish: boolean) => ({
    notes: [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish, content: ['text'] }],
  });

  it('all, where it is published and all of it is', () => {
    expect(audiences('resource', { ...resource, linked_agents: [], ...note(true) })).toEqual([['1', 'all', true]]);
  });

  it('staff and public differently, where a part is unpublished', () => {
    expect(audiences('resource', { ...resource, ...note(false) })).toEqual([
      ['1', 'staff', true],
      ['1', 'public', true],
    ]);
    const [, shown] = toSearchDocuments('resource', { ...resource, ...note(false) });
    expect(shown?.stored['summary']).toBeUndefined();
    expect(shown?.stored['agents']).toBeUndefined();
    expect(String(shown?.stored['json'])).not.toContain('Zinn, Howard');
  });

  it.each<[JsonObject, object]>([
    [{ publish: false }, {}],
    [{ suppressed: true }, {}],
    [{ has_unpublished_ancestor: true }, {}],
    [{}, { isRepositoryPublished: false }],
  ])('staff alone, given %j and %j', (more, context) => {
    expect(audiences('resource', { ...resource, ...more }, context)).toEqual([['1', 'staff', false]]);
  });

  it('one document of an archival object that hides nothing, and two of one that does', () => {
    const record = {
      uri: '/repositories/2/archival_objects/7',
      publish: true,
      title: 'Child',
      display_string: 'Child, 1922',
    };
    expect(audiences('archival_object', record)).toEqual([['7', 'shared', true]]);
    expect(only('archival_object', record).stored['types']).toEqual(['archival_object']);
    const hiding = { ...record, ...note(false) };
    expect(audiences('archival_object', hiding)).toEqual([
      ['7', 'staff', true],
      ['7#pui', 'public', true],
    ]);
    const [staff, shown] = toSearchDocuments('archival_object', hiding);
    expect(staff?.stored['types']).toEqual(['archival_object']);
    expect(shown?.stored).toMatchObject({
      types: ['archival_object', 'pui', 'pui_archival_object', 'pui_record', 'pui_only'],
      pui_parent_id: record.uri,
      uri: record.uri,
    });
  });

  it('subjects and containers through published records alone', () => {
    expect(audiences('subject', { uri: '/subjects/1', publish: true, title: 'Peace' })).toEqual([
      ['1', 'staff', false],
    ]);
    expect(
      audiences('top_container', { uri: '/repositories/2/top_containers/1', is_linked_to_published_record: true }),
    ).toEqual([['1', 'all', true]]);
  });

  it('says which notes are published only where some are not', () => {
    const container = {
      uri: '/repositories/2/top_containers/1',
      is_linked_to_published_record: true,
      internal_note: 'Mouldy',
    };
    const [staff, shown] = toSearchDocuments('top_container', container);
    expect(audiences('top_container', container)).toEqual([
      ['1', 'staff', true],
      ['1', 'public', true],
    ]);
    expect(staff?.stored).toMatchObject({ notes: ['Mouldy'] });
    expect(staff?.stored).not.toHaveProperty('notes_published');
    expect(
      [JSON.stringify(shown), shown === undefined ? '' : tsvectorText(shown.vector)].join().toLowerCase(),
    ).not.toContain('mouldy');
    const file = {
      uri: '/repositories/2/archival_objects/7',
      publish: true,
      title: 'Child',
      ...note(true),
      instances: [{ sub_container: { top_container: { ref: container.uri, _resolved: container } } }],
    };
    expect(toSearchDocuments('archival_object', file)[0]?.stored).not.toHaveProperty('notes_published');
  });
});

describe('what a document holds', () => {
  it('answers the fields of the contract', () => {
    expect(only('resource', resource).stored).toMatchObject({
      id: '/repositories/2/resources/1',
      uri: '/repositories/2/resources/1',
      title: resource['title'],
      primary_type: 'resource',
      jsonmodel_type: 'resource',
      types: ['resource', 'pui_collection', 'pui'],
      repository: '/repositories/2',
      publish: true,
      suppressed: false,
      identifier: 'TAM-542',
      four_part_id: 'TAM 542',
      subjects: ['Peace'],
      subject_uris: ['/subjects/1'],
      agents: ['Zinn, Howard'],
      creators: ['Zinn, Howard'],
      dates: ['1922 - 1924'],
      extents: ['3 --- linear_feet'],
      level: 'collection',
      ead_id: 'tam_542',
      created_by: 'admin',
      create_time: '2020-01-02T03:04:05Z',
      langcode: [],
      ancestors: [],
      level_enum_s: ['collection'],
      extent_type_enum_s: ['linear_feet'],
    });
    expect(JSON.parse(String(only('resource', resource).stored['json']))).toEqual(resource);
  });

  it('keeps what is only searched out of the answer', () => {
    expect(
      Object.keys(only('resource', resource).stored).filter((name) => /^(years|year_sort|title_sort)$/.test(name)),
    ).toEqual([]);
  });

  it('is found by weighted words, keys, values and years', () => {
    const { vector } = only('resource', resource);
    const text = tsvectorText(vector);
    for (const lexeme of [
      "'k=tam542'",
      "'i=tam':1A",
      "'c=zinn':",
      "'s=peace':",
      "'x=level=collection'",
      "'y=1923'",
      "'y=192x'",
      "'h=subjects'",
      "'x=repository=/repositories/2'",
    ]) {
      expect(text).toContain(lexeme);
    }
    expect(text).toMatch(/'t=howard':\d+B/);
    expect(text).not.toContain("'admin':");
    expect(text).not.toContain("'emph'");
    expect(headText(vector)).not.toContain("'x=");
  });

  it('finds words of ancestors without giving them a place', () => {
    const record = {
      uri: '/repositories/2/archival_objects/7',
      title: 'Child',
      ancestors: [{ ref: '/repositories/2/resources/1', _resolved: { title: 'Menagerie' } }],
    };
    expect(tsvectorText(only('archival_object', record).vector)).toMatch(/'menagerie'(?!:)/);
  });

  it('counts values and sorts by keys', () => {
    const document = only('resource', resource);
    expect(document.values).toContainEqual(['subjects', 'Peace']);
    expect(document.values).toContainEqual(['publish', 'true']);
    expect(document).toMatchObject({
      titleSort: 'papers of howard zinn',
      identifierSort: 'tam-0000000542',
      factor: 3,
      repoId: 2,
      sorts: { level: 'collection', ead_id: 'tam_0000000542' },
    });
  });

  it('takes agents by their sort name, without contacts', () => {
    const agent = {
      uri: '/agents/people/1',
      publish: true,
      display_name: { sort_name: 'Zinn, Howard' },
      agent_contacts: [{ email: 'zinn@example.org' }],
    };
    const document = only('agent_person', agent);
    expect(document.stored).toMatchObject({
      title: 'Zinn, Howard',
      types: ['agent_person', 'agent', 'pui_agent', 'pui_person', 'pui'],
      repository: 'global',
    });
    expect(JSON.stringify(document)).not.toContain('example');
  });

  it('has collection management beside its record, under the title of that, or what else it is known by', () => {
    const uri = '/repositories/2/collection_management/1';
    const managed = (kind: string, record: JsonObject): unknown =>
      toSearchDocuments(kind, { ...record, collection_management: { uri, processors: 'Ann' } }).at(-1)?.stored;
    expect(managed('resource', { ...resource, finding_aid_filing_title: 'Zinn' })).toMatchObject({
      id: uri,
      title: resource['title'],
      parent_id: resource['uri'],
      parent_title: resource['title'],
      parent_type: 'resource',
      processors: 'Ann',
    });
    const accession = { uri: '/repositories/2/accessions/1', id_0: 'A', id_1: '7', display_string: 'A-7' };
    expect(managed('accession', accession)).toMatchObject({ title: 'A-7', parent_title: 'A-7', publish: false });
  });

  it('bears records of any shape', () => {
    for (const kind of [
      'resource',
      'accession',
      'archival_object',
      'digital_object',
      'event',
      'job',
      'assessment',
      'location',
      'classification',
      'agent_family',
      'unknown',
    ]) {
      const odd: JsonObject = {
        uri: '/x/1',
        notes: 'text',
        subjects: [null, 'a', { ref: 3 }],
        dates: [{ begin: '19xx', end: '' }],
        linked_agents: {},
        instances: [{ sub_container: null }],
      };
      expect(() => toSearchDocuments(kind, odd)).not.toThrow();
    }
  });
});
