// Pieces of report statements: constants of SQL over a record `r`, and what belongs to it. $1 is the repository, $2 whether suppressed
// records are shown, $3 and $4 the range of dates (null: open).
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { countedRating } from '#domain/rules/assessment-attributes.ts';

/** A field of a report: an expression over `r`, or a list of objects (a FROM clause over `r`, and expressions). */
export type ReportField =
  | string
  | { readonly from: string; readonly order: string; readonly parts: { readonly [key: string]: string } };

/** Fields by the key under which they are shown, in order. */
export type ReportFields = { readonly [key: string]: ReportField };

/** Whether a record (an alias) may be told to the reader of the report. */
export const mayShow = (alias: string): string => `($2 OR NOT ${alias}.suppressed)`;
/** Records of a kind in the repository, with what else must be true of them. */
export const inRepository = (kind: string, more = ''): string =>
  `record r WHERE r.kind = '${kind}' AND r.repo_id = $1 AND ${mayShow('r')}${more === '' ? '' : ` AND ${more}`}`;
/** Whether a day lies in the range. Bounds are exclusive (contract 7.3). Dates are compared as texts, which ISO dates may be. */
export const between = (value: string): string =>
  `($3::text IS NULL OR ${value} > $3) AND ($4::text IS NULL OR ${value} < $4)`;
