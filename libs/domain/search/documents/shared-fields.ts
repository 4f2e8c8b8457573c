// The fields that search documents of all kinds share, read from a record as its GET answers it with refs resolved.
// Contract: behaviour-search.md section 9, search_fields.json. What only one kind has is in kind-fields.ts.
import type { Json, JsonObject } from '../../json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../json.ts';
import { readControlledValues } from './controlled-values.ts';
import { readNotes, readSummary } from './texts.ts';

/** Field name to its value or values, as the document answers them; absent where there is nothing. */
export type DocumentFields = { readonly [field: string]: Json | undefined };

/** The fields that a record of any kind has if it has the data. */
export function readSharedFields(record: JsonObject): DocumentFields {
  const agents = objectsOf(record, 'linked_agents');
  const published = agents.filter((link) => objectOf(link, '_resolved')?.['publish'] === true);
  const creators = agents.filter((link) => textOf(link, 'role') === 'creator');
  const subjects = objectsOf(record, 'subjects');
  const notes = readNotes(record);
  const years = readYears(objectsOf(record, 'dates'));
  const instances = objectsOf(record, 'instances');
  const containers = instances.map((instance) => objectOf(instance, 'sub_container')).filter(isObject);
  return {
    subjects: list(subjects.flatMap(nameOf)),
    subject_uris: list(subjects.flatMap(refOf)),
    agents: list(agents.flatMap(nameOf)),
    agent_uris: list(agents.flatMap(refOf)),
    published_agents: list(published.flatMap(nameOf)),
    published_agent_uris: list(published.flatMap(refOf)),
    creators: list(creators.flatMap(nameOf)),
    notes: list(notes),
    summary: readSummary(record),
    display_string: textOf(record, 'display_string') || undefined,
    dates: list(readDates(objectsOf(record, 'dates'))),
    years: list(years),
    year_sort:
      years.length === 0 ? undefined : [years[0], years.at(-1)].map((year) => String(year).padStart(4, '0')).join(''),
    extents: list(readExtents(objectsOf(record, 'extents'))),
    level:
      textOf(record, 'level') === 'otherlevel'
        ? (textOf(record, 'other_level') ?? 'otherlevel')
        : textOf(record, 'level'),
    langcode:
      list(
        objectsOf(record, 'lang_materials').flatMap(
          (lang) => textOf(objectOf(lang, 'language_and_script'), 'language') ?? [],
        ),
      ) ?? [],
    external_id: list(objectsOf(record, 'external_ids').flatMap((id) => textOf(id, 'external_id') ?? [])),
    ancestors: objectsOf(record, 'ancestors').flatMap(refOf),
    four_part_id: fourParts(record).join(' ') || undefined,
    ark_name: list(readArks(objectOf(record, 'ark_name'))),
    slug: textOf(record, 'slug'),
    is_slug_auto: truth(record, 'is_slug_auto'),
    system_generated: truth(record, 'system_generated'),
    used_within_repository: list(textsOf(record, 'used_within_repositories')),
    used_within_published_repository: list(textsOf(record, 'used_within_published_repositories')),
    rights_statement_agent_uris: list(
      objectsOf(record, 'rights_statements').flatMap((right) => objectsOf(right, 'linked_agents').flatMap(refOf)),
    ),
    classification_uris: list(objectsOf(record, 'classifications').flatMap(refOf)),
    classification_paths: list(
      objectsOf(record, 'classifications').flatMap((link) => pathText(objectOf(link, '_resolved'))),
    ),
    top_container_uri_u_sstr: list(containers.flatMap((container) => refOf(objectOf(container, 'top_container')))),
    child_container_u_sstr: list(
      containers.map((container) => joinTexts(container, ['type_2', 'indicator_2', 'barcode_2'])),
    ),
    grand_child_container_u_sstr: list(containers.map((container) => joinTexts(container, ['type_3', 'indicator_3']))),
    digital_object_uris: list(instances.flatMap((instance) => refOf(objectOf(instance, 'digital_object')))),
    related_accession_uris: list(objectsOf(record, 'related_accessions').flatMap(refOf)),
    related_resource_uris: list(objectsOf(record, 'related_resources').flatMap(refOf)),
    linked_instance_uris: list(objectsOf(record, 'linked_instances').flatMap(refOf)),
    ...Object.fromEntries(readControlledValues(record)),
  };
}

