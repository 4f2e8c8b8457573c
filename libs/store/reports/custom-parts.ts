// Parts of custom reports (`subreports`) by their code: lists of objects over a record `r` (contract trees-and-jobs 7.4). For rights
// statements and deaccessions `r` is the record that has them, with the part's own body.
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { classificationTerm } from '#domain/kinds/classification_term.ts';
import type { ReportField } from './parts.ts';
import {
  classificationList,
  conservationList,
  deaccessionList,
  elements,
  extentList,
  fileVersionList,
  formatList,
  groupList,
  idIn,
  identifier,
  instanceList,
  linked,
  mayShow,
  nameList,
  ratingList,
  reviewerList,
  subjectList,
  surveyorList,
} from './parts.ts';
import { heldAccessions, heldResources } from './holdings.ts';

const isShown = `o.repo_id = $1 AND ${mayShow('o')}`;

/** Records of a kind in the repository that link to the record or that it links to, whatever the link. `more`: SQL for further ids. */
const related = (kind: string, parts: { readonly [key: string]: string }, more = ''): ReportField => ({
  from: `(SELECT l.target_id AS id FROM link l WHERE l.source_kind = r.kind AND l.source_id = r.id AND l.target_kind = '${kind}'
    UNION SELECT l.source_id FROM link l WHERE l.target_kind = r.kind AND l.target_id = r.id AND l.source_kind = '${kind}'${more}) u JOIN record o ON o.kind = '${kind}' AND o.id = u.id AND ${isShown}`,
  order: 'o.id',
  parts,
});

const idOfFour = identifier.replaceAll('r.body', 'o.body');
/** What is told of a record that another names. */
const told: { readonly [kind: string]: { readonly [key: string]: string } } = {
  accession: { identifier: idOfFour, record_title: 'o.label' },
  resource: { identifier: idOfFour, record_title: 'o.label' },
  archival_object: { ref_id: "o.body->>'ref_id'", record_title: 'o.label' },
  digital_object: { identifier: "o.body->>'digital_object_id'", record_title: 'o.label' },
  digital_object_component: { component_id: "o.body->>'component_id'", record_title: 'o.label' },
};

// The place of a node is no link: the resource of a component, and the components of a resource, stand in the tree.
const inTrees: { readonly [kind: string]: string } = {
  resource: ` UNION SELECT t.root_id FROM tree_node t WHERE r.kind = 'archival_object' AND t.repo_id = $1 AND t.kind = ${treeCodeOf(archivalObject)} AND t.id = r.id`,
  archival_object: ` UNION SELECT t.id FROM tree_node t WHERE r.kind = 'resource' AND t.repo_id = $1 AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = r.id`,
};

const linkedRecords: { readonly [code: string]: ReportField } = Object.fromEntries(
  Object.entries(told).map(([kind, parts]) => [`linked_${kind}_subreport`, related(kind, parts, inTrees[kind])]),
);

/** The record that has a part, where it is of the kind. */
const owner = (kind: string): ReportField => ({
  from: `record o WHERE o.kind = '${kind}' AND r.kind = '${kind}' AND o.id = r.id AND ${isShown}`,
  order: 'o.id',
  parts: told[kind] ?? { record_title: 'o.label' },
});

/** An object of the body as a list of one, with some of its texts. */
const single = (property: string, ...keys: readonly string[]): ReportField => ({
  from: `(SELECT r.body->'${property}' AS body WHERE r.body->'${property}' IS NOT NULL) p`,
  order: '1',
  parts: Object.fromEntries(keys.map((key) => [key, `p.body->>'${key}'`])),
});

