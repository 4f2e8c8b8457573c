// Texts of records: notes, the rest, the public part, controlled values.
import { expect, it } from 'vitest';
import { readNotes, readPublicPart, readRest, readSummary } from '#domain/search/documents/texts.ts';

it('reads notes with their parts, without codes', () => {
  const note = {
    jsonmodel_type: 'note_multipart',
    type: 'scopecontent',
    persistent_id: 'abc',
    label: 'Scope',
    publish: true,
    subnotes: [{ jsonmodel_type: 'note_text', content: 'One' }, { items: [{ label: 'L', value: 'V' }] }],
  };
  expect(readNotes({ notes: [note] })).toEqual(['Scope One L V']);
  expect(readSummary({ notes: [note] })).toBe('One');
});

it('takes of a record that a note names its title among the words of others, and nothing into the note', () => {
  const closed = {
    jsonmodel_type: 'note_multipart',
    type: 'accessrestrict',
    rights_restriction: {
      begin: '1990',
      linked_records: {
        ref: '/repositories/2/resources/1',
        _resolved: { title: 'Tides', repository_processing_note: 'x' },
      },
    },
    subnotes: [{ content: 'Closed' }],
  };
  expect(readNotes({ notes: [closed] })).toEqual(['1990 Closed']);
  expect(readRest({ notes: [closed] }).others).toEqual(['Tides']);
});

it('drops unpublished parts at any depth and keeps the object where there are none', () => {
  const clean = { a: [{ publish: true }], b: { c: 1 } };
  expect(readPublicPart(clean)).toBe(clean);
  expect(
    readPublicPart({
      notes: [{ publish: false, content: 'x' }, { subnotes: [{ publish: false }, { publish: true }] }],
      linked_agents: [{ ref: '/a', _resolved: { publish: false } }],
    }),
  ).toEqual({
    notes: [{ subnotes: [{ publish: true }] }],
    linked_agents: [],
  });
});

it('keeps the name of the agent of a repository, published or not', () => {
  const agent = {
    jsonmodel_type: 'agent_corporate_entity',
    uri: '/agents/corporate_entities/1',
    title: 'Harbour Archive',
    display_name: { primary_name: 'Harbour Archive' },
    publish: false,
    notes: [{ content: 'x' }],
    names: [{ primary_name: 'Harbour Archive' }],
  };
  const { publish: _publish, notes: _notes, names: _names, ...named } = agent;
  expect(
    readPublicPart({ agent_representation: { ref: agent.uri, _resolved: agent }, creator: { _resolved: agent } }),
  ).toEqual({ agent_representation: { ref: agent.uri, _resolved: named }, creator: {} });
});

it('drops the internal notes of containers, also of those that a record names', () => {
  const container = { jsonmodel_type: 'top_container', indicator: '1' };
  const noted = { ...container, internal_note: 'Mouldy' };
  expect(readPublicPart(noted)).toEqual(container);
  expect(
    readPublicPart({ instances: [{ sub_container: { top_container: { ref: '/c', _resolved: noted } } }] }),
  ).toEqual({ instances: [{ sub_container: { top_container: { ref: '/c', _resolved: container } } }] });
});

it('keeps codes and other records’ titles apart from words', () => {
  expect(
    readRest({
      title: 'no',
      created_by: 'no',
      general_note: 'Some words',
      portion: 'whole',
      resource: { ref: '/r', _resolved: { title: 'Other' } },
    }),
  ).toEqual({ texts: ['Some words'], notes: [], codes: ['whole'], others: ['Other'] });
});

it('reads titles and notes of parts, whatever the record’s own are taken for', () => {
  const note = { jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['In Breton'], publish: true };
  expect(
    readRest({
      title: 'no',
      notes: [{ content: ['no'] }],
      external_documents: [{ title: 'An inventory', location: 'Shelf 3' }],
      lang_materials: [{ notes: [note] }],
      names: [{ primary_name: 'Jane Doe', dates: '1850-1912', title: 'Dame of the Order' }],
    }),
  ).toEqual({
    texts: ['An inventory', 'Shelf 3', 'Jane Doe', '1850-1912', 'Dame of the Order'],
    notes: ['In Breton'],
    codes: [],
    others: [],
  });
  expect(readRest({ name: 'Hollinger', notes: 'Acid-free ones' }).texts).toEqual(['Hollinger', 'Acid-free ones']);
});

it('leaves out the numbers that the service gives file versions, and no other identifier', () => {
  const parts = {
    file_versions: [{ jsonmodel_type: 'file_version', identifier: '28001', caption: 'A scan' }],
    rights_statements: [{ jsonmodel_type: 'rights_statement', identifier: 'RS 1' }],
  };
  expect(readRest(parts).texts).toEqual(['A scan', 'RS 1']);
});

it('drops what is said of a relation between agents, of where a container stands, and of an unpublished status', () => {
  expect(
    readPublicPart({
      related_agents: [
        {
          jsonmodel_type: 'agent_relationship_parentchild',
          ref: '/a',
          description: 'told in confidence',
          dates: { structured_date_single: { date_expression: 'when he fled' } },
        },
      ],
      container_locations: [{ jsonmodel_type: 'container_location', note: 'behind the door' }],
      finding_aid_status: 'in progress',
      is_finding_aid_status_published: false,
      user_defined: { string_1: 'x' },
      note: 'shown',
    }),
  ).toEqual({
    related_agents: [{ jsonmodel_type: 'agent_relationship_parentchild', ref: '/a' }],
    container_locations: [{ jsonmodel_type: 'container_location' }],
    is_finding_aid_status_published: false,
    note: 'shown',
  });
});
