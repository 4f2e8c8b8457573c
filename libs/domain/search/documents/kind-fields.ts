// The fields that search documents of single kinds have, and where their title and identifier come from.
// Contract: behaviour-search.md section 9 ("Per kind"), search_fields.json ("from").
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../json.ts';
import {
  fourParts,
  joinTexts,
  list,
  nameOf,
  pathText,
  readYears,
  refOf,
  truth,
  type DocumentFields,
} from './shared-fields.ts';
import { readJob } from './job-fields.ts';

/** The fields of one kind. `title` and `identifier` are among them where the record has one. */
export function readKindFields(kind: string, record: JsonObject): DocumentFields {
  if (kind.startsWith('agent_')) {
    return { ...readManagement(record), ...readAgent(record) };
  }
  return {
    title: textOf(record, 'title') ?? textOf(record, 'display_string'),
    ...readManagement(record),
    ...(readers[kind]?.(record) ?? {}),
  };
}

const readers: { readonly [kind: string]: (record: JsonObject) => DocumentFields } = {
  resource: (record) => ({
    title: textOf(record, 'finding_aid_filing_title') || textOf(record, 'title'),
    identifier: fourParts(record).join('-') || undefined,
    ...copy(record, 'finding_aid_title finding_aid_filing_title resource_type ead_id finding_aid_status'),
    restrictions: String(truth(record, 'restrictions') ?? false),
  }),
  accession: (record) => ({
    title: textOf(record, 'display_string') ?? textOf(record, 'title'),
    identifier: fourParts(record).join('-') || undefined,
    accession_date: textOf(record, 'accession_date') === '9999-12-31' ? 'Unknown' : textOf(record, 'accession_date'),
    accession_date_year: yearNumber(textOf(record, 'accession_date')),
    ...copy(record, 'acquisition_type resource_type'),
    ...flags(record, 'restrictions_apply access_restrictions use_restrictions'),
  }),
  archival_object: (record) => ({
    title: textOf(record, 'display_string') ?? textOf(record, 'title'),
    identifier: textOf(record, 'component_id'),
    resource: textOf(objectOf(record, 'resource'), 'ref'),
    ...copy(record, 'component_id ref_id'),
  }),
  digital_object: (record) => ({
    identifier: textOf(record, 'digital_object_id'),
    ...copy(record, 'digital_object_id digital_object_type'),
    restrictions: String(truth(record, 'restrictions') ?? false),
    collection_uri_u_sstr: list(objectsOf(record, 'collection').flatMap(refOf)),
  }),
  digital_object_component: (record) => ({
    title: textOf(record, 'display_string') ?? textOf(record, 'title'),
    digital_object: textOf(objectOf(record, 'digital_object'), 'ref'),
    digital_object_id: textOf(record, 'component_id'),
    identifier: textOf(record, 'component_id'),
  }),
  subject: (record) => ({
    source: textOf(record, 'source'),
    first_term_type: textOf(objectsOf(record, 'terms')[0], 'term_type'),
  }),
  repository: (record) => ({
    title: textOf(record, 'repo_code'),
    repository: textOf(record, 'uri'),
    repo_sort: textOf(record, 'display_string') ?? textOf(record, 'name'),
    position_int_sort: numberOf(record, 'position'),
  }),
  collection_management: (record) => ({
    ...copy(record, 'parent_id parent_title parent_type'),
    ...copy(record, managementFields),
  }),
  location: (record) => ({
    ...copy(record, 'building floor room area temporary'),
    owner_repo_uri_u_sstr: list(refOf(objectOf(record, 'owner_repo'))),
    owner_repo_display_string_u_ssort: textOf(objectOf(objectOf(record, 'owner_repo'), '_resolved'), 'repo_code'),
    location_profile_uri_u_sstr: list(refOf(objectOf(record, 'location_profile'))),
    location_profile_display_string_u_ssort: textOf(
      objectOf(objectOf(record, 'location_profile'), '_resolved'),
      'display_string',
    ),
  }),
  event: (record) => ({
    title: textOf(record, 'event_type'),
    ...copy(record, 'event_type outcome'),
    linked_record_uris: list(objectsOf(record, 'linked_records').flatMap(refOf)),
    linked_record_titles: list(objectsOf(record, 'linked_records').flatMap(nameOf)),
  }),
  classification: readClassification,
  classification_term: (record) => ({
    ...readClassification(record),
    classification: textOf(objectOf(record, 'classification'), 'ref'),
  }),
  top_container: readTopContainer,
  container_profile: (record) => readProfile('container_profile', record),
  location_profile: (record) => readProfile('location_profile', record),
  job: readJob,
  assessment: readAssessment,
};

