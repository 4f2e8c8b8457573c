// What prepare does to a body beside refusing it: cleaning, completing, generated ids.
// Contract: behaviour-records.md, sections 1.4, 1.5 and 3.1.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { accession, component, person, prepared, refusalOf } from '#test/support/make/prepared.ts';

describe('cleaning', () => {
  it('takes out null, empty texts and empty objects at every depth, and keeps empty lists', () => {
    const body = prepared('accession', {
      ...accession,
      title: '',
      inventory: null,
      collection_management: {},
      extents: [null, {}, { portion: '' }, { portion: 'whole', number: '1', extent_type: 'reels', dimensions: '' }],
      subjects: [],
    }).body;
    expect(body).not.toHaveProperty('title');
    expect(body).not.toHaveProperty('inventory');
    expect(body).not.toHaveProperty('collection_management');
    expect(body['extents']).toEqual([
      { jsonmodel_type: 'extent', portion: 'whole', number: '1', extent_type: 'reels' },
    ]);
    expect(body['subjects']).toEqual([]);
  });

  it('keeps texts of blanks alone', () => {
    expect(prepared('accession', { ...accession, title: ' ' }).body['title']).toBe(' ');
  });

  it('drops unknown and read-only properties at every depth', () => {
    const body = prepared('archival_object', {
      ...component,
      jsonmodel_type: 'resource',
      uri: '/repositories/2/archival_objects/9',
      created_by: 'me',
      odd: 1,
      display_string: 'mine',
      resource: { ref: '/repositories/2/resources/1', _resolved: { title: 'x' }, odd: true },
      instances: [
        {
          instance_type: 'text',
          created_by: 'me',
          lock_version: 4,
          sub_container: { top_container: { ref: '/repositories/2/top_containers/3', _resolved: {} } },
        },
      ],
    }).body;
    expect(JSON.stringify(body)).not.toMatch(/_resolved|created_by|"odd"|lock_version|display_string|"uri"/);
    expect(body['jsonmodel_type']).toBe('archival_object');
    expect(body['resource']).toEqual({ ref: '/repositories/2/resources/1' });
  });

  it('drops a ref object without any known key, and asks for ref where another key is known', () => {
    expect(prepared('accession', { ...accession, linked_agents: [{ odd: 1 }] }).body['linked_agents']).toEqual([]);
    expect(refusalOf('accession', { ...accession, linked_agents: [{ role: 'creator' }] }).error).toEqual({
      'linked_agents/0/ref': ['Property is required but was missing'],
    });
  });

  it('drops properties that are named like those of objects', () => {
    const body: unknown = JSON.parse(
      '{"id_0":"A","accession_date":"2020-01-01","__proto__":{"title":"no"},"constructor":"no"}',
    );
    expect(isObject(body)).toBe(true);
    expect(prepared('accession', isObject(body) ? body : {}).body['title']).toBeUndefined();
  });

  it('normalises dates', () => {
    expect(prepared('accession', { ...accession, accession_date: 'May 3 2012' }).body['accession_date']).toBe(
      '2012-05-03',
    );
  });
});

