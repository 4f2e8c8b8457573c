// The fields of search documents: what type each has, how it is found in an index, whether it can be sorted and counted. Here stand those that
// documents of several kinds share; what one kind alone has is declared there (declaration.ts). Names and types are those of contract
// search_fields.json; the lexeme prefixes are ours (the vector's alphabet).
import { toSortKey, toTitleSort } from '../text/sort-key.ts';
import type { FieldSettings, FieldType } from './declaration.ts';
import { readFieldSettings } from './declared.ts';

/**
 * One field. `prefix` (text fields only) is what the index puts before its words: `t=` for titles, empty where the bare word
 * is meant, absent where no document has words of it; `isNotes`: the words of weight D. `column` names the typed column of the index that holds the single value.
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
  | 'id'
  | 'uri'
  | 'title_sort'
  | 'identifier_sort'
  | 'create_time'
  | 'user_mtime'
  | 'system_mtime';

// Those of declared fields are `f<number>=`: what is stored has them, so that none changes (1 was display_string, which most kinds have as
// their title).
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
  extents: 'f7=',
  fullrecord: '',
  fullrecord_published: '',
  keyword: '',
};

const singleTexts = words('title title_ws four_part_id identifier_ws display_string');

// Nearly as many values as records: counting them says nothing, and made the counting of all others four times as slow.
const uncounted = /^(pui_parent_id|slug|ark_name|external_id|ancestors|year_sort)$|_icusort$/;

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

const shared: readonly (readonly [FieldType, boolean, string])[] = [
  ['boolean', false, 'suppressed publish system_generated exclude_by_default is_slug_auto'],
  ['date', false, 'create_time system_mtime user_mtime'],
  ['int', true, 'years'],
  ['sort', false, 'title_sort identifier identifier_sort year_sort'],
  [
    'string',
    false,
    'id uri pui_parent_id primary_type repository level root_uri node_uri created_by last_modified_by slug',
  ],
  [
    'string',
    true,
    'types external_id subjects subject_uris creators agents published_agents agent_uris published_agent_uris langcode ancestors classification_paths classification_uris digital_object_uris linked_instance_uris related_accession_uris related_resource_uris rights_statement_agent_uris used_within_repository used_within_published_repository ark_name',
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
  [/_u_typeahead_utext$/, 'text', false],
  [/_u_[us]text$/, 'text', true],
];

// Names that queries may use for a field: those of structured queries that are no index field themselves.
const aliases: { readonly [name: string]: string } = { published: 'publish' };

const declared = readFieldSettings();

const byName: ReadonlyMap<string, Field> = new Map([
  ...[...declared].flatMap(([name, { type, isMulti = false, words: found }]) => {
    const prefix = found === undefined ? {} : { prefix: `f${found.number}=` };
    return type === undefined ? [] : [[name, { ...makeField(name, type, isMulti), ...prefix }] as const];
  }),
  ...shared.flatMap(([type, isMulti, names]) =>
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

/** Whether documents may have words of a text field: of those that only the end of their name makes fields, none has. */
export function hasWords({ prefix }: Field): boolean {
  return prefix !== undefined;
}

/** Whether a field of words holds those of identifiers. */
export function holdsIdentifiers({ name }: Field): boolean {
  return name === 'four_part_id' || name === 'identifier_ws' || name.endsWith('_identifier_u_stext');
}

/** Whether a field holds the address of its document. */
export function isAddress(field: Field | undefined): field is Field & { readonly column: 'uri' | 'id' } {
  return field?.column === 'uri' || field?.column === 'id';
}

const namesOf = (holds: (settings: FieldSettings) => boolean): readonly string[] =>
  [...declared].flatMap(([name, settings]) => (holds(settings) ? [name] : []));

/** The fields, besides those of addresses, whose values name one record each; the word list does not hold them. */
export const unlistedFields: readonly string[] = [
  'slug',
  'ark_name',
  'classification_paths',
  ...namesOf(({ isListed }) => isListed === false),
];

const unlisted: ReadonlySet<string> = new Set<string>([
  ...unlistedFields,
  'repository',
  'pui_parent_id',
  'ancestors',
  'used_within_repository',
  'used_within_published_repository',
  ...namesOf(({ isFoundFromStart: isFrom }) => isFrom === true),
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
  const declaredPrefixes = [...byName.values()].flatMap(({ prefix = '' }) => (prefix === '' ? [] : [prefix]));
  const numberOf = (prefix: string): number => Number(/^f(\d+)=$/.exec(prefix)?.[1] ?? 0);
  const all = new Set([...Object.values(textPrefixes).filter((prefix) => prefix !== ''), ...declaredPrefixes]);
  // Always in one order: an index of Typesense knows by it that it has the fields of this release.
  return [...all].sort((a, b) => numberOf(a) - numberOf(b));
}

/** The declared text fields whose words have a weight, in order of their numbers. */
export function fieldsOfWeight(weight: 'B' | 'C'): readonly string[] {
  return ofWeight[weight];
}

const weighing = (weight: 'B' | 'C'): readonly string[] =>
  [...declared]
    .flatMap(([name, { words: found }]) => (found?.weight === weight ? [{ name, number: found.number }] : []))
    .sort((a, b) => a.number - b.number)
    .map(({ name }) => name);
const ofWeight = { B: weighing('B'), C: weighing('C') };

/** Whether a prefix before a colon in query text is a field; for the query parser. */
export function isField(name: string): boolean {
  return findField(name) !== undefined;
}

/** Whether values of a field can be counted: all but running text, moments, and what names one record each. */
export function isFacet(field: Field): boolean {
  return field.type !== 'text' && field.type !== 'date' && field.column === undefined && !isUncounted(field.name);
}

const isUncounted = (name: string): boolean => uncounted.test(name) || declared.get(name)?.isCounted === false;

/**
 * The field that sorting by a name really uses, or undefined where it cannot be sorted by: unknown, multi-valued, running
 * text. Titles and identifiers sort by their sort key, where the incumbent takes an arbitrary word of them.
 */
export function findSortField(name: string): Field | undefined {
  const sortsBy = Object.hasOwn(sortKeys, name) ? sortKeys[name] : declared.get(name)?.sortsBy;
  const field = findField(sortsBy ?? name);
  return field === undefined || (sortsBy !== name && (field.isMulti || field.type === 'text')) ? undefined : field;
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
