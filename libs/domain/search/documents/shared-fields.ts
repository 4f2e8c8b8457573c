// The fields that search documents of all kinds share, read from a record as its GET answers it with refs resolved.
// Contract: behaviour-search.md section 9, search_fields.json. What only one kind has is in its declaration (`search.fields`).
import type { JsonObject } from '../../json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../json.ts';
import type { DocumentFields } from '../declaration.ts';
import { readControlledValues } from './controlled-values.ts';
import { fourParts, joinTexts, list, nameOf, pathText, readYears, refOf, truth } from './reading.ts';
import { readNotes, readSummary } from './texts.ts';

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