/** The day of a moment in UTC, as bounds of a range are days. */
export const dayOf = (column: string): string => `to_char(r.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
/** The text of a property. */
export const text = (property: string): string => `r.body->>'${property}'`;
/** Texts of properties under their own names. */
export const texts = (...properties: readonly string[]): ReportFields =>
  Object.fromEntries(properties.map((property) => [property, text(property)]));
/** The four parts of an identifier, joined. */
export const identifier =
  "concat_ws('-', nullif(r.body->>'id_0', ''), nullif(r.body->>'id_1', ''), nullif(r.body->>'id_2', ''), nullif(r.body->>'id_3', ''))";
/** A flag of the body as true or false. */
export const flag = (property: string): string => `coalesce((r.body->>'${property}')::boolean, false)`;
/** Dates that are (not) bulk, as one text. */
const dates = (type: '=' | '<>'): string =>
  `(SELECT string_agg(coalesce(d->>'expression', concat_ws(' - ', d->>'begin', d->>'end')), '; ') FROM json_array_elements(r.body->'dates') d WHERE coalesce(d->>'date_type', '') ${type} 'bulk')`;
/** The dates of a record in two texts. */
export const dateTexts: ReportFields = { dates: dates('<>'), bulk_dates: dates('=') };
/** Its extents in two texts. */
export const extentTexts: ReportFields = {
  extent:
    "(SELECT string_agg(concat_ws(' ', e->>'number', e->>'extent_type'), '; ') FROM json_array_elements(r.body->'extents') e)",
  container_summary: "(SELECT string_agg(e->>'container_summary', '; ') FROM json_array_elements(r.body->'extents') e)",
};

/** The objects of a property as a list, with some of their texts. */
export const elements = (property: string, ...parts: readonly string[]): ReportField => ({
  from: `json_array_elements(r.body->'${property}') WITH ORDINALITY AS p (body, n)`,
  order: 'p.n',
  parts: Object.fromEntries(parts.map((part) => [part, `p.body->>'${part}'`])),
});
/** The dates as a list. */
export const dateList = elements('dates', 'date_type', 'label', 'expression', 'begin', 'end', 'certainty');
/** The extents as a list. */
export const extentList = elements(
  'extents',
  'portion',
  'number',
  'extent_type',
  'container_summary',
  'physical_details',
  'dimensions',
);
/** Deaccessions as a list. */
export const deaccessionList: ReportField = {
  from: "json_array_elements(r.body->'deaccessions') WITH ORDINALITY AS p (body, n)",
  order: 'p.n',
  parts: {
    description: "p.body->>'description'",
    date: "coalesce(p.body#>>'{date,expression}', concat_ws(' - ', p.body#>>'{date,begin}', p.body#>>'{date,end}'))",
    notification: "p.body->>'notification'",
    extent:
      "(SELECT string_agg(concat_ws(' ', e->>'number', e->>'extent_type'), '; ') FROM json_array_elements(p.body->'extents') e)",
  },
};
/** File versions as a list. */
export const fileVersionList = elements(
  'file_versions',
  'file_uri',
  'use_statement',
  'file_format_name',
  'caption',
  'publish',
);

/** Records that a property links to, as a list over `o`. */
export const linked = (property: string, parts: { readonly [key: string]: string }): ReportField => ({
  from: `link l JOIN record o ON o.kind = l.target_kind AND o.id = l.target_id WHERE l.source_kind = r.kind AND l.source_id = r.id AND l.property = '${property}' AND ${mayShow('o')}`,
  order: 'l.ordinal',
  parts,
});
/** The same of a relation to some kinds that both sides write: its links are those of the side that was saved last. */
const related = (relation: string, kinds: string, parts: { readonly [key: string]: string }): ReportField => ({
  from: `(SELECT l.target_kind AS kind, l.target_id AS id, l.ordinal AS place FROM link l WHERE l.source_kind = r.kind AND l.source_id = r.id AND l.mutual = '${relation}'
    UNION ALL SELECT l.source_kind, l.source_id, l.target_ordinal FROM link l WHERE l.target_kind = r.kind AND l.target_id = r.id AND l.mutual = '${relation}') m
    JOIN record o ON o.kind IN (${kinds}) AND o.kind = m.kind AND o.id = m.id AND ${mayShow('o')}`,
  order: 'm.place, m.kind, m.id',
  parts,
});
/** Agents with their roles. */
export const nameList = linked('linked_agents', { name: 'o.label', function: 'l.role' });
/** Subjects of a record, in its order. */
export const subjectList = linked('subjects', { subject: 'o.label' });
/** Classifications that a record is in. */
export const classificationList = related('classification', "'classification', 'classification_term'", {
  classification: 'o.label',
});
/** Resources that an accession went into. */
export const resourceList = related('spawned', "'resource'", {
  identifier: identifier.replaceAll('r.body', 'o.body'),
  record_title: 'o.label',
});
/** Records that an assessment is about. */
export const assessedList = linked('records', { record_type: 'o.kind', record_title: 'o.label' });
/** People who reviewed an assessment. */
export const reviewerList = linked('reviewer', { name: 'o.label' });
/** People who surveyed. */
export const surveyorList = linked('surveyed_by', { name: 'o.label' });

/** Whether the source of a link (an alias) is no component that is suppressed, where the reader may not see such; other sources are looked at where they are read. */
export const bySomethingShown = (link: string): string =>
  `($2 OR NOT EXISTS (SELECT FROM record a WHERE a.kind = 'archival_object' AND ${link}.source_kind = 'archival_object' AND a.id = ${link}.source_id AND a.suppressed))`;

/** Whether a container (an alias of its record) stands at a location (an expression of its id) now: a link tells of earlier places too, which only the body tells apart. */
export const standsAt = (container: string, location: string): string =>
  `EXISTS (SELECT FROM json_array_elements(${container}.body->'container_locations') e WHERE e->>'status' = 'current' AND e->>'ref' = '/locations/' || ${location})`;

// The profile of a container (an alias of its record), and where it stands now: once, also where it had stood before and came back.
const profileOf = (container: string): string =>
  `(SELECT p.label FROM link q JOIN record p ON p.kind = 'container_profile' AND p.id = q.target_id WHERE q.source_kind = 'top_container' AND q.source_id = ${container}.id AND q.property = 'container_profile' LIMIT 1)`;
const placeOf = (container: string): string =>
  `(SELECT string_agg(p.label, '; ' ORDER BY s.place) FROM (SELECT q.target_id AS id, min(q.ordinal) AS place FROM link q
    WHERE q.source_kind = 'top_container' AND q.source_id = ${container}.id AND q.property = 'container_locations' AND ${standsAt(container, 'q.target_id')} GROUP BY q.target_id) s
    JOIN record p ON p.kind = 'location' AND p.id = s.id)`;

/** Containers of the resource and of all below it that may be shown: each with its profile and where it stands now. */
export const containerList: ReportField = {
  from: `(SELECT DISTINCT l.target_id AS id FROM (SELECT 'resource' AS kind, r.id UNION ALL SELECT 'archival_object', t.id FROM tree_node t WHERE r.kind = 'resource' AND t.repo_id = r.repo_id AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = r.id) g
    JOIN link l ON l.source_kind = g.kind AND l.source_id = g.id AND l.property = 'instances.sub_container.top_container' AND ${bySomethingShown('l')}) u JOIN record o ON o.kind = 'top_container' AND o.id = u.id`,
  order: 'o.id',
  parts: {
    top_container: 'o.label',
    barcode: "o.body->>'barcode'",
    container_profile: profileOf('o'),
    location: placeOf('o'),
  },
};

/** The id at the end of a ref (an expression). */
export const idIn = (ref: string): string => `substring(${ref} from '[0-9]+$')::int`;
// What an instance (`p.body`) names: the label of a record of the repository, and the places inside its container.
const instanceLabel = (kind: string, path: string): string =>
  `(SELECT o.label FROM record o WHERE o.kind = '${kind}' AND o.id = ${idIn(`p.body#>>'{${path},ref}'`)} AND o.repo_id = $1 AND ${mayShow('o')})`;
const instanceText = { instance_type: "p.body->>'instance_type'" };
const instanceObject = { digital_object: instanceLabel('digital_object', 'digital_object') };
const insideContainer = Object.fromEntries(
  ['type_2', 'indicator_2', 'type_3', 'indicator_3'].map((key) => [key, `p.body#>>'{sub_container,${key}}'`]),
);
/** The instances of a record. */
export const instanceList: ReportField = {
  from: "json_array_elements(r.body->'instances') WITH ORDINALITY AS p (body, n)",
  order: 'p.n',
  parts: {
    ...instanceText,
    top_container: instanceLabel('top_container', 'sub_container,top_container'),
    ...instanceObject,
    ...insideContainer,
  },
};
/** The instances of a resource and of all below it that may be shown, as records show them (none of a hidden digital object), with what their containers are and where these stand now. */
export const treeInstanceList: ReportField = {
  from: `(SELECT 0 AS id, r.body UNION ALL SELECT a.id, a.body FROM tree_node t JOIN record a ON a.kind = 'archival_object' AND a.id = t.id AND ${mayShow('a')}
    WHERE r.kind = 'resource' AND t.repo_id = r.repo_id AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = r.id) h
    CROSS JOIN LATERAL json_array_elements(h.body->'instances') WITH ORDINALITY AS p (body, n)
    LEFT JOIN record c ON c.kind = 'top_container' AND c.id = ${idIn("p.body#>>'{sub_container,top_container,ref}'")} AND c.repo_id = $1
    WHERE p.body->'digital_object' IS NULL OR ${instanceObject.digital_object} IS NOT NULL`,
  order: 'h.id, p.n',
  parts: {
    ...instanceText,
    top_container: 'c.label',
    barcode: "c.body->>'barcode'",
    container_profile: profileOf('c'),
    location: placeOf('c'),
    ...insideContainer,
    ...instanceObject,
  },
};

