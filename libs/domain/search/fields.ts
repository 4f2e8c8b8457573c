// The fields of search documents: what type each has, how it is found in an index, whether it can be sorted and counted.
// The names and types are those of contract search_fields.json; the lexeme prefixes are ours (the vector's alphabet).
import { toSortKey, toTitleSort } from '../text/sort-key.ts';

/** How a field's values are compared: as words, whole and exact, as truth values, numbers, moments, or by a sort key. */
export type FieldType = 'text' | 'string' | 'boolean' | 'int' | 'date' | 'sort';

/**
 * One field. `prefix` (text fields only) is what the index puts before its words: `t=` for titles, empty where the bare word
 * is meant; `isNotes`: the words of weight D. `column` names the typed column of the index that holds the single value.
 */
export type Field = {
  readonly name: string;
  readonly type: FieldType;
  readonly isMulti: boolean;
  readonly prefix?: string;
  readonly isNotes?: boolean;
  readonly column?: FieldColumn;
};

/** Single values that the index keeps typed and ordered, apart from the rest. */
export type FieldColumn =
  'id' | 'uri' | 'title_sort' | 'identifier_sort' | 'create_time' | 'user_mtime' | 'system_mtime';

// The number in `f<number>=` is part of what is stored: never renumber, only add (1 was display_string, which most kinds have as their title).
const textPrefixes: { readonly [name: string]: string } = {
  title: 't=',
  title_ws: 't=',
  four_part_id: 'i=',
  identifier_ws: 'i=',
  creators_text: 'c=',
  subjects_text: 's=',
  agents_text: 'a=',
  dates: 'd=',
  display_string: 't=',
  finding_aid_title: 'f2=',
  finding_aid_filing_title: 'f3=',
  parent_title: 'f4=',
  processors: 'f5=',
  processing_funding_source: 'f6=',
  extents: 'f7=',
  series_identifier_u_stext: 'f8=',
  collection_identifier_u_stext: 'f9=',
  top_container_u_typeahead_utext: 'f10=',
  fullrecord: '',
  fullrecord_published: '',
  keyword: '',
};

const singleTexts = words(
  'title title_ws four_part_id identifier_ws display_string finding_aid_title finding_aid_filing_title parent_title processors processing_funding_source',
);

// Nearly as many values as records: counting them says nothing, and made the counting of all others four times as slow.
const uncounted =
  /^(parent_id|pui_parent_id|component_id|ref_id|slug|ark_name|external_id|ancestors|year_sort|digital_object_id|files|job_data)$|_icusort$|barcode/;

const columns: { readonly [name: string]: FieldColumn } = {
  id: 'id',
  uri: 'uri',
  title_sort: 'title_sort',
  identifier: 'identifier_sort',
  identifier_sort: 'identifier_sort',
  create_time: 'create_time',
  user_mtime: 'user_mtime',
  system_mtime: 'system_mtime',
};

const named: readonly (readonly [FieldType, boolean, string])[] = [
  [
    'boolean',
    false,
    'suppressed publish system_generated restrictions_apply access_restrictions use_restrictions exclude_by_default has_classification_terms is_user assessment_review_required assessment_sensitive_material assessment_inactive assessment_completed is_slug_auto',
  ],
  ['date', false, 'assessment_survey_begin assessment_survey_end create_time system_mtime user_mtime'],
  ['int', false, 'accession_date_year assessment_id queue_position'],
  ['int', true, 'years assessment_survey_year'],
  ['sort', false, 'title_sort identifier identifier_sort year_sort repo_sort'],
  [
    'string',
    false,
    'id uri parent_id pui_parent_id primary_type repository component_id ref_id level acquisition_type accession_date resource_type restrictions ead_id finding_aid_status digital_object_id resource digital_object_type digital_object first_term_type temporary building floor room area root_uri node_uri classification classification_path event_type outcome parent_type processing_priority processing_status processing_hours_total authority_id source rules created_by last_modified_by slug status job_type report_type job_report_type owner time_submitted time_started time_finished',
  ],
  [
    'string',
    true,
    'types external_id subjects subject_uris creators agents published_agents agent_uris published_agent_uris related_agent_uris langcode ancestors classification_paths classification_uris location_uris linked_record_uris linked_record_titles digital_object_uris linked_instance_uris related_accession_uris related_resource_uris rights_statement_agent_uris linked_agent_roles used_within_repository used_within_published_repository assessment_record_uris assessment_records assessment_collection_uris assessment_collections assessment_surveyor_uris assessment_surveyors assessment_reviewer_uris assessment_reviewers assessment_record_types assessment_formats assessment_ratings assessment_conservation_issues ark_name files job_data',
  ],
];

const suffixes: readonly (readonly [RegExp, FieldType, boolean])[] = [
  [/_u_(icusort|s?sort)$|_relator_sort$/, 'sort', false],
  [/_int_sort$/, 'int', false],
  [/_u_s?sortdate$/, 'date', false],
  [/_enum_s$|_u_[us]str$/, 'string', true],
  [/_u_[us]int$/, 'int', true],
  [/_u_[us]date$/, 'date', true],
  [/_u_[us]bool$/, 'boolean', true],
];

// Names that queries may use for a field: those of structured queries that are no index field themselves.
const aliases: { readonly [name: string]: string } = { published: 'publish' };

