// Agents with hidden parts, agents that are hidden, and the subjects that they name.
import { hiddenParts, shown } from './hidden-parts.ts';
import type { Marks, Sending } from './hidden-parts.ts';
import { text } from './notes.ts';

const vocabulary = '/vocabularies/1';

/** The uris of what was made, and links to all of the agents in each role. */
export type HiddenAgents = Awaited<ReturnType<typeof makeHiddenAgents>>;

/** Makes the agents and a subject. */
export async function makeHiddenAgents(marks: Marks, { send }: Sending) {
  const { hid, internal } = marks;
  const { documents } = hiddenParts(marks);
  const name = { sort_name_auto_generate: true, source: 'local', rules: 'local' };

  const hiddenPerson = await send('/agents/people', {
    publish: false,
    names: [
      {
        ...name,
        primary_name: hid('name of an unpublished person'),
        rest_of_name: hid('first name of an unpublished person'),
        name_order: 'inverted',
      },
    ],
    notes: [
      { jsonmodel_type: 'note_bioghist', publish: true, subnotes: [text(hid('life of an unpublished person'), true)] },
    ],
  });
  const hiddenFamily = await send('/agents/families', {
    publish: false,
    names: [{ ...name, family_name: hid('name of an unpublished family') }],
  });
  const hiddenBody = await send('/agents/corporate_entities', {
    publish: false,
    names: [{ ...name, primary_name: hid('name of an unpublished body') }],
  });
  const hiddenAgents = [hiddenPerson, hiddenFamily, hiddenBody];
  const subject = await send('/subjects', {
    source: 'lcsh',
    vocabulary,
    publish: true,
    terms: [{ term: shown, term_type: 'topical', vocabulary }],
    external_documents: documents('a subject'),
  });
  const place = await send('/subjects', {
    source: 'lcsh',
    vocabulary,
    publish: true,
    terms: [{ term: 'Bonn', term_type: 'geographic', vocabulary }],
  });
  const agentParts = (owner: string) => ({
    publish: true,
    external_documents: documents(owner),
    agent_contacts: [
      {
        name: internal(`contact of ${owner}`),
        address_1: internal(`address of ${owner}`),
        email: internal(`mail of ${owner}`),
        telephones: [{ number: internal(`telephone of ${owner}`) }],
        notes: [
          {
            jsonmodel_type: 'note_contact_note',
            date_of_contact: '2000-01-01',
            contact_notes: internal(`note on a contact of ${owner}`),
          },
        ],
      },
    ],
    // These parts are published with their agent (contract, records 5.1), their notes by themselves.
    agent_places: [{ subjects: [{ ref: place }], notes: [text(hid(`note on a place of ${owner}`), false)] }],
    agent_occupations: [
      { subjects: [{ ref: subject }], notes: [text(hid(`note on an occupation of ${owner}`), false)] },
    ],
    agent_functions: [{ subjects: [{ ref: subject }], notes: [text(hid(`note on a function of ${owner}`), false)] }],
    agent_topics: [{ subjects: [{ ref: subject }], notes: [text(hid(`note on a topic of ${owner}`), false)] }],
    used_languages: [{ language: 'eng', notes: [text(hid(`note on a language of ${owner}`), false)] }],
    related_agents: hiddenAgents.map((ref) => ({
      jsonmodel_type: 'agent_relationship_associative',
      relator: 'is_associative_with',
      ref,
      description: hid(`relation of ${owner} to ${ref}`),
    })),
    notes: [
      {
        jsonmodel_type: 'note_bioghist',
        publish: true,
        subnotes: [
          text(shown, true),
          text(hid(`text of the life of ${owner}`), false),
          { jsonmodel_type: 'note_abstract', publish: false, content: [hid(`abstract of the life of ${owner}`)] },
          { jsonmodel_type: 'note_citation', publish: false, content: [hid(`citation of the life of ${owner}`)] },
          {
            jsonmodel_type: 'note_outline',
            publish: false,
            levels: [{ items: [hid(`outline of the life of ${owner}`)] }],
          },
        ],
      },
      {
        jsonmodel_type: 'note_bioghist',
        publish: false,
        label: hid(`label of a hidden life of ${owner}`),
        subnotes: [text(hid(`hidden life of ${owner}`), true)],
      },
      { jsonmodel_type: 'note_general_context', publish: false, subnotes: [text(hid(`context of ${owner}`), true)] },
    ],
  });
  const person = await send('/agents/people', {
    ...agentParts('a person'),
    agent_genders: [{ gender: 'not_specified', notes: [text(hid('note on a gender'), false)] }],
    names: [{ ...name, primary_name: 'Seen', rest_of_name: 'Sue', name_order: 'inverted' }],
  });
  const family = await send('/agents/families', {
    ...agentParts('a family'),
    names: [{ ...name, family_name: 'Seen' }],
  });
  const body = await send('/agents/corporate_entities', {
    ...agentParts('a body'),
    names: [{ ...name, primary_name: 'Seen company' }],
  });

  const linkedAgents = [
    { ref: person, role: 'creator' },
    { ref: body, role: 'source' },
    { ref: family, role: 'subject' },
    ...hiddenAgents.flatMap((ref) => ['creator', 'subject', 'source'].map((role) => ({ ref, role }))),
  ];
  return { person, family, body, hiddenPerson, hiddenFamily, hiddenBody, subject, linkedAgents };
}