/** Containers of the repository that stand at a location now, each once. Locations are global, what others keep there is not for the reader of this report. */
export const standingList: ReportField = {
  from: `(SELECT DISTINCT l.source_id AS id FROM link l WHERE l.target_kind = 'location' AND l.target_id = r.id AND l.property = 'container_locations' AND l.source_kind = 'top_container') s
    JOIN record o ON o.kind = 'top_container' AND o.id = s.id AND o.repo_id = $1 AND ${mayShow('o')} AND ${standsAt('o', 'r.id')}`,
  order: 'o.id',
  parts: {
    top_container: 'o.label',
    repository: "(SELECT p.body->>'repo_code' FROM record p WHERE p.kind = 'repository' AND p.id = o.repo_id)",
  },
};

// Events of a type that may be shown and that speak of the record, each once, in however many roles.
const events = (type: string): string =>
  `FROM (SELECT DISTINCT l.source_id AS id FROM link l WHERE l.target_kind = r.kind AND l.target_id = r.id AND l.property = 'linked_records' AND l.source_kind = 'event') s
    JOIN record e ON e.kind = 'event' AND e.id = s.id AND e.body->>'event_type' = '${type}' AND ${mayShow('e')}`;
/** Whether there is one. */
export const hasEvent = (type: string): string => `EXISTS (SELECT ${events(type)})`;
/** What the events of a type say of how they ended, as one text. */
export const eventNotes = (type: string): string =>
  `(SELECT string_agg(e.body->>'outcome_note', '; ' ORDER BY e.id) ${events(type)})`;

