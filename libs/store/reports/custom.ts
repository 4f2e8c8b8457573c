// Custom reports as statements: constants for every record type and field; what a template says is looked up in them or is a parameter.
import { readFileSync } from 'node:fs';
import type { CustomCatalogue, CustomChoice, CustomFilter } from '#domain/reports/custom.ts';
import { customPart } from './custom-parts.ts';
import type { ReportStatement } from './definition.ts';
import { statementOf } from './definition.ts';
import type { ReportField } from './parts.ts';
import { dayOf, flag, identifier, inRepository, mayShow, text } from './parts.ts';

/** Reads db/reference/custom-report-fields.json: fields and parts by record type, as clients know them (contract trees-and-jobs 7.4). */
export function readCustomCatalogue(): CustomCatalogue {
  return JSON.parse(readFileSync(new URL('../../../db/reference/custom-report-fields.json', import.meta.url), 'utf8'));
}

const everywhere = (kinds: string): string =>
  `record r WHERE r.kind IN (${kinds}) AND $1::int IS NOT NULL AND ${mayShow('r')}`;

/** A type that is part of others: the record that has it, with the part's own body. */
const partsOf = (
  property: string,
  kinds: string,
): string => `(SELECT o.kind, o.id, o.repo_id, o.suppressed, o.publish, o.label, o.created_by, o.last_modified_by, o.create_time, o.user_mtime, p.body, p.n
  FROM record o CROSS JOIN LATERAL json_array_elements(o.body->'${property}') WITH ORDINALITY AS p (body, n) WHERE o.kind IN (${kinds}) AND o.repo_id = $1) r WHERE ${mayShow('r')}`;

const described = "'accession', 'resource', 'archival_object', 'digital_object', 'digital_object_component'";

/** `sorts`: by what rows are put in the order of a field where its text would put them wrong. */
type RecordType = {
  readonly of: string;
  readonly isPart?: true;
  readonly fields: { readonly [name: string]: string };
  readonly sorts?: { readonly [name: string]: string };
};