const byName: ReadonlyMap<string, Field> = new Map([
  ...named.flatMap(([type, isMulti, names]) =>
    [...words(names)].map((name) => [name, makeField(name, type, isMulti)] as const),
  ),
  ...Object.entries(textPrefixes).map(
    ([name, prefix]) => [name, { name, type: 'text' as const, isMulti: !singleTexts.has(name), prefix }] as const,
  ),
  ...['notes', 'notes_published'].map(
    (name) => [name, { name, type: 'text' as const, isMulti: true, prefix: '', isNotes: true }] as const,
  ),
]);

const sortKeys: { readonly [name: string]: string } = {
  title: 'title_sort',
  title_ws: 'title_sort',
  display_string: 'title_sort',
  finding_aid_title: 'title_sort',
  finding_aid_filing_title: 'title_sort',
  parent_title: 'title_sort',
  four_part_id: 'identifier',
  identifier_ws: 'identifier',
};

/** The field of a name or alias, or undefined where documents have none such. */
export function findField(name: string): Field | undefined {
  const known = byName.get(Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name);
  if (known !== undefined) {
    return known;
  }
  const pattern = /^[a-z][a-z0-9_]*$/i.test(name) ? suffixes.find(([suffix]) => suffix.test(name)) : undefined;
  return pattern === undefined ? undefined : makeField(name, pattern[1], pattern[2]);
}

/** Fields that are copies of others (contract: search_fields.json, copy_fields): documents have both or neither, and one of them is stored. */
export const copiedFields: ReadonlyMap<string, string> = new Map([
  ['title_ws', 'title'],
  ['identifier_ws', 'identifier'],
  ['creators_text', 'creators'],
  ['subjects_text', 'subjects'],
  ['agents_text', 'agents'],
]);

/** Whether a field of words holds those of identifiers. */
export function holdsIdentifiers({ name }: Field): boolean {
  return name === 'four_part_id' || name === 'identifier_ws' || name.endsWith('_identifier_u_stext');
}

/** Whether a field holds the address of its document. */
export function isAddress(field: Field | undefined): field is Field & { readonly column: 'uri' | 'id' } {
  return field?.column === 'uri' || field?.column === 'id';
}

/** The fields, besides those of addresses, whose values name one record each; the word list does not hold them. */
export const unlistedFields = [
  'ref_id',
  'slug',
  'ark_name',
  'classification_path',
  'classification_paths',
  'files',
  'job_data',
] as const;

const unlisted: ReadonlySet<string> = new Set<string>([
  ...unlistedFields,
  'resource',
  'repository',
  'digital_object',
  'parent_id',
  'pui_parent_id',
  'ancestors',
  'used_within_repository',
  'used_within_published_repository',
  'created_for_collection_u_sstr',
]);

/** Whether values of a field are found whole and by their beginning alone: addresses, and what names one record. */
export function isFoundFromStart(field: Field): boolean {
  return isAddress(field) || unlisted.has(field.name) || /_uris?(_u_sstr)?$/.test(field.name);
}

/** A function of names of fields that works each out once: for the few hundred names of documents, which are asked for with each record. */
export function oncePerName<Result>(find: (name: string) => Result): (name: string) => Result {
  const found = new Map<string, { readonly result: Result }>();
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known.result;
    const result = find(name);
    found.set(name, { result });
    return result;
  };
}

/** The prefixes that words of text fields have in an index, each once; bare words have none. */
export function textFieldPrefixes(): readonly string[] {
  return [...new Set(Object.values(textPrefixes).filter((prefix) => prefix !== ''))];
}

/** Whether a prefix before a colon in query text is a field; for the query parser. */
export function isField(name: string): boolean {
  return findField(name) !== undefined;
}

/** Whether values of a field can be counted: all but running text, moments, and what names one record each. */
export function isFacet(field: Field): boolean {
  return field.type !== 'text' && field.type !== 'date' && field.column === undefined && !uncounted.test(field.name);
}

/**
 * The field that sorting by a name really uses, or undefined where it cannot be sorted by: unknown, multi-valued, running
 * text. Titles and identifiers sort by their sort key, where the incumbent takes an arbitrary word of them.
 */
export function findSortField(name: string): Field | undefined {
  const field = findField(Object.hasOwn(sortKeys, name) ? (sortKeys[name] ?? name) : name);
  const isSortableText = name === 'processors' || name === 'processing_funding_source';
  // A container's series have one level nearly always; the first counts.
  const isSortable = field?.isMulti === false || name === 'series_level_u_sstr';
  return field === undefined || !isSortable || (field.type === 'text' && !isSortableText) ? undefined : field;
}

/** A value as it is compared whole: sort fields by their key, moments to the second in UTC, all others as they are. */
export function toExactValue(field: Field, value: string): string {
  switch (field.type) {
    case 'sort':
      return field.name === 'title_sort' ? toTitleSort(value) : toSortKey(value);
    case 'date':
      return toSeconds(value);
    case 'boolean':
      return value.toLowerCase();
    default:
      return value;
  }
}

function toSeconds(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? value : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function makeField(name: string, type: FieldType, isMulti: boolean): Field {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return { name, type, isMulti, ...(column === undefined ? {} : { column }) };
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
