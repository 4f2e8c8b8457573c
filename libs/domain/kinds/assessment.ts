// Kind assessment. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partsOf, refsTo } from '../schema/build.ts';
import { ExternalDocument } from '../subrecords/external-document.ts';
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import type { Property, Rule } from '../schema/property.ts';
import { endsBeforeBegin } from '../dates/rules.ts';
import { keepGivenAttributes, showAttributes } from '../rules/assessment-attributes.ts';
import { assessmentFields } from './search/assessment.ts';

/** `ratings`, `formats` and `conservation_issues`: without jsonmodel_type (contract output_exceptions). */
const attributes: Property = {
  type: 'list',
  of: {
    type: 'inline',
    properties: {
      definition_id: { type: 'integer', required: 'error' },
      label: { type: 'string', readonly: true },
      global: { type: 'boolean', readonly: true },
      value: { type: 'string' },
      note: { type: 'string' },
      readonly: { type: 'boolean', readonly: true },
    },
  },
};

const money = /^\d+(?:\.\d{1,2})?$/;

/** Contract 1.6, assessment. */
const surveyIsSound: Rule = (body, report) => {
  const value = textOf(body, 'monetary_value');
  if (value !== undefined && !money.test(value))
    report('monetary_value', 'must be a number with no more than 2 decimal places');
  const { begin, end } = { begin: textOf(body, 'survey_begin'), end: textOf(body, 'survey_end') };
  if (begin !== undefined && end !== undefined && endsBeforeBegin(begin, end))
    report('survey_end', 'must not be before begin');
};

/** A decimal as it is shown: `10` stays, `10.5` has two places (contract 6.12). */
function withMoney(body: JsonObject): JsonObject {
  const value = textOf(body, 'monetary_value');
  return value === undefined
    ? body
    : { ...body, monetary_value: value.replace(/\.0+$/, '').replace(/\.(\d)$/, '.$10') };
}

/** Flags that stay absent until somebody sets them; an update, which turns absent flags to false, is no such setting. */
const unsetFlags = ['deed_of_gift', 'finding_aid_online', 'related_eac_records', 'inactive'];

function withoutUnset(body: JsonObject, old: JsonObject | null): JsonObject {
  if (old === null) return body;
  return Object.fromEntries(
    Object.entries(body).filter(
      ([property, value]) => value !== false || old[property] !== undefined || !unsetFlags.includes(property),
    ),
  );
}

const staysAssessed = { whenTargetGoes: { refuse: 'linked_to_assessment' } } as const;
const no: Property = { type: 'boolean', default: false };

/** Kind `assessment`. */
export const assessment = defineKind({
  name: 'assessment',
  uri: '/repositories/:repo_id/assessments/:id',
  model: 'Assessment',
  doc: 'A survey of the state and worth of material: who looked at which records and when, what reports there are, how the material is housed, ordered and described, which formats and conservation problems it has. Ratings, formats and conservation issues come from a list that every repository may extend. Records and persons named by an assessment cannot be deleted before it.',
  properties: {
    uri: { type: 'string', readonly: true },
    display_string: { type: 'string', maxLength: 8192, readonly: true },
    records: {
      ...refsTo(['accession', 'resource', 'digital_object', 'archival_object']),
      resolvedInSearch: true,
      required: 'error',
      minItems: 1,
    },
    accession_report: no,
    appraisal: no,
    container_list: no,
    catalog_record: no,
    control_file: no,
    deed_of_gift: { type: 'boolean' },
    finding_aid_ead: no,
    finding_aid_online: { type: 'boolean' },
    finding_aid_paper: no,
    finding_aid_word: no,
    finding_aid_spreadsheet: no,
    related_eac_records: { type: 'boolean' },
    existing_description_notes: { type: 'string' },
    surveyed_by: { ...refsTo(['agent_person']), resolvedInSearch: true, required: 'error', minItems: 1 },
    survey_begin: { type: 'date', required: 'error' },
    survey_end: { type: 'date' },
    surveyed_duration: { type: 'string' },
    surveyed_extent: { type: 'string' },
    review_required: no,
    reviewer: { ...refsTo(['agent_person']), resolvedInSearch: true },
    review_note: { type: 'string' },
    inactive: { type: 'boolean' },
    purpose: { type: 'string' },
    scope: { type: 'string' },
    sensitive_material: no,
    formats: attributes,
    conservation_issues: attributes,
    ratings: attributes,
    general_assessment_note: { type: 'string' },
    special_format_note: { type: 'string' },
    exhibition_value_note: { type: 'string' },
    monetary_value: { type: 'string' },
    monetary_value_note: { type: 'string' },
    conservation_note: { type: 'string' },
    external_documents: partsOf(() => [ExternalDocument]),
    collections: { ...refsTo(['resource']), readonly: true, resolvedInSearch: true },
  },
  rules: [surveyIsSound],
  tellsOf: 'records',
  may: {
    read: 'view_repository',
    create: 'update_assessment_record',
    update: 'update_assessment_record',
    delete: 'delete_assessment_record',
  },
  links: { records: staysAssessed, surveyed_by: staysAssessed, reviewer: staysAssessed },
  generate: (body, _making, old) => withMoney(keepGivenAttributes(withoutUnset(body, old))),
  label: (body) => `Survey of ${textOf(body, 'survey_begin') ?? ''}`,
  // Its display string is its id, which the store knows.
  labelProperty: null,
  computed: ['assessment'],
  show: showAttributes,
  stale: false,
  search: { fields: assessmentFields, showsTreesOfLinked: true },
  example: { records: [{ ref: '@accession' }], surveyed_by: [{ ref: '@agent_person' }], survey_begin: '2020-01-01' },
});
