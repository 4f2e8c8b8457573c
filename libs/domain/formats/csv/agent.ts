// The agent of a row of accessions or digital objects: its name, contact and note, linked.
import type { JsonObject } from '../../json.ts';
import type { ReadingContext } from '../reading/context.ts';
import { textSubnotes } from '../reading/note-records.ts';
import { listed, properties } from './cells.ts';
import type { CellType } from './cells.ts';
import type { CsvRow } from './rows.ts';
import { reportStrays } from './stray-cells.ts';

const agentNames: ReadonlyMap<string, { readonly kind: string; readonly name: string }> = new Map([
  ['agent_person', { kind: 'agent_person', name: 'name_person' }],
  ['agent_family', { kind: 'agent_family', name: 'name_family' }],
  ['agent_corporate_entity', { kind: 'agent_corporate_entity', name: 'name_corporate_entity' }],
]);

const nameTypes: Readonly<Record<string, CellType>> = {
  authority_id: 'text',
  dates: 'text',
  fuller_form: 'text',
  name_order: { list: 'name_person_name_order' },
  number: 'text',
  prefix: 'text',
  title: 'text',
  primary_name: 'text',
  qualifier: 'text',
  rest_of_name: 'text',
  rules: { list: 'name_rule' },
  sort_name: 'text',
  source: { list: 'name_source' },
  subordinate_name_1: 'text',
  subordinate_name_2: 'text',
  suffix: 'text',
};

const namesOf: Readonly<Record<string, readonly string[]>> = {
  name_person: [
    'authority_id',
    'dates',
    'fuller_form',
    'name_order',
    'number',
    'prefix',
    'title',
    'primary_name',
    'qualifier',
    'rest_of_name',
    'rules',
    'sort_name',
    'source',
    'suffix',
  ],
  name_family: ['authority_id', 'dates', 'prefix', 'family_name', 'qualifier', 'rules', 'sort_name', 'source'],
  name_corporate_entity: [
    'authority_id',
    'dates',
    'number',
    'primary_name',
    'qualifier',
    'rules',
    'sort_name',
    'source',
    'subordinate_name_1',
    'subordinate_name_2',
  ],
};

const contactTypes: Readonly<Record<string, CellType>> = {
  name: 'text',
  salutation: { list: 'agent_contact_salutation' },
  address_1: 'text',
  address_2: 'text',
  address_3: 'text',
  city: 'text',
  region: 'text',
  country: 'text',
  post_code: 'text',
  email: 'text',
};

/** What is said about an agent, which needs its name. Its type, role and order of names stand in rows without one, too, where sheets are prefilled. */
const agentColumns: readonly string[] = [
  ...Object.keys(nameTypes)
    .filter((property) => !['primary_name', 'name_order', 'rules', 'source'].includes(property))
    .map((property) => `agent_name_${property}`),
  'agent_name_description_note',
  'agent_name_description_citation',
  ...[...Object.keys(contactTypes), 'telephone', 'telephone_ext', 'fax'].map((property) => `agent_contact_${property}`),
];

/** The agent of a row as a link; one without role or type is a fault. */
export function readAgent(context: ReadingContext, row: CsvRow): JsonObject {
  const given = properties(context, row, 'agent_name_', nameTypes);
  const contact = readContact(context, row);
  const note = row.cell('agent_name_description_note');
  const citation = row.cell('agent_name_description_citation');
  const role = row.cell('agent_role');
  const relator = row.cell('agent_relator');
  const agentType = row.cell('agent_type');
  const primary = given['primary_name'];
  if (primary === undefined) {
    reportStrays(context, row, agentColumns, 'agent_name_primary_name');
    return {};
  }
  if (role === undefined) row.fault('agent_role', 'An agent needs a role: creator, source or subject.');
  const type = agentNames.get(agentType ?? '');
  if (type === undefined)
    row.fault('agent_type', `The type of an agent must be one of: ${[...agentNames.keys()].join(', ')}.`);
  if (role === undefined || type === undefined) return {};
  const { primary_name: _primary, ...rest } = given;
  const named = type.name === 'name_family' ? { ...rest, family_name: primary } : given;
  const known = namesOf[type.name] ?? [];
  for (const [property, value] of Object.entries(named))
    if (!known.includes(property))
      context.report.dropText(row.line, `agent_name_${property}`, String(value), `no property of a ${type.name}`);
  const name: JsonObject = {
    jsonmodel_type: type.name,
    ...(type.name === 'name_person' ? { name_order: 'inverted' } : {}),
    ...Object.fromEntries(Object.entries(named).filter(([property]) => known.includes(property))),
    ...('sort_name' in named ? { sort_name_auto_generate: false } : { sort_name_auto_generate: true }),
    authorized: true,
    is_display_name: true,
  };
  const subnotes = [
    ...(note === undefined ? [] : textSubnotes(note, false)),
    ...(citation === undefined ? [] : [{ jsonmodel_type: 'note_citation', content: [citation] }]),
  ];
  const body: JsonObject = {
    names: [name],
    ...(contact === undefined
      ? {}
      : {
          agent_contacts: [{ ...contact, jsonmodel_type: 'agent_contact', name: contact['name'] ?? String(primary) }],
        }),
    ...(subnotes.length === 0 ? {} : { notes: [{ jsonmodel_type: 'note_bioghist', subnotes }] }),
  };
  const ref = context.emitOnce(type.kind, JSON.stringify(body), body);
  return {
    linked_agents: [
      {
        ref,
        role,
        ...(relator === undefined
          ? {}
          : { relator: context.controlled('linked_agent_archival_record_relators', relator) }),
      },
    ],
  };
}

function readContact(context: ReadingContext, row: CsvRow): JsonObject | undefined {
  const fields = properties(context, row, 'agent_contact_', contactTypes);
  const extension = row.cell('agent_contact_telephone_ext');
  const telephone = row.cell('agent_contact_telephone');
  const fax = row.cell('agent_contact_fax');
  if (telephone === undefined && row.cell('agent_name_primary_name') !== undefined)
    reportStrays(context, row, ['agent_contact_telephone_ext'], 'agent_contact_telephone');
  const telephones = listed('telephones', [
    telephone === undefined
      ? undefined
      : {
          jsonmodel_type: 'telephone',
          number_type: 'home',
          number: telephone,
          ...(extension === undefined ? {} : { ext: extension }),
        },
    fax === undefined ? undefined : { jsonmodel_type: 'telephone', number_type: 'fax', number: fax },
  ]);
  const contact = { ...fields, ...telephones };
  return Object.keys(contact).length === 0 ? undefined : contact;
}