describe('refusing', () => {
  it('reports all problems with warnings and the object', () => {
    const failure = refusalOf('agent_person', {
      names: [{ ...person.names[0], authority_id: 'a1' }, { name_order: 'direct' }],
      publish: 'yes',
    });
    expect(failure.code).toBe('invalid_record');
    expect(failure.error).toEqual({
      'names/1/primary_name': ['Property is required but was missing'],
      publish: ['Must be a boolean (you provided a String)'],
    });
    expect(failure.extra['warning']).toEqual({ 'names/0/source': ['is required if there is an authority id'] });
    expect(failure.extra['invalid_object']).toMatch(
      /^#<JSONModel\(:agent_person\) \{"jsonmodel_type"=>"agent_person", /,
    );
  });

  it('answers an ambiguous object alone, without warning and object', () => {
    const failure = refusalOf('archival_object', { notes: [{ content: ['x'] }] });
    expect(failure.error).toEqual({
      record: [
        expect.stringMatching(
          /^Can't unambiguously match \{"content"=>\["x"\]\} against schema types: .*Resolve this by adding a 'jsonmodel_type' property to \{"content"=>\["x"\]\}$/,
        ),
      ],
    });
    expect(failure.extra).toEqual({ warning: null, invalid_object: 'nil' });
  });

  it('refuses a sub-record of a schema that is not allowed there', () => {
    expect(
      refusalOf('agent_corporate_entity', { names: [{ jsonmodel_type: 'name_person', primary_name: 'x' }] }).error,
    ).toEqual({
      'names/0': ['Must be a JSONModel(:name_corporate_entity) object (you provided a JSONModel(:name_person) object)'],
    });
  });

  it('counts characters, not UTF-16 units', () => {
    expect(prepared('accession', { ...accession, id_1: '🗺'.repeat(50) }).body['id_1']).toHaveLength(100);
    expect(refusalOf('archival_object', { ...component, other_level: '🗺'.repeat(256) }).error).toEqual({
      other_level: ['Must be 255 characters or fewer'],
    });
  });

  it('counts list indexes after empty entries went', () => {
    expect(refusalOf('accession', { ...accession, extents: [{}, null, { portion: 'whole' }] }).error).toEqual({
      'extents/0/number': ['Property is required but was missing'],
      'extents/0/extent_type': ['Property is required but was missing'],
    });
  });

  it('names every kind that a reference may have', () => {
    expect(
      refusalOf('event', {
        event_type: 'accession',
        date: { date_type: 'single', label: 'event', begin: '2000' },
        linked_agents: [{ ref: '/agents/people/1', role: 'authorizer' }],
        linked_records: [{ ref: '/subjects/1', role: 'source' }],
      }).error,
    ).toEqual({
      'linked_records/0/ref': [
        expect.stringMatching(
          /^Must be one of: JSONModel\(:agent_person\) uri, .* \(you provided a String\) \(malformed or invalid uri\? check if referenced object exists\.\)$/,
        ),
      ],
    });
  });

  it('lets rules run beside wrong values, but not beside missing ones', () => {
    const subnotes = { 'notes/0/subnotes': ['Must contain at least one subnote'] };
    const wrong = refusalOf('archival_object', {
      ...component,
      notes: [{ jsonmodel_type: 'note_multipart', type: 'nonsense', subnotes: [] }],
    });
    expect(wrong.error).toEqual({
      ...subnotes,
      'notes/0/type': [expect.stringContaining('Protected read-only list #/notes/0/type.')],
    });
    const missing = refusalOf('archival_object', {
      ...component,
      notes: [{ jsonmodel_type: 'note_multipart', subnotes: [] }],
    });
    expect(missing.error).toEqual({ 'notes/0/type': ['Property is required but was missing'] });
  });

  it('tells of a wrong type alone, not of the rule about the same property', () => {
    const notes = [{ jsonmodel_type: 'note_multipart', type: 'scopecontent', subnotes: 'x' }];
    expect(refusalOf('archival_object', { ...component, notes }).error).toEqual({
      'notes/0/subnotes': ['Must be a array (you provided a String)'],
    });
    expect(refusalOf('accession', { ...accession, id_0: 5, id_1: 'b' }).error).toEqual({
      id_0: ['Must be a string (you provided a Integer)'],
    });
  });

  it('refuses objects that nest too deeply', () => {
    let level: JsonObject = { items: ['x'] };
    for (let depth = 0; depth < 500; depth += 1) level = { items: [level] };
    const notes = [
      { jsonmodel_type: 'note_bioghist', subnotes: [{ jsonmodel_type: 'note_outline', levels: [level] }] },
    ];
    expect(refusalOf('agent_person', { ...person, notes }).error).toEqual({
      'notes/0/subnotes': ['Nested too deeply'],
    });
  });

  it('takes lock_version as a number or digits and nothing else', () => {
    expect(prepared('accession', { ...accession, lock_version: '3' }).body).not.toHaveProperty('lock_version');
    expect(refusalOf('accession', { ...accession, lock_version: [] }).error).toEqual({
      lock_version: ['Must be one of: integer, string (you provided a Array)'],
    });
  });
});