function readAgent(record: JsonObject): DocumentFields {
  const name = objectOf(record, 'display_name');
  const authorized = objectsOf(record, 'names').find((one) => one['authorized'] === true);
  const identifier = objectsOf(record, 'agent_record_identifiers').find((one) => one['primary_identifier'] === true);
  const parts = ['agent_functions', 'agent_occupations', 'agent_places', 'agent_topics', 'agent_resources'].flatMap(
    (property) => objectsOf(record, property),
  );
  const subjects = parts.flatMap((part) => [...objectsOf(part, 'subjects'), ...objectsOf(part, 'places')]);
  return {
    title: textOf(name, 'sort_name') ?? textOf(record, 'title'),
    authority_id: textOf(identifier, 'record_identifier') ?? textOf(authorized, 'authority_id'),
    source: textOf(identifier, 'source') ?? textOf(authorized, 'source'),
    rules: textOf(objectsOf(record, 'agent_conventions_declarations')[0], 'name_rule') ?? textOf(authorized, 'rules'),
    linked_agent_roles: list(textsOf(record, 'linked_agent_roles')),
    related_agent_uris: list(objectsOf(record, 'related_agents').flatMap(refOf)),
    is_user: textOf(record, 'is_user') !== undefined || record['is_user'] === true,
    subjects: list(subjects.flatMap(nameOf)),
    subject_uris: list(subjects.flatMap(refOf)),
  };
}

function readClassification(record: JsonObject): DocumentFields {
  const creator = objectOf(record, 'creator');
  const published = objectOf(creator, '_resolved')?.['publish'] === true ? creator : undefined;
  return {
    classification_path: pathText(record)[0],
    identifier: textOf(record, 'identifier'),
    identifier_sort: textOf(record, 'identifier'),
    has_classification_terms: truth(record, 'has_classification_terms'),
    agents: list(nameOf(creator)),
    agent_uris: list(refOf(creator)),
    published_agents: list(nameOf(published)),
    published_agent_uris: list(refOf(published)),
  };
}

function readTopContainer(record: JsonObject): DocumentFields {
  const series = objectsOf(record, 'series');
  const collection = objectsOf(record, 'collection');
  const published = series.filter((one) => one['publish'] === true);
  const profile = objectOf(record, 'container_profile');
  const current = objectsOf(record, 'container_locations').filter((one) => textOf(one, 'status') === 'current');
  const texts = (links: readonly JsonObject[], property: string) =>
    list(links.flatMap((link) => textOf(link, property) ?? []));
  return {
    title: textOf(record, 'long_display_string') ?? textOf(record, 'display_string'),
    display_string: textOf(record, 'display_string'),
    type_u_ssort: textOf(record, 'type'),
    notes: list([textOf(record, 'internal_note') ?? '']),
    series_uri_u_sstr: list(series.flatMap(refOf)),
    series_title_u_sstr: texts(series, 'display_string'),
    series_level_u_sstr: texts(series, 'level_display_string'),
    series_identifier_stored_u_sstr: texts(series, 'identifier'),
    series_identifier_u_stext: list(series.flatMap((one) => toWrittenForms(textOf(one, 'identifier') ?? ''))),
    published_series_uri_u_sstr: list(published.flatMap(refOf)),
    published_series_title_u_sstr: texts(published, 'display_string'),
    collection_uri_u_sstr: list(collection.flatMap(refOf)),
    collection_display_string_u_sstr: texts(collection, 'display_string'),
    collection_identifier_stored_u_sstr: texts(collection, 'identifier'),
    collection_identifier_u_stext: list(collection.flatMap((one) => toWrittenForms(textOf(one, 'identifier') ?? ''))),
    container_profile_uri_u_sstr: list(refOf(profile)),
    container_profile_display_string_u_sstr: list([textOf(objectOf(profile, '_resolved'), 'display_string') ?? '']),
    has_location_u_sbool: [objectsOf(record, 'container_locations').length > 0],
    location_uri_u_sstr: list(current.flatMap(refOf)),
    location_uris: list(current.flatMap(refOf)),
    location_display_string_u_sstr: list(current.flatMap(nameOf)),
    exported_u_sbool: [textOf(record, 'exported_to_ils') !== undefined],
    empty_u_sbool: [collection.length === 0],
    indicator_u_icusort: textOf(record, 'indicator'),
    top_container_u_typeahead_utext: textOf(record, 'display_string')
      ?.toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
    top_container_u_icusort: textOf(record, 'display_string'),
    barcode_u_sstr: list([textOf(record, 'barcode') ?? '']),
    barcode_u_icusort: textOf(record, 'barcode'),
    subcontainer_barcodes_u_sstr: list([textOf(record, 'subcontainer_barcodes') ?? '']),
    created_for_collection_u_sstr: list([textOf(record, 'created_for_collection') ?? '']),
  };
}