/** The display names of the record a link points to, where it is resolved: an agent's sort name, else its title. */
export function nameOf(link: JsonObject | undefined): readonly string[] {
  const target = objectOf(link, '_resolved');
  const name =
    textOf(objectOf(target, 'display_name'), 'sort_name') ??
    textOf(target, 'title') ??
    textOf(target, 'display_string');
  return name === undefined || name === '' ? [] : [name];
}

/** The URI of a link. */
export function refOf(link: JsonObject | undefined): readonly string[] {
  const ref = textOf(link, 'ref');
  return ref === undefined ? [] : [ref];
}

/** A list without empty texts and repetitions, or undefined where nothing is left. */
export function list(values: readonly Json[]): readonly Json[] | undefined {
  const kept = [...new Set(values)].filter((value) => value !== '');
  return kept.length === 0 ? undefined : kept;
}

/** A property's truth value, or undefined where it is none. */
export function truth(record: JsonObject | undefined, property: string): boolean | undefined {
  const value = record?.[property];
  return typeof value === 'boolean' ? value : undefined;
}

/** The parts of a four-part identifier that are there. */
export function fourParts(record: JsonObject): readonly string[] {
  return ['id_0', 'id_1', 'id_2', 'id_3']
    .flatMap((property) => textOf(record, property) ?? [])
    .filter((part) => part !== '');
}

/** Texts of several properties joined by blanks. */
export function joinTexts(record: JsonObject | undefined, properties: readonly string[]): string {
  return properties
    .flatMap((property) => textOf(record, property) ?? [])
    .join(' ')
    .trim();
}

/** The JSON text of a classification's path, as clients expect it in `classification_path`. */
export function pathText(classification: JsonObject | undefined): readonly string[] {
  const path = classification?.['path_from_root'];
  return path === undefined ? [] : [JSON.stringify(path)];
}

/** Every year from the begin to the end of each date, ascending. Dates without a year in front, and spans over 3,000 years, give none. */
export function readYears(dates: readonly JsonObject[]): readonly number[] {
  const years = new Set<number>();
  for (const date of dates) {
    const begin = yearOf(textOf(date, 'begin')) ?? yearOf(textOf(date, 'end'));
    const end = yearOf(textOf(date, 'end')) ?? begin;
    for (let year = begin ?? 1; year <= (end ?? 0) && (end ?? 0) - (begin ?? 0) <= 3000; year += 1) {
      years.add(year);
    }
  }
  return [...years].sort((a, b) => a - b);
}

function yearOf(text: string | undefined): number | undefined {
  const digits = /^\d{1,4}/.exec(text ?? '');
  return digits === null ? undefined : Number(digits[0]);
}

// Only inclusive dates where there are any: bulk dates say less.
function readDates(dates: readonly JsonObject[]): readonly string[] {
  const inclusive = dates.filter((date) => textOf(date, 'date_type') === 'inclusive');
  return (inclusive.length > 0 ? inclusive : dates).map((date) => {
    const begin = textOf(date, 'begin');
    const end = textOf(date, 'end');
    return (
      textOf(date, 'expression') ??
      (end !== undefined && textOf(date, 'date_type') !== 'single' ? `${begin ?? ''} - ${end}` : (begin ?? ''))
    );
  });
}

function readExtents(extents: readonly JsonObject[]): readonly string[] {
  const whole = extents.filter((extent) => textOf(extent, 'portion') === 'whole');
  return (whole.length > 0 ? whole : extents).map(
    (extent) => `${textOf(extent, 'number') ?? ''} --- ${textOf(extent, 'extent_type') ?? ''}`,
  );
}

function readArks(ark: JsonObject | undefined): readonly string[] {
  return [textOf(ark, 'current'), ...textsOf(ark, 'previous')].flatMap((name) => {
    const start = name?.indexOf('ark:') ?? -1;
    return name === undefined || start < 0 ? [] : [name.slice(start)];
  });
}

/** The repository of a record: its ref, or `global`. */
export function repositoryOf(record: JsonObject): string {
  const ref = record['repository'];
  return (
    (isObject(ref) ? textOf(ref, 'ref') : undefined) ??
    /^\/repositories\/\d+(?=\/)/.exec(textOf(record, 'uri') ?? '')?.[0] ??
    'global'
  );
}