describe('completing', () => {
  it('fills in defaults and absent lists after checking', () => {
    const body = prepared('accession', accession).body;
    expect(body).toMatchObject({
      is_slug_auto: true,
      restrictions_apply: false,
      extents: [],
      linked_agents: [],
      instances: [],
    });
    expect(body).not.toHaveProperty('linked_events');
    expect(
      refusalOf('accession', { id_0: 'A', linked_agents: [{ ref: '/agents/people/1', role: 'nobody' }] }).error,
    ).toHaveProperty(['linked_agents/0/role']);
    expect(prepared('archival_object', component).body).not.toHaveProperty('component_id');
  });

  it('takes the publish default on create, false on update, and the default in sub-records at both', () => {
    const body = { ...accession, external_documents: [{ title: 't', location: 'l' }] };
    const generatedValues = { newHexId: () => 'f'.repeat(32), publishDefault: true };
    expect(prepared('accession', body, { generatedValues }).body).toMatchObject({
      publish: true,
      external_documents: [{ publish: true }],
    });
    expect(prepared('accession', body, { generatedValues, operation: 'update' }).body).toMatchObject({
      publish: false,
      external_documents: [{ publish: true }],
    });
    expect(prepared('accession', body).body).toMatchObject({
      publish: false,
      external_documents: [{ publish: false }],
    });
    expect(prepared('accession', { ...body, publish: true }, { operation: 'update' }).body['publish']).toBe(true);
  });

  it('makes notes unpublished and sub-notes like the default', () => {
    const notes = [
      { jsonmodel_type: 'note_multipart', type: 'odd', subnotes: [{ jsonmodel_type: 'note_text', content: 'x' }] },
    ];
    const body = prepared(
      'archival_object',
      { ...component, notes },
      { generatedValues: { newHexId: () => 'a'.repeat(32), publishDefault: true } },
    ).body;
    expect(body['notes']).toEqual([
      {
        publish: false,
        persistent_id: 'a'.repeat(32),
        type: 'odd',
        subnotes: [{ content: 'x', publish: true, jsonmodel_type: 'note_text' }],
        jsonmodel_type: 'note_multipart',
      },
    ]);
  });

  it('sets flags that an update leaves out to false', () => {
    const repository = { repo_code: 'R', name: 'R' };
    expect(prepared('repository', repository).body).not.toHaveProperty('oai_is_disabled');
    expect(prepared('repository', repository, { operation: 'update' }).body['oai_is_disabled']).toBe(false);
  });

  it('keeps ids that were sent and makes those that were not', () => {
    const statement = { rights_type: 'license', license_terms: 'x', start_date: '2000-01-01' };
    const body = prepared('accession', {
      ...accession,
      rights_statements: [{ ...statement, identifier: 'mine' }, statement],
    }).body;
    expect(body['rights_statements']).toMatchObject([
      { identifier: 'mine' },
      { identifier: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
  });

  it('keeps a multipart note without its own jsonmodel_type in rights_restriction', () => {
    const notes = [
      {
        jsonmodel_type: 'note_multipart',
        type: 'accessrestrict',
        subnotes: [{ jsonmodel_type: 'note_text', content: 'x' }],
        rights_restriction: { jsonmodel_type: 'rights_restriction', begin: '2000-01-01' },
      },
    ];
    expect(prepared('archival_object', { ...component, notes }).body['notes']).toMatchObject([
      { rights_restriction: { begin: '2000-01-01', local_access_restriction_type: [] } },
    ]);
    expect(JSON.stringify(prepared('archival_object', { ...component, notes }).body)).not.toContain(
      '"rights_restriction",',
    );
  });

  it('shows the warning of a name once, as that of the display name', () => {
    expect(prepared('agent_person', { names: [{ ...person.names[0], authority_id: 'a1' }] }).warnings).toEqual({
      'display_name/source': ['is required if there is an authority id'],
    });
    const dates = [
      {
        date_label: 'existence',
        date_type_structured: 'single',
        structured_date_single: { date_role: 'begin', date_expression: 'x' },
      },
    ];
    expect(prepared('agent_person', { ...person, dates_of_existence: dates }).warnings).toEqual({});
  });
});