function readProfile(kind: 'container_profile' | 'location_profile', record: JsonObject): DocumentFields {
  const sizes = ['width', 'height', 'depth', 'dimension_units'].map((property) => [
    `${kind}_${property}_u_sstr`,
    list([textOf(record, property) ?? '']),
  ]);
  return {
    title: textOf(record, 'display_string') ?? textOf(record, 'name'),
    display_string: textOf(record, 'display_string'),
    typeahead_sort_key_u_sort: textOf(record, 'display_string'),
    ...Object.fromEntries(sizes),
  };
}

function readAssessment(record: JsonObject): DocumentFields {
  const id = /\d+$/.exec(textOf(record, 'uri') ?? '')?.[0];
  const labels = (property: string, isSet: (one: JsonObject) => boolean) =>
    list(
      objectsOf(record, property)
        .filter(isSet)
        .flatMap((one) => textOf(one, 'label') ?? []),
    );
  const hasValue = (one: JsonObject) => (textOf(one, 'value') ?? '') !== '';
  return {
    title: textOf(record, 'display_string'),
    title_sort: id?.padStart(10, '0'),
    assessment_id: id === undefined ? undefined : Number(id),
    assessment_records: list(objectsOf(record, 'records').flatMap(shownNameOf)),
    assessment_record_uris: list(objectsOf(record, 'records').flatMap(refOf)),
    assessment_record_types: list(
      objectsOf(record, 'records').flatMap((link) => textOf(objectOf(link, '_resolved'), 'jsonmodel_type') ?? []),
    ),
    assessment_collections: list(objectsOf(record, 'collections').flatMap(shownNameOf)),
    assessment_collection_uris: list(objectsOf(record, 'collections').flatMap(refOf)),
    assessment_surveyors: list(objectsOf(record, 'surveyed_by').flatMap(nameOf)),
    assessment_surveyor_uris: list(objectsOf(record, 'surveyed_by').flatMap(refOf)),
    assessment_reviewers: list(objectsOf(record, 'reviewer').flatMap(nameOf)),
    assessment_reviewer_uris: list(objectsOf(record, 'reviewer').flatMap(refOf)),
    assessment_survey_begin: dayStart(textOf(record, 'survey_begin')),
    assessment_survey_end: dayStart(textOf(record, 'survey_end')),
    assessment_survey_year: list(
      readYears([{ begin: textOf(record, 'survey_begin'), end: textOf(record, 'survey_end') }]),
    ),
    assessment_completed: textOf(record, 'survey_end') !== undefined,
    // Later releases carry the flags as false rather than missing (precedence.md).
    assessment_review_required: truth(record, 'review_required') ?? false,
    assessment_sensitive_material: truth(record, 'sensitive_material') ?? false,
    assessment_inactive: truth(record, 'inactive') ?? false,
    assessment_formats: labels('formats', hasValue),
    assessment_ratings: labels('ratings', (one) => hasValue(one) || (textOf(one, 'note') ?? '') !== ''),
    assessment_conservation_issues: labels('conservation_issues', hasValue),
  };
}

/** The display string of the record a link points to, else its name. */
function shownNameOf(link: JsonObject): readonly string[] {
  const text = textOf(objectOf(link, '_resolved'), 'display_string') ?? '';
  return text === '' ? nameOf(link) : [text];
}

const managementFields =
  'processing_priority processing_status processing_hours_total processing_funding_source processors';

function readManagement(record: JsonObject): DocumentFields {
  const management = objectOf(record, 'collection_management');
  return management === undefined ? {} : copy(management, managementFields);
}

/** The ways in which people write an identifier: as it is, without punctuation, in one, letters and digits apart. */
function toWrittenForms(identifier: string): readonly string[] {
  const words = identifier
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return [identifier, words, words.replaceAll(' ', ''), words.replace(/(\p{N})(?=\p{L})|(\p{L})(?=\p{N})/gu, '$& ')];
}

function copy(record: JsonObject, names: string): DocumentFields {
  return Object.fromEntries(
    names.split(' ').map((name): [string, Json | undefined] => [name, joinTexts(record, [name]) || undefined]),
  );
}

function flags(record: JsonObject, names: string): DocumentFields {
  return Object.fromEntries(names.split(' ').map((name) => [name, truth(record, name)]));
}

function yearNumber(date: string | undefined): number | undefined {
  const digits = /^\d{4}/.exec(date ?? '');
  return digits === null ? undefined : Number(digits[0]);
}

function numberOf(record: JsonObject, property: string): number | undefined {
  const value = record[property];
  return typeof value === 'number' ? value : undefined;
}

function dayStart(date: string | undefined): string | undefined {
  return date === undefined ? undefined : `${date}T00:00:00Z`;
}