const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}_${index + 1}`);

const dateKeys = ['date_type', 'label', 'expression', 'begin', 'end', 'certainty'];
// Events and deaccessions have one date, other records a list.
const anyDates: ReportField = {
  from: "json_array_elements(CASE WHEN r.body->'date' IS NULL THEN r.body->'dates' ELSE json_build_array(r.body->'date') END) WITH ORDINALITY AS p (body, n)",
  order: 'p.n',
  parts: Object.fromEntries(dateKeys.map((key) => [key, `p.body->>'${key}'`])),
};

/** Agents that a rights statement names: its refs are read, for the links of a record do not tell which of its parts they are of. */
const agentsOfPart: ReportField = {
  from: `json_array_elements(r.body->'linked_agents') WITH ORDINALITY AS p (body, n) JOIN record o ON o.id = ${idIn("p.body->>'ref'")}
    AND o.kind = CASE split_part(p.body->>'ref', '/', 3) WHEN 'people' THEN 'agent_person' WHEN 'families' THEN 'agent_family' WHEN 'corporate_entities' THEN 'agent_corporate_entity' WHEN 'software' THEN 'agent_software' END`,
  order: 'p.n',
  parts: { name: 'o.label', function: "p.body->>'role'" },
};

/** Parts that are the same for every type of record. */
const parts: { readonly [code: string]: ReportField } = {
  ...linkedRecords,
  accession_instances_subreport: instanceList,
  archival_object_instances_subreport: instanceList,
  resource_instances_subreport: instanceList,
  accession_linked_accessions_subreport: related('accession', told['accession'] ?? {}),
  agent_subreport: nameList,
  agent_contact_subreport: elements(
    'agent_contacts',
    'name',
    'address_1',
    'address_2',
    'address_3',
    'city',
    'region',
    'country',
    'post_code',
    'email',
  ),
  agent_related_agent_subreport: {
    from: `(SELECT l.target_kind AS kind, l.target_id AS id FROM link l WHERE l.source_kind = r.kind AND l.source_id = r.id AND l.property = 'related_agents'
      UNION SELECT l.source_kind, l.source_id FROM link l WHERE l.target_kind = r.kind AND l.target_id = r.id AND l.property = 'related_agents') u JOIN record o ON o.kind = u.kind AND o.id = u.id`,
    order: 'o.kind, o.id',
    parts: { name: 'o.label', name_type: 'o.kind' },
  },
  agent_rights_statement_subreport: elements('metadata_rights_declarations', 'license', 'descriptive_note', 'file_uri'),
  names_subreport: elements('names', 'sort_name', 'source', 'rules', 'authority_id', 'dates', 'qualifier'),
  assessment_subreport: related('assessment', {
    survey_begin: "o.body->>'survey_begin'",
    survey_end: "o.body->>'survey_end'",
    purpose: "o.body->>'purpose'",
    surveyed_extent: "o.body->>'surveyed_extent'",
  }),
  assessment_conservation_issues_subreport: conservationList,
  assessment_material_types_formats_subreport: formatList,
  assessment_rating_subreport: ratingList,
  assessment_reviewer_subreport: reviewerList,
  assessment_surveyed_by_subreport: surveyorList,
  classification_subreport: classificationList,
  classification_creator_subreport: linked('creator', { name: 'o.label' }),
  classification_term_subreport: {
    from: `tree_node t JOIN record o ON o.kind = 'classification_term' AND o.id = t.id AND ${isShown} WHERE r.kind = 'classification' AND t.repo_id = $1 AND t.kind = ${treeCodeOf(classificationTerm)} AND t.root_id = r.id`,
    order: 'o.id',
    parts: { identifier: "o.body->>'identifier'", title: "o.body->>'title'", description: "o.body->>'description'" },
  },
  collection_management_subreport: single(
    'collection_management',
    'processing_priority',
    'processing_status',
    'processing_plan',
    'processors',
    'processing_hours_per_foot_estimate',
    'processing_hours_total',
    'processing_total_extent',
    'processing_total_extent_type',
    'processing_funding_source',
  ),
  date_subreport: anyDates,
  deaccession_subreport: deaccessionList,
  extent_subreport: extentList,
  event_subreport: related('event', {
    event_type: "o.body->>'event_type'",
    outcome: "o.body->>'outcome'",
    outcome_note: "o.body->>'outcome_note'",
    date: "coalesce(o.body#>>'{date,expression}', o.body#>>'{date,begin}', o.body->>'timestamp')",
  }),
  external_document_subreport: elements('external_documents', 'title', 'location'),
  digital_object_component_file_versions_subreport: fileVersionList,
  digital_object_file_versions_list_subreport: fileVersionList,
  language_subreport: {
    from: "json_array_elements(r.body->'lang_materials') WITH ORDINALITY AS p (body, n) WHERE p.body->'language_and_script' IS NOT NULL",
    order: 'p.n',
    parts: { language: "p.body#>>'{language_and_script,language}'", script: "p.body#>>'{language_and_script,script}'" },
  },
  location_accessions_subreport: heldAccessions,
  location_resources_subreport: heldResources,
  location_functions_subreport: elements('functions', 'location_function_type'),
  location_owner_repo_subreport: linked('owner_repo', {
    repository: "o.body->>'name'",
    repo_code: "o.body->>'repo_code'",
  }),
  location_profiles_subreport: linked('location_profile', { location_profile: 'o.label' }),
  rights_statement_subreport: elements(
    'rights_statements',
    'identifier',
    'rights_type',
    'status',
    'jurisdiction',
    'statute_citation',
    'license_terms',
    'other_rights_basis',
    'start_date',
    'end_date',
    'determination_date',
  ),
  rights_statement_act_subreport: elements('acts', 'act_type', 'restriction', 'start_date', 'end_date'),
  subject_subreport: subjectList,
  subject_term_subreport: elements('terms', 'term', 'term_type'),
  user_defined_subreport: single(
    'user_defined',
    ...['boolean', 'integer', 'real'].flatMap((name) => numbered(name, 3)),
    ...numbered('string', 4),
    ...numbered('text', 5),
    ...numbered('date', 3),
    ...numbered('enum', 4),
  ),
  user_groups_subreport: groupList,
};

const partsOfParts: { readonly [code: string]: ReportField } = {
  ...Object.fromEntries(Object.keys(told).map((kind) => [`linked_${kind}_subreport`, owner(kind)])),
  agent_subreport: agentsOfPart,
};

/** The part of a code; `isPart`: of a record type that is part of others. Undefined for codes that are none. */
export function customPart(code: string, isPart: boolean): ReportField | undefined {
  if (isPart && Object.hasOwn(partsOfParts, code)) return partsOfParts[code];
  return Object.hasOwn(parts, code) ? parts[code] : undefined;
}
