// Kind custom_report_template. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { says } from '../checking/wording.ts';
import { largestInt4 } from '../int4.ts';
import { defineKind } from '../kind.ts';
import type { JsonObject } from '../json.ts';
import { isObject, objectOf, textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';

/** The choice that a template holds as JSON text, or null where the text is no JSON object. */
function choiceOf(body: JsonObject): JsonObject | null {
  try {
    const value: unknown = JSON.parse(textOf(body, 'data') ?? '');
    return isObject(value) ? value : null;
  } catch {
    // Text that is no JSON is told below, in the words for it.
    return null;
  }
}

/** Whether a template includes a field or part. */
export const isIncluded = (part: unknown): boolean =>
  isObject(part) &&
  part['include'] !== undefined &&
  part['include'] !== '' &&
  part['include'] !== null &&
  part['include'] !== false;

/** The record types that custom reports show (contract trees-and-jobs 7.4), as db/reference/custom-report-fields.json has them. */
export const customRecordTypes: readonly string[] = [
  'accession',
  'agent',
  'archival_object',
  'assessment',
  'classification',
  'digital_object_component',
  'digital_object',
  'event',
  'location',
  'resource',
  'rights_statement',
  'subject',
  'user',
  'deaccession',
];

/** Contract 6.14: something is included, and ranges of dates have both ends. Of a type that there is not no report could be made. */
const choosesSomething: Rule = (body, report) => {
  const choice = choiceOf(body);
  if (choice === null) return report('data', 'must be the JSON text of an object');
  const fields = Object.entries(objectOf(choice, 'fields') ?? {});
  const subreports = Object.values(objectOf(choice, 'subreports') ?? {});
  if (![...fields.map(([, field]) => field), ...subreports].some(isIncluded))
    report('field', 'custom report must include field or subreport');
  const type = textOf(choice, 'custom_record_type') ?? '';
  if (type !== '' && !customRecordTypes.includes(type))
    report('data', `custom_record_type: ${says.outside(type, customRecordTypes)}`);
  for (const [name, field] of fields) {
    if (!isObject(field)) continue;
    const { start, end } = { start: textOf(field, 'range_start') ?? '', end: textOf(field, 'range_end') ?? '' };
    if (start !== '' && end === '') report(`data_${type}_fields_${name}_range_end`, 'missing end filter date');
    if (start === '' && end !== '') report(`data_${type}_fields_${name}_range_start`, 'missing start filter date');
  }
};

/** Kind `custom_report_template`. */
export const customReportTemplate = defineKind({
  name: 'custom_report_template',
  uri: '/repositories/:repo_id/custom_report_templates/:id',
  model: 'CustomReportTemplate',
  doc: 'A report that a repository has put together for itself: the kind of record, the fields and parts that are shown, what is filtered and how it is sorted, and the most rows. The choice is kept as JSON text. Names are unique over all repositories.',
  properties: {
    uri: { type: 'string', readonly: true },
    name: { type: 'string', required: 'error' },
    description: { type: 'string', maxLength: 255 },
    data: { type: 'string', maxLength: 65000, required: 'error' },
    limit: { type: 'integer', required: 'error', default: 100, minimum: 0, maximum: largestInt4 },
  },
  lateRules: [choosesSomething],
  may: {
    read: 'create_job',
    create: 'manage_custom_report_templates',
    update: 'manage_custom_report_templates',
    delete: 'manage_custom_report_templates',
  },
  listedBy: ['create_job', 'manage_custom_report_templates'],
  unique: [
    {
      name: 'custom_report_template.name',
      within: 'everywhere',
      key: (body) => textOf(body, 'name') ?? null,
      property: 'name',
      says: 'custom report template name not unique',
    },
  ],
  label: (body) => textOf(body, 'name') ?? '',
  labelProperty: 'display_string',
  stale: false,
  search: false,
  example: {
    name: 'Accessions',
    data: '{"custom_record_type":"accession","fields":{"title":{"include":"1"}}}',
    limit: 100,
  },
});