const own = (...properties: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(properties.map((property) => [property, text(property)]));
const flags = (...properties: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(properties.map((property) => [property, flag(property)]));
const published = { publish: 'coalesce(r.publish, false)' };

/** Fields of every type. */
const common: { readonly [name: string]: string } = {
  created_by: 'r.created_by',
  last_modified_by: 'r.last_modified_by',
  create_time: dayOf('create_time'),
  user_mtime: dayOf('user_mtime'),
};

const recordTypes: { readonly [type: string]: RecordType } = {
  accession: {
    of: inRepository('accession'),
    fields: {
      ...own(
        'access_restrictions_note',
        'accession_date',
        'acquisition_type',
        'condition_description',
        'content_description',
        'disposition',
        'general_note',
        'inventory',
        'provenance',
        'resource_type',
        'retention_rule',
        'title',
        'use_restrictions_note',
      ),
      ...flags('access_restrictions', 'restrictions_apply', 'use_restrictions'),
      ...published,
      identifier,
    },
  },
  agent: {
    of: everywhere("'agent_person', 'agent_family', 'agent_corporate_entity', 'agent_software'"),
    fields: { type: 'r.kind', name: 'r.label', ...published },
  },
  archival_object: {
    of: inRepository('archival_object'),
    fields: {
      ...own('component_id', 'level', 'ref_id', 'repository_processing_note', 'title'),
      ...flags('restrictions_apply'),
      ...published,
    },
  },
  assessment: {
    of: inRepository('assessment'),
    fields: {
      ...own(
        'surveyed_duration',
        'surveyed_extent',
        'purpose',
        'scope',
        'general_assessment_note',
        'special_format_note',
        'exhibition_value_note',
        'existing_description_notes',
        'survey_begin',
        'survey_end',
        'review_note',
        'monetary_value',
        'monetary_value_note',
        'conservation_note',
      ),
      ...flags(
        'accession_report',
        'appraisal',
        'container_list',
        'catalog_record',
        'control_file',
        'finding_aid_ead',
        'finding_aid_paper',
        'finding_aid_word',
        'finding_aid_spreadsheet',
        'review_required',
        'sensitive_material',
        'deed_of_gift',
        'finding_aid_online',
        'related_eac_records',
        'inactive',
      ),
    },
    sorts: {
      monetary_value: `CASE WHEN ${text('monetary_value')} ~ '^[0-9]+([.][0-9]+)?$' THEN (${text('monetary_value')})::numeric END`,
    },
  },
  classification: { of: inRepository('classification'), fields: own('description', 'identifier', 'title') },
  digital_object: {
    of: inRepository('digital_object'),
    fields: {
      ...own('digital_object_id', 'digital_object_type', 'level', 'title'),
      ...flags('restrictions'),
      ...published,
    },
  },
  digital_object_component: {
    of: inRepository('digital_object_component'),
    fields: { ...own('component_id', 'label', 'title'), ...published },
  },
  event: { of: inRepository('event'), fields: own('event_type', 'outcome', 'outcome_note') },
  location: {
    of: everywhere("'location'"),
    fields: own(
      'area',
      'barcode',
      'building',
      'classification',
      'coordinate_1_indicator',
      'coordinate_1_label',
      'coordinate_2_indicator',
      'coordinate_2_label',
      'coordinate_3_indicator',
      'coordinate_3_label',
      'floor',
      'room',
      'temporary',
    ),
  },
  resource: {
    of: inRepository('resource'),
    fields: {
      ...own(
        'level',
        'repository_processing_note',
        'resource_type',
        'title',
        'ead_id',
        'ead_location',
        'finding_aid_title',
        'finding_aid_subtitle',
        'finding_aid_date',
        'finding_aid_author',
        'finding_aid_description_rules',
        'finding_aid_language',
        'finding_aid_script',
        'finding_aid_sponsor',
        'finding_aid_edition_statement',
        'finding_aid_series_statement',
        'finding_aid_status',
        'finding_aid_note',
      ),
      ...flags('restrictions'),
      ...published,
      identifier,
    },
  },
  rights_statement: {
    of: partsOf('rights_statements', described),
    isPart: true,
    fields: own(
      'rights_type',
      'statute_citation',
      'jurisdiction',
      'status',
      'start_date',
      'end_date',
      'determination_date',
      'license_terms',
      'other_rights_basis',
    ),
  },
  subject: {
    of: everywhere("'subject'"),
    fields: { title: 'r.label', ...own('authority_id', 'scope_note', 'source') },
  },
  user: {
    // Hidden users of the system are suppressed records, and in no list, whoever asks.
    of: `${everywhere("'user'")} AND NOT r.suppressed`,
    fields: own('username', 'email', 'name', 'first_name', 'last_name'),
  },
  deaccession: { of: partsOf('deaccessions', "'accession', 'resource'"), isPart: true, fields: {} },
};

/** The expression of a field of a type, or undefined. */
export function customField(type: string, name: string): string | undefined {
  const fields = Object.hasOwn(recordTypes, type) ? recordTypes[type]?.fields : undefined;
  if (fields !== undefined && Object.hasOwn(fields, name)) return fields[name];
  return fields !== undefined && Object.hasOwn(common, name) ? common[name] : undefined;
}

/** The part of a type by its code, or undefined. */
export const customPartOf = (type: string, code: string): ReportField | undefined =>
  Object.hasOwn(recordTypes, type) ? customPart(code, recordTypes[type]?.isPart === true) : undefined;

/** The statement of a template's choice. `first` are the values of $1 to $4. */
export function customStatement(choice: CustomChoice, first: readonly unknown[]): ReportStatement {
  const type = recordTypes[choice.recordType];
  if (type === undefined) throw new Error(`no custom reports of ${choice.recordType}`);
  const values = [...first];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const expressionOf = (name: string): string => {
    const expression = customField(choice.recordType, name);
    if (expression === undefined) throw new Error(`no field ${name} of ${choice.recordType}`);
    return expression;
  };
  const conditions = choice.fields.flatMap(({ name, filter }) =>
    filter === null ? [] : [conditionOf(expressionOf(name), filter, place)],
  );
  const parts = choice.parts.map(({ name, code }): readonly [string, ReportField] => {
    const part = customPartOf(choice.recordType, code);
    if (part === undefined) throw new Error(`no part ${code} of ${choice.recordType}`);
    return [name, part];
  });
  // A field and a part of one name: the part, which says more.
  const fields = Object.fromEntries([
    ...choice.fields.filter((field) => field.isShown).map(({ name }) => [name, expressionOf(name)] as const),
    ...parts,
  ]);
  const sort = choice.sortBy === null ? null : (type.sorts?.[choice.sortBy] ?? expressionOf(choice.sortBy));
  const order = [
    ...(sort === null ? [] : [`${sort} NULLS LAST`]),
    'r.kind',
    'r.id',
    ...(type.isPart === true ? ['r.n'] : []),
  ];
  return statementOf(
    { of: [type.of, ...conditions].join(' AND '), order: order.join(', '), fields },
    values,
    `${place(choice.limit)}::int`,
  );
}

function conditionOf(expression: string, filter: CustomFilter, place: (value: unknown) => string): string {
  if (filter.by === 'flag') return `${expression} = ${place(filter.flag)}::boolean`;
  if (filter.by === 'texts') return `${expression} = ANY(${place(filter.texts)}::text[])`;
  // Lists have equal values: an id of another list is that of no value of the field. One that is being renamed in steps has two texts.
  if (filter.by === 'value_ids')
    return `${expression} IN (SELECT v.value FROM (SELECT id, enumeration_id, value FROM enumeration_value UNION ALL SELECT value_id, enumeration_id, new_value FROM renaming_begun) AS v JOIN enumeration e ON e.id = v.enumeration_id WHERE e.name = ${place(filter.list)}::text AND v.id = ANY(${place(filter.ids)}::int[]))`;
  return `${expression} > ${place(filter.from)}::text AND ${expression} < ${place(filter.to)}::text`;
}
