// Makes valid bodies from schemas: every property now and then, every list value, refs to records that need not exist.
// Rules that a schema states in code are met by the adjustments below, one per schema name.
import type { Json, JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import type { Property, Schema, TextProperty } from '#domain/schema/property.ts';

/** Where the random parts come from. `uriOf` gives a uri of one of the kinds, or null where none of them exists. */
export type BodySource = {
  /** Numbers from 0 up to, but without, 1. */
  readonly random: () => number;
  readonly listValues: (name: string) => readonly string[];
  readonly uriOf: (kinds: readonly string[]) => string | null;
};

/** A body that `prepare` accepts. Optional properties come in `share` of the cases (default a third). */
export function bodyFor(schema: Schema, source: BodySource, share = 1 / 3): JsonObject {
  return objectFor(schema, source, share, 0);
}

function objectFor(schema: Schema, source: BodySource, share: number, depth: number): JsonObject {
  const made: { [property: string]: Json | undefined } = {
    jsonmodel_type: schema.name,
    ...propertiesFor(schema.properties, source, share, depth),
  };
  return adjustments[schema.name]?.(made, source, schema) ?? made;
}

function propertiesFor(properties: Schema['properties'], source: BodySource, share: number, depth: number): JsonObject {
  const entries = Object.entries(properties)
    .filter(([, property]) => property.readonly !== true)
    .filter(([, property]) => property.required === 'error' || source.random() < share / (depth + 1))
    .map(([name, property]): [string, Json | undefined] => [name, valueFor(property, source, share, depth)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function valueFor(property: Property, source: BodySource, share: number, depth: number): Json | undefined {
  switch (property.type) {
    case 'string':
      return textFor(property, source);
    case 'integer':
      return Math.floor(source.random() * 1000);
    case 'number':
      return Math.floor(source.random() * 10_000) / 100;
    case 'boolean':
      return source.random() < 0.5;
    case 'date':
    case 'date-time':
      return dateFor(source);
    case 'object':
    case 'any':
      return { some: 'thing' };
    case 'ref': {
      const ref = source.uriOf(property.to);
      return ref === null ? undefined : { ref, ...propertiesFor(property.properties ?? {}, source, share, depth + 1) };
    }
    case 'uri':
      return source.uriOf(property.to) ?? undefined;
    case 'uri_or_object':
      return source.random() < 0.5 || property.of === undefined
        ? (source.uriOf(property.to) ?? undefined)
        : objectFor(property.of(), source, share, depth + 1);
    case 'sub_record': {
      const schema = pick(property.of(), source);
      return depth > 5 ? undefined : objectFor(schema, source, share, depth + 1);
    }
    case 'inline':
      return { ...propertiesFor(property.properties, source, share, depth + 1) };
    case 'either':
      return valueFor(pick(property.of, source), source, share, depth + 1);
    case 'list': {
      const count = Math.max(property.minItems ?? 0, Math.floor(source.random() * 3));
      return Array.from({ length: count }, () => valueFor(property.of, source, share, depth)).filter(
        (item): item is Json => item !== undefined,
      );
    }
  }
}

const words = [
  'Ledger',
  'of',
  'the',
  'Ōtākou',
  'station',
  '"cash"',
  'and',
  'Briefe',
  '<emph>1901</emph>',
  '文書',
  '🗺',
  '{"jsonmodel_type":"x"}',
];

function textFor(property: TextProperty, source: BodySource): string | undefined {
  if (property.values !== undefined) return pick(property.values, source);
  if (property.enumeration !== undefined) {
    const values = source.listValues(property.enumeration);
    // Some lists of a new installation are empty.
    return values.length === 0 ? undefined : pick(values, source);
  }
  if (property.pattern !== undefined)
    return property.pattern.includes('https') ? 'https://example.com/logo' : 'ref_1.a';
  const text = Array.from({ length: 1 + Math.floor(source.random() * 4) }, () => pick(words, source)).join(' ');
  return text.slice(0, property.maxLength ?? text.length).padEnd(property.minLength ?? 1, 'x');
}

function dateFor(source: BodySource): string {
  const two = (limit: number): string => String(1 + Math.floor(source.random() * limit)).padStart(2, '0');
  return `${1800 + Math.floor(source.random() * 200)}-${two(12)}-${two(28)}`;
}

function pick<Item>(items: readonly Item[], source: BodySource): Item {
  const item = items[Math.floor(source.random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Changes a made object so that the rules of its schema hold. */
type Adjustment = (made: { [property: string]: Json | undefined }, source: BodySource, schema: Schema) => JsonObject;

const name: Adjustment = (made) => ({
  ...made,
  sort_name_auto_generate: true,
  authorized: false,
  is_display_name: false,
});
const subjects: Adjustment = (made, source) => ({ ...made, subjects: [{ ref: source.uriOf(['subject']) }] });
const saidSource: Adjustment = (made) => ({ ...made, descriptive_note: 'x' });
const note: Adjustment = (made) => ({
  ...made,
  subnotes: [...objectsOf(made, 'subnotes'), { jsonmodel_type: 'note_text', content: 'x' }],
});
const notOther = (made: JsonObject): JsonObject =>
  made['level'] === 'otherlevel' ? { ...made, other_level: 'x' } : made;
const onePrimary = (made: JsonObject): JsonObject => {
  const off = (property: string, flag: string): JsonObject =>
    made[property] === undefined
      ? {}
      : { [property]: objectsOf(made, property).map((entry) => ({ ...entry, [flag]: false })) };
  const documents =
    made['external_documents'] === undefined
      ? {}
      : {
          external_documents: objectsOf(made, 'external_documents').map((entry, at) => ({ ...entry, title: `t${at}` })),
        };
  return {
    ...made,
    ...off('linked_agents', 'is_primary'),
    ...off('instances', 'is_representative'),
    ...off('file_versions', 'is_representative'),
    ...off('agent_contacts', 'is_representative'),
    ...documents,
  };
};
const agent: Adjustment = (made) => ({
  ...onePrimary(made),
  dates_of_existence: objectsOf(made, 'dates_of_existence').map((date) => ({ ...date, date_label: 'existence' })),
});
const without = (made: JsonObject, ...properties: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(made).filter(([property]) => !properties.includes(property)));
const sized: Adjustment = (made) => ({
  ...made,
  ...(made['depth'] === undefined ? {} : { depth: '1.5' }),
  ...(made['width'] === undefined ? {} : { width: '2' }),
  ...(made['height'] === undefined ? {} : { height: '3.25' }),
  ...(made['stacking_limit'] === undefined ? {} : { stacking_limit: '4' }),
});

const adjustments: { readonly [schema: string]: Adjustment } = {
  date: (made) => ({
    ...made,
    expression: 'c. 1900',
    ...(made['begin'] === undefined ? {} : { begin: '1900-05' }),
    ...(made['end'] === undefined ? {} : { end: '1900-05-09' }),
  }),
  structured_date_label: (made, source) =>
    made['date_type_structured'] === 'single'
      ? {
          ...without(made, 'structured_date_range'),
          structured_date_single: {
            date_role: pick(source.listValues('date_role'), source),
            date_expression: 'around 1900',
          },
        }
      : {
          ...without(made, 'structured_date_single'),
          structured_date_range: {
            begin_date_expression: '1900',
            begin_date_standardized: '1900',
            end_date_standardized: '1901-02',
            begin_date_standardized_type: 'standard',
            end_date_standardized_type: 'standard',
          },
        },
  structured_date_single: (made) => ({ ...made, date_standardized: '1900-01-02' }),
  instance: (made, source) => {
    const place = { top_container: { ref: source.uriOf(['top_container']) } };
    return made['instance_type'] === 'digital_object'
      ? { ...without(made, 'sub_container'), digital_object: { ref: source.uriOf(['digital_object']) } }
      : { ...without(made, 'digital_object'), sub_container: place };
  },
  sub_container: (made) => ({ ...without(made, 'type_3', 'indicator_3'), type_2: 'folder', indicator_2: '1' }),
  container_location: (made) => ({ ...made, end_date: '2020-01-02' }),
  collection_management: (made) => ({
    ...made,
    processing_hours_per_foot_estimate: '1.5',
    processing_total_extent: '2',
    processing_total_extent_type: 'linear_feet',
    processing_hours_total: '-3',
  }),
  user_defined: (made) => ({
    ...made,
    integer_1: '1',
    integer_2: '-2',
    integer_3: '3',
    real_1: '1.5',
    real_2: '.5',
    real_3: '3',
  }),
  rights_statement: (made) => ({
    ...made,
    status: 'copyrighted',
    jurisdiction: 'NZ',
    start_date: '1990-01-01',
    license_terms: 'x',
    statute_citation: 'x',
    other_rights_basis: 'policy',
  }),
  name_person: name,
  name_family: name,
  name_corporate_entity: name,
  name_software: name,
  agent_function: subjects,
  agent_place: subjects,
  agent_occupation: subjects,
  agent_topic: subjects,
  agent_sources: saidSource,
  agent_alternate_set: saidSource,
  used_language: (made) => ({ ...made, language: 'mao' }),
  note_multipart: (made, source, schema) => without(note(made, source, schema), 'rights_restriction'),
  note_bioghist: note,
  agent_person: agent,
  agent_family: agent,
  agent_corporate_entity: agent,
  agent_software: (made, source, schema) =>
    without(
      agent(made, source, schema),
      'agent_record_identifiers',
      'agent_record_controls',
      'agent_other_agency_codes',
      'agent_conventions_declarations',
      'agent_maintenance_histories',
      'agent_sources',
      'agent_alternate_sets',
      'agent_resources',
    ),
  accession: (made) => ({ ...onePrimary(without(made, 'id_1', 'id_2', 'id_3')), id_0: 'A1' }),
  resource: (made) => ({
    ...notOther(onePrimary(without(made, 'id_1', 'id_2', 'id_3'))),
    id_0: 'R1',
    lang_materials: [{ language_and_script: { language: 'eng' } }],
  }),
  archival_object: (made) => ({ ...notOther(onePrimary(made)), title: 'x' }),
  digital_object: onePrimary,
  digital_object_component: (made) => ({ ...onePrimary(made), title: 'x' }),
  subject: onePrimary,
  location: (made) => ({ ...made, barcode: 'b1' }),
  assessment: (made) => ({
    ...onePrimary(without(made, 'survey_end')),
    ...(made['monetary_value'] === undefined ? {} : { monetary_value: '10.5' }),
  }),
  repository: (made) => (made['oai_sets_available'] === undefined ? made : { ...made, oai_sets_available: '[1,2]' }),
  custom_report_template: (made) => ({ ...made, data: '{"fields":{"title":{"include":"1"}}}' }),
  container_profile: sized,
  location_profile: sized,
  event: (made) => ({
    ...onePrimary(without(made, 'timestamp')),
    date: { date_type: 'single', label: 'event', begin: '2001' },
  }),
};
