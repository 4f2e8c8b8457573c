// The reports on offer (contract trees-and-jobs 7): names, parameters, and who may have them. What they show is libs/store/reports.
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';

/** A parameter as clients read it: name, type, what it is for. */
type ReportParameter = readonly [name: string, type: string, description: string];

/** A report. `needs`: a permission on top of view_repository. */
export type Report = {
  readonly code: string;
  readonly title: string;
  readonly params: readonly ReportParameter[];
  readonly needs?: string;
};

const range: readonly ReportParameter[] = [
  ['from', 'Date', 'The start of report range'],
  ['to', 'Date', 'The end of report range'],
];
const scoped: readonly ReportParameter[] = [['scope_by_date', 'Boolean', 'Scope records by a date range'], ...range];

const list: readonly Report[] = [
  { code: 'accession_report', title: 'Accessions', params: [] },
  { code: 'accession_receipt_report', title: 'Accession Receipts', params: scoped },
  { code: 'accession_inventory_report', title: 'Accessions with Inventories', params: [] },
  { code: 'accession_unprocessed_report', title: 'Unprocessed Accessions', params: [] },
  { code: 'accession_rights_transferred_report', title: 'Accessions with Rights Transferred', params: [] },
  { code: 'accession_deaccessions_list_report', title: 'Accessions and Deaccessions', params: [] },
  {
    code: 'accession_subjects_names_classifications_list_report',
    title: 'Accessions with Subjects, Names and Classifications',
    params: [],
  },
  { code: 'created_accessions_report', title: 'Accessions Created in a Range of Dates', params: range },
  { code: 'agent_list_report', title: 'Agents', params: [] },
  { code: 'assessment_list_report', title: 'Assessments', params: scoped },
  {
    code: 'assessment_rating_report',
    title: 'Ratings of Assessments',
    params: [
      ...scoped,
      ['rating', 'Rating', 'The rating to report on'],
      ['values', 'RatingValues', 'The values of the rating to report on'],
    ],
  },
  { code: 'digital_object_list_table_report', title: 'Digital Objects', params: [] },
  { code: 'digital_object_file_versions_report', title: 'File Versions of Digital Objects', params: [] },
  { code: 'location_report', title: 'Locations', params: [] },
  {
    code: 'location_holdings_report',
    title: 'Holdings of Locations',
    params: [['locations', 'LocationList', 'The locations to report on']],
  },
  { code: 'shelflist_report', title: 'Shelf List', params: [] },
  { code: 'resources_list_report', title: 'Resources', params: [] },
  { code: 'resource_deaccessions_list_report', title: 'Resources and Deaccessions', params: [] },
  { code: 'resource_instances_list_report', title: 'Resources and Instances', params: [] },
  { code: 'resource_locations_list_report', title: 'Resources and Locations', params: [] },
  { code: 'resource_restrictions_list_report', title: 'Resources with Restrictions', params: [] },
  { code: 'subject_list_report', title: 'Subjects', params: [] },
  // The incumbent lists all users to whoever may create a job.
  { code: 'user_groups_report', title: 'Users and Groups', params: [], needs: 'manage_users' },
];

/** The report that a template of the repository has put together; only where the installation has custom reports. */
const custom: Report = {
  code: 'custom_report',
  title: 'Custom Report',
  params: [['template', 'CustomReportTemplate', 'The template of the report']],
};

/** Permissions that a custom report takes for a record type or part: the list of users is for who manages them, and contact details are protected. */
export const customNeeds: { readonly [name: string]: string } = {
  user: 'manage_users',
  agent_contact: 'view_agent_contact_record',
};

const offered = (hasCustom: boolean): readonly Report[] => (hasCustom ? [...list, custom] : list);

/** The report of a code, or undefined. */
export const reportOf = (code: string, hasCustom: boolean): Report | undefined =>
  offered(hasCustom).find((report) => report.code === code);

/**
 * What whoever reads the file of a report must be allowed: what its maker was. What a custom report took stands in the result of its job
 * (`needs`), since its template may be another by now; where that says nothing, all that one can take.
 */
export function needsOfFile(code: string, result: Json): readonly string[] {
  if (code !== custom.code) return list.flatMap((report) => (report.code === code ? (report.needs ?? []) : []));
  const told = isObject(result) ? result['needs'] : undefined;
  return Array.isArray(told) ? told.filter((need) => typeof need === 'string') : Object.values(customNeeds);
}

/** The codes of all reports. */
export const reportCodes = (hasCustom: boolean): readonly string[] => offered(hasCustom).map(({ code }) => code);

/** The forms in which reports come. xlsx is ours. */
const reportFormats = ['json', 'csv', 'html', 'pdf', 'rtf', 'xlsx'] as const;
/** A form of a report. */
export type ReportFormat = (typeof reportFormats)[number];

/** The form that a job asked for: csv for unknown ones (contract 7.1). */
export const formatOf = (asked: string): ReportFormat =>
  reportFormats.find((format) => format === asked.toLowerCase()) ?? 'csv';

const modelOf = (code: string): string =>
  code
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');

/** What GET /reports answers. */
export function reportList(hasCustom: boolean): Json {
  return {
    reports: Object.fromEntries(
      offered(hasCustom).map(({ code, params }) => [
        code,
        { code, model: modelOf(code), params: params.map((parameter) => [...parameter]) },
      ]),
    ),
    formats: [...reportFormats],
  };
}