/** Definitions of an assessment that have a value, by their labels. */
const attributes = (property: string, parts: { readonly [key: string]: string }): ReportField => ({
  from: `json_array_elements(r.body->'${property}') WITH ORDINALITY AS p (body, n) LEFT JOIN assessment_attribute_definition a ON a.id = (p.body->>'definition_id')::numeric WHERE p.body->>'value' IS NOT NULL`,
  order: 'p.n',
  parts,
});
/** The rating of an assessment that is in no body: the sum of two others, of those values that are numbers (libs/domain/rules/assessment-attributes.ts). Null: of none. */
export const researchValue = `(SELECT trim_scale(sum(substring(p->>'value' FROM '${countedRating}')::numeric))::text FROM json_array_elements(r.body->'ratings') p JOIN assessment_attribute_definition d ON d.id = (p->>'definition_id')::numeric
  WHERE d.repo_id IS NULL AND d.label IN ('Interest', 'Documentation Quality'))`;
/** Whether a definition (an alias) is that of this rating. */
export const isResearchValue = (definition: string): string =>
  `(${definition}.repo_id IS NULL AND ${definition}.label = 'Research Value' AND ${definition}.type = 'rating')`;
/** Ratings of an assessment, that one behind the others. */
export const ratingList: ReportField = {
  from: `(SELECT a.label, p.body->>'value' AS value, p.body->>'note' AS note, p.n FROM json_array_elements(r.body->'ratings') WITH ORDINALITY AS p (body, n)
      LEFT JOIN assessment_attribute_definition a ON a.id = (p.body->>'definition_id')::numeric WHERE ${isResearchValue('a')} IS NOT TRUE
    UNION ALL SELECT a.label, ${researchValue}, (SELECT p->>'note' FROM json_array_elements(r.body->'ratings') p WHERE (p->>'definition_id')::numeric = a.id LIMIT 1), NULL
      FROM assessment_attribute_definition a WHERE ${isResearchValue('a')}) g WHERE g.value IS NOT NULL`,
  order: 'g.n',
  parts: { rating: 'g.label', value: 'g.value', note: 'g.note' },
};
/** Its formats. */
export const formatList = attributes('formats', { format: 'a.label' });
/** Its conservation issues. */
export const conservationList = attributes('conservation_issues', { issue: 'a.label' });

/** Groups of a user. */
export const groupList: ReportField = {
  from: "group_member m JOIN record o ON o.kind = 'group' AND o.id = m.group_id WHERE m.user_id = r.id",
  order: 'o.id',
  parts: {
    repository: "(SELECT p.body->>'repo_code' FROM record p WHERE p.kind = 'repository' AND p.id = o.repo_id)",
    group: "o.body->>'group_code'",
    description: "o.body->>'description'",
  },
};

const location: ReportFields = texts(
  'title',
  'building',
  'floor',
  'room',
  'area',
  'barcode',
  'classification',
  'coordinate_1_label',
  'coordinate_1_indicator',
  'coordinate_2_label',
  'coordinate_2_indicator',
  'coordinate_3_label',
  'coordinate_3_indicator',
  'temporary',
);
/** What is said of a location. */
export const locationFields: ReportFields = { ...location, title: 'r.label' };
/** Its profile. */
export const locationProfile =
  "(SELECT p.label FROM link l JOIN record p ON p.kind = 'location_profile' AND p.id = l.target_id WHERE l.source_kind = 'location' AND l.source_id = r.id AND l.property = 'location_profile' LIMIT 1)";
