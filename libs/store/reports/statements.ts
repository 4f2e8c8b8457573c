// What each report shows, and of which records: one statement a report (contract trees-and-jobs 7.3).
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { digitalObjectComponent } from '#domain/kinds/digital_object_component.ts';
import type { Definition } from './definition.ts';
import type { ReportFields } from './parts.ts';
import {
  assessedList,
  between,
  bySomethingShown,
  classificationList,
  conservationList,
  containerList,
  dateList,
  dayOf,
  dateTexts,
  deaccessionList,
  eventNotes,
  extentList,
  extentTexts,
  fileVersionList,
  flag,
  formatList,
  groupList,
  hasEvent,
  identifier,
  inRepository,
  locationFields,
  locationProfile,
  mayShow,
  nameList,
  ratingList,
  reviewerList,
  resourceList,
  standingList,
  subjectList,
  surveyorList,
  text,
  texts,
  treeInstanceList,
} from './parts.ts';

const accession: ReportFields = {
  accession_number: identifier,
  record_title: text('title'),
  accession_date: text('accession_date'),
};
const accessions = (more: string, fields: ReportFields): Definition => ({
  of: inRepository('accession', more),
  order: 'r.id',
  fields: { ...accession, ...fields },
});
const rights: ReportFields = {
  ...accession,
  ...texts('access_restrictions_note', 'use_restrictions_note'),
  restrictions_apply: flag('restrictions_apply'),
  ...extentTexts,
  processed: hasEvent('processed'),
  cataloged: hasEvent('cataloged'),
  rights_transferred: hasEvent('copyright_transfer'),
  rights_transferred_note: eventNotes('copyright_transfer'),
};
const resource: ReportFields = {
  record_title: text('title'),
  identifier,
  level: "coalesce(r.body->>'other_level', r.body->>'level')",
};
const resources = (more: string, fields: ReportFields): Definition => ({
  of: inRepository('resource', more),
  order: 'r.id',
  fields: { ...resource, ...fields },
});

