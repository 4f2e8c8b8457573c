// What prepare does to a body beside refusing it: cleaning, completing, links, generated ids, the canonical form.
// Contract: behaviour-records.md, sections 1.4, 1.5 and 3.1.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { allKinds } from '#domain/kinds/index.ts';
import type { PrepareContext, Prepared } from '#domain/checking/prepare.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { Schema } from '#domain/schema/property.ts';
import type { BodySource } from '#test/support/make/from-schema.ts';
import { bodyFor, seededRandom } from '#test/support/make/from-schema.ts';
import { referenceLists } from '#test/support/make/lists.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const kinds = new Map(allKinds.map((kind) => [kind.name, kind]));
const lists = referenceLists();

function kindNamed(name: string): Kind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}

const prepared = (name: string, body: JsonObject, changes: Partial<PrepareContext> = {}): Prepared =>
  prepare(kindNamed(name), body, testContext(changes));

function refusal(name: string, body: JsonObject, changes: Partial<PrepareContext> = {}): Failure {
  try {
    prepared(name, body, changes);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

const accession = { id_0: 'A1', accession_date: '2020-01-01' };
const component = { title: 'x', level: 'file', resource: { ref: '/repositories/2/resources/1' } };
const resource = {
  title: 'R',
  id_0: 'R1',
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
  dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
  lang_materials: [{ language_and_script: { language: 'eng' } }],
};
const person = { names: [{ primary_name: 'Aroha', name_order: 'direct', sort_name_auto_generate: true }] };

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
    expect(refusal('accession', { ...accession, linked_agents: [{ role: 'creator' }] }).error).toEqual({
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
    const failure = refusal('agent_person', {
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
    const failure = refusal('archival_object', { notes: [{ content: ['x'] }] });
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
      refusal('agent_corporate_entity', { names: [{ jsonmodel_type: 'name_person', primary_name: 'x' }] }).error,
    ).toEqual({
      'names/0': ['Must be a JSONModel(:name_corporate_entity) object (you provided a JSONModel(:name_person) object)'],
    });
  });

  it('counts characters, not UTF-16 units', () => {
    expect(prepared('accession', { ...accession, id_1: '🗺'.repeat(50) }).body['id_1']).toHaveLength(100);
    expect(refusal('archival_object', { ...component, other_level: '🗺'.repeat(256) }).error).toEqual({
      other_level: ['Must be 255 characters or fewer'],
    });
  });

  it('counts list indexes after empty entries went', () => {
    expect(refusal('accession', { ...accession, extents: [{}, null, { portion: 'whole' }] }).error).toEqual({
      'extents/0/number': ['Property is required but was missing'],
      'extents/0/extent_type': ['Property is required but was missing'],
    });
  });

  it('names every kind that a reference may have', () => {
    expect(
      refusal('event', {
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
    const wrong = refusal('archival_object', {
      ...component,
      notes: [{ jsonmodel_type: 'note_multipart', type: 'nonsense', subnotes: [] }],
    });
    expect(wrong.error).toEqual({
      ...subnotes,
      'notes/0/type': [expect.stringContaining('Protected read-only list #/notes/0/type.')],
    });
    const missing = refusal('archival_object', {
      ...component,
      notes: [{ jsonmodel_type: 'note_multipart', subnotes: [] }],
    });
    expect(missing.error).toEqual({ 'notes/0/type': ['Property is required but was missing'] });
  });

  it('tells of a wrong type alone, not of the rule about the same property', () => {
    const notes = [{ jsonmodel_type: 'note_multipart', type: 'scopecontent', subnotes: 'x' }];
    expect(refusal('archival_object', { ...component, notes }).error).toEqual({
      'notes/0/subnotes': ['Must be a array (you provided a String)'],
    });
    expect(refusal('accession', { ...accession, id_0: 5, id_1: 'b' }).error).toEqual({
      id_0: ['Must be a string (you provided a Integer)'],
    });
  });

  it('refuses objects that nest too deeply', () => {
    let level: JsonObject = { items: ['x'] };
    for (let depth = 0; depth < 500; depth += 1) level = { items: [level] };
    const notes = [
      { jsonmodel_type: 'note_bioghist', subnotes: [{ jsonmodel_type: 'note_outline', levels: [level] }] },
    ];
    expect(refusal('agent_person', { ...person, notes }).error).toEqual({ 'notes/0/subnotes': ['Nested too deeply'] });
  });

  it('takes lock_version as a number or digits and nothing else', () => {
    expect(prepared('accession', { ...accession, lock_version: '3' }).body).not.toHaveProperty('lock_version');
    expect(refusal('accession', { ...accession, lock_version: [] }).error).toEqual({
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
      refusal('accession', { id_0: 'A', linked_agents: [{ ref: '/agents/people/1', role: 'nobody' }] }).error,
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

describe('links', () => {
  it('finds refs, uris and link objects with their places and roles', () => {
    const links = prepared('accession', {
      ...accession,
      subjects: [{ ref: '/subjects/4' }],
      linked_agents: [{ ref: '/agents/people/5', role: 'creator', relator: 'aut', terms: ['/terms/6'] }],
      related_accessions: [
        {
          jsonmodel_type: 'accession_parts_relationship',
          ref: '/repositories/2/accessions/7',
          relator: 'has_part',
          relator_type: 'part',
        },
      ],
      instances: [
        { instance_type: 'text', sub_container: { top_container: { ref: '/repositories/2/top_containers/8' } } },
      ],
    }).links;
    expect(links).toEqual([
      {
        property: 'related_accessions',
        path: 'related_accessions/0',
        uri: '/repositories/2/accessions/7',
        role: 'has_part',
      },
      {
        property: 'subjects',
        path: 'subjects/0',
        uri: '/subjects/4',
        role: null,
        address: { kind: 'subject', id: 4, repoId: null },
      },
      {
        property: 'linked_agents.terms',
        path: 'linked_agents/0/terms/0',
        uri: '/terms/6',
        role: null,
        address: { kind: 'term', id: 6, repoId: null },
      },
      {
        property: 'linked_agents',
        path: 'linked_agents/0',
        uri: '/agents/people/5',
        role: 'creator',
        address: { kind: 'agent_person', id: 5, repoId: null },
      },
      {
        property: 'instances.sub_container.top_container',
        path: 'instances/0/sub_container/top_container',
        uri: '/repositories/2/top_containers/8',
        role: null,
        address: { kind: 'top_container', id: 8, repoId: 2 },
      },
    ]);
  });

  it('takes temporary uris in imports alone', () => {
    const body = { ...component, resource: { ref: '/repositories/import/resources/import_6b2c-41' } };
    expect(prepared('archival_object', body, { acceptTemporary: true }).links[0]?.uri).toBe(
      '/repositories/import/resources/import_6b2c-41',
    );
    expect(refusal('archival_object', body).error).toHaveProperty(['resource/ref']);
    expect(
      refusal(
        'archival_object',
        { ...component, resource: { ref: '/repositories/2/accessions/import_6b2c' } },
        { acceptTemporary: true },
      ).error,
    ).toHaveProperty(['resource/ref']);
  });

  it('takes new values of editable lists in imports alone, each once', () => {
    const extents = ['furlongs', 'furlongs', 'reels'].map((type) => ({
      portion: 'whole',
      number: '1',
      extent_type: type,
    }));
    expect(
      prepared('accession', { ...accession, extents }, { createEnumerationValues: true }).newEnumerationValues,
    ).toEqual([{ list: 'extent_extent_type', value: 'furlongs' }]);
    expect(refusal('accession', { ...accession, extents }).error).toHaveProperty(['extents/1/extent_type']);
    expect(
      refusal('archival_object', { ...component, level: 'shelf' }, { createEnumerationValues: true }).error,
    ).toHaveProperty(['level']);
  });
});

describe('lists whose entries are compared', () => {
  it('lets accessions have several representative instances, and resources one', () => {
    const instances = [1, 2].map((id) => ({
      instance_type: 'text',
      is_representative: true,
      sub_container: { top_container: { ref: `/repositories/2/top_containers/${id}` } },
    }));
    expect(prepared('accession', { ...accession, instances }).links).toHaveLength(2);
    expect(refusal('resource', { ...resource, instances }).error).toEqual({
      'instances/1/is_representative': ['A resource can have only one Instance defined as: is_representative'],
    });
  });

  it('lets one linked agent be primary', () => {
    const linked_agents = [1, 2].map((id) => ({ ref: `/agents/people/${id}`, role: 'creator', is_primary: true }));
    expect(refusal('resource', { ...resource, linked_agents }).error).toEqual({
      linked_agents: ['A resource can have only one primary linked agent'],
    });
  });

  it('reports them only where everything else passed', () => {
    const linked_agents = [1, 2].map((id) => ({ ref: `/agents/people/${id}`, role: 'creator', is_primary: true }));
    expect(refusal('resource', { ...resource, linked_agents, title: 5 }).error).toEqual({
      title: ['Must be a string (you provided a Integer)'],
    });
  });
});

describe('any body made from a schema', () => {
  const uriOf = (names: readonly string[], random: () => number): string | null => {
    const known = names.map((name) => kinds.get(name)).filter((kind) => kind !== undefined);
    const kind = known[Math.floor(random() * known.length)];
    return kind === undefined
      ? null
      : kind.uri.replace(':repo_id', '2').replace(':id', String(1 + Math.floor(random() * 500)));
  };
  const source = (seed: number): BodySource => {
    const random = seededRandom(seed);
    return { random, listValues: (name) => lists.get(name)?.values ?? [], uriOf: (names) => uriOf(names, random) };
  };

  it.each([...kinds.values()].map((kind) => [kind.name, kind] as const))(
    'is accepted as %s, has the canonical form, and stays the same when sent again',
    (_, kind) => {
      fc.assert(
        fc.property(fc.integer(), fc.constantFrom(0.2, 0.5, 1), (seed, share) => {
          const first = prepare(kind, bodyFor(kind.schema, source(seed), share), testContext());
          const text = JSON.stringify(first.body);
          expect(JSON.stringify(prepare(kind, first.body, testContext()).body)).toBe(text);
          expect(text.split('{"jsonmodel_type":').length - 1).toBe(auditedObjects(first.body, kind.schema));
        }),
        { numRuns: 40 },
      );
    },
  );
});

/** How many objects of a body show audit fields, found by its schemas and not by the order of keys. */
function auditedObjects(body: JsonObject, schema: Schema): number {
  const below = Object.entries(schema.properties).map(([name, property]): number => {
    const value = body[name];
    const each = Array.isArray(value) ? value : [value];
    const inner = property.type === 'list' ? property.of : property;
    return each.reduce((sum: number, item: Json | undefined) => {
      if (!isObject(item)) return sum;
      if (inner.type === 'sub_record' || inner.type === 'either') {
        const schemas =
          inner.type === 'sub_record'
            ? inner.of()
            : inner.of.flatMap((choice) => (choice.type === 'sub_record' ? choice.of() : []));
        const of = schemas.find((one) => one.name === item['jsonmodel_type']);
        return sum + (of === undefined ? 0 : auditedObjects(item, of));
      }
      if (inner.type === 'uri_or_object' && inner.of !== undefined) return sum + auditedObjects(item, inner.of());
      return inner.type === 'ref' && inner.properties !== undefined
        ? sum + auditedObjects(item, { name: '', properties: inner.properties })
        : sum;
    }, 0);
  });
  return below.reduce((sum, count) => sum + count, schema.audited === true ? 1 : 0);
}