const definitions: { readonly [code: string]: Definition } = {
  accession_report: accessions('', {
    ...texts('provenance'),
    ...extentTexts,
    ...texts('general_note'),
    ...dateTexts,
    ...texts('acquisition_type', 'resource_type', 'retention_rule'),
    description_note: text('content_description'),
    condition_note: text('condition_description'),
    ...texts('inventory'),
    disposition_note: text('disposition'),
    restrictions_apply: flag('restrictions_apply'),
    access_restrictions: flag('access_restrictions'),
    ...texts('access_restrictions_note'),
    use_restrictions: flag('use_restrictions'),
    ...texts('use_restrictions_note'),
    rights_transferred: hasEvent('copyright_transfer'),
    rights_transferred_note: eventNotes('copyright_transfer'),
    acknowledgement_sent: hasEvent('acknowledgement_sent'),
    processed: hasEvent('processed'),
    cataloged: hasEvent('cataloged'),
    deaccessions: deaccessionList,
    names: nameList,
    subjects: subjectList,
    classifications: classificationList,
  }),
  accession_receipt_report: accessions(between(text('accession_date')), { ...extentTexts, names: nameList }),
  accession_inventory_report: accessions("coalesce(r.body->>'inventory', '') <> ''", {
    ...texts('inventory'),
    ...dateTexts,
    ...extentTexts,
    linked_resources: resourceList,
  }),
  accession_unprocessed_report: accessions(`NOT ${hasEvent('processed')}`, {
    ...extentTexts,
    cataloged: hasEvent('cataloged'),
  }),
  accession_rights_transferred_report: {
    of: inRepository('accession', hasEvent('copyright_transfer')),
    order: 'r.id',
    fields: rights,
  },
  accession_deaccessions_list_report: accessions('', { ...extentTexts, deaccessions: deaccessionList }),
  accession_subjects_names_classifications_list_report: {
    of: inRepository('accession'),
    order: 'r.id',
    fields: { ...rights, names: nameList, subjects: subjectList, classifications: classificationList },
  },
  created_accessions_report: accessions(between(dayOf('create_time')), {}),
  agent_list_report: {
    // Without the agents of users, and without names that come from nowhere (contract 7.3).
    of: `record r CROSS JOIN LATERAL (SELECT n FROM json_array_elements(r.body->'names') n ORDER BY coalesce((n->>'is_display_name')::boolean, false) DESC LIMIT 1) d
      WHERE r.kind IN ('agent_person', 'agent_family', 'agent_corporate_entity', 'agent_software') AND d.n->>'source' IS NOT NULL AND $1::int IS NOT NULL
        AND NOT EXISTS (SELECT FROM link l WHERE l.target_kind = r.kind AND l.target_id = r.id AND l.source_kind = 'user')`,
    order: "d.n->>'sort_name', r.kind, r.id",
    fields: { sort_name: "d.n->>'sort_name'", name_type: 'r.kind', name_source: "d.n->>'source'" },
  },
  assessment_list_report: {
    of: inRepository('assessment', between(text('survey_begin'))),
    order: 'r.id',
    fields: {
      id: 'r.id',
      ...texts(
        'survey_begin',
        'survey_end',
        'purpose',
        'scope',
        'surveyed_duration',
        'surveyed_extent',
        'existing_description_notes',
        'review_note',
        'general_assessment_note',
        'special_format_note',
        'exhibition_value_note',
        'monetary_value',
        'monetary_value_note',
        'conservation_note',
      ),
      review_required: flag('review_required'),
      sensitive_material: flag('sensitive_material'),
      inactive: flag('inactive'),
      accession_report: flag('accession_report'),
      appraisal: flag('appraisal'),
      container_list: flag('container_list'),
      catalog_record: flag('catalog_record'),
      control_file: flag('control_file'),
      deed_of_gift: flag('deed_of_gift'),
      finding_aid_ead: flag('finding_aid_ead'),
      finding_aid_online: flag('finding_aid_online'),
      finding_aid_paper: flag('finding_aid_paper'),
      finding_aid_word: flag('finding_aid_word'),
      finding_aid_spreadsheet: flag('finding_aid_spreadsheet'),
      related_eac_records: flag('related_eac_records'),
      records: assessedList,
      surveyed_by: surveyorList,
      reviewer: reviewerList,
      ratings: ratingList,
      formats: formatList,
      conservation_issues: conservationList,
    },
  },
  digital_object_list_table_report: {
    of: inRepository('digital_object'),
    order: 'r.id',
    fields: {
      identifier: text('digital_object_id'),
      record_title: text('title'),
      object_type: text('digital_object_type'),
      ...dateTexts,
      resource_identifiers: `(SELECT string_agg(DISTINCT ${identifier.replaceAll('r.body', 'o.body')}, '; ') FROM link l LEFT JOIN tree_node t ON l.source_kind = 'archival_object' AND t.repo_id = l.repo_id AND t.kind = ${treeCodeOf(archivalObject)} AND t.id = l.source_id
        JOIN record o ON o.kind = 'resource' AND o.id = CASE WHEN l.source_kind = 'resource' THEN l.source_id ELSE t.root_id END WHERE l.target_kind = 'digital_object' AND l.target_id = r.id AND l.property = 'instances.digital_object' AND ${mayShow('o')} AND ${bySomethingShown('l')})`,
    },
  },
  digital_object_file_versions_report: {
    of: inRepository('digital_object'),
    order: 'r.id',
    fields: {
      id: 'r.id',
      identifier: text('digital_object_id'),
      record_title: text('title'),
      file_versions: fileVersionList,
      components: {
        from: `tree_node t JOIN record o ON o.kind = 'digital_object_component' AND o.id = t.id LEFT JOIN LATERAL json_array_elements(o.body->'file_versions') f ON true WHERE t.repo_id = r.repo_id AND t.kind = ${treeCodeOf(digitalObjectComponent)} AND t.root_id = r.id AND ${mayShow('o')}`,
        order: 'o.id',
        parts: { record_title: 'o.label', file_uri: "f->>'file_uri'" },
      },
    },
  },
  location_report: {
    of: "record r WHERE r.kind = 'location' AND $1::int IS NOT NULL",
    order: 'r.label, r.id',
    fields: locationFields,
  },
  shelflist_report: {
    of: "record r WHERE r.kind = 'location' AND $1::int IS NOT NULL",
    order: 'r.label, r.id',
    fields: { ...locationFields, location_profile: locationProfile, holdings: standingList },
  },
  resources_list_report: resources('', {
    ...texts('resource_type'),
    publish: 'r.publish',
    restrictions: flag('restrictions'),
    dates: dateList,
    extents: extentList,
  }),
  resource_deaccessions_list_report: resources('', { ...dateTexts, ...extentTexts, deaccessions: deaccessionList }),
  resource_instances_list_report: resources('', { ...dateTexts, ...extentTexts, instances: treeInstanceList }),
  resource_locations_list_report: resources('', { ...dateTexts, ...extentTexts, locations: containerList }),
  resource_restrictions_list_report: resources(flag('restrictions'), {
    ...dateTexts,
    ...extentTexts,
    restrictions: flag('restrictions'),
  }),
  subject_list_report: {
    of: "record r WHERE r.kind = 'subject' AND $1::int IS NOT NULL AND EXISTS (SELECT FROM link l WHERE l.target_kind = 'subject' AND l.target_id = r.id)",
    order: 'r.label, r.id',
    fields: { subject_title: 'r.label', term_type: "r.body#>>'{terms,0,term_type}'", ...texts('source') },
  },
  user_groups_report: {
    // Hidden users of the system are suppressed records, and in no list.
    of: "record r WHERE r.kind = 'user' AND NOT r.suppressed AND $1::int IS NOT NULL",
    order: "r.body->>'username'",
    fields: {
      ...texts('username', 'name', 'email', 'department', 'title'),
      groups: groupList,
    },
  },
};

/** The definition of a report without parameters of its own but a range of days; undefined for codes that are none. */
export const plainReport = (code: string): Definition | undefined =>
  Object.hasOwn(definitions, code) ? definitions[code] : undefined;
