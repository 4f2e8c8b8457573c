// The fields of the search documents of jobs, and what jobs are called (contract: behaviour-search.md section 9, `job`).
import { wireJobs } from '../../jobs/index.ts';
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import { reportOf } from '../../reports/reports.ts';
import type { KindSearch, SearchField } from '../declaration.ts';
import { list } from './reading.ts';

const reportType = (record: JsonObject): string | undefined => textOf(objectOf(record, 'job'), 'report_type');

// The title is the report's where the job makes one, else what its type is called.
function titleOf(record: JsonObject): string | undefined {
  const type = textOf(record, 'job_type');
  const report = reportType(record);
  return report === undefined
    ? (wireJobs.get(type ?? '')?.wire.title ?? type)
    : (reportOf(report, true)?.title ?? report);
}

const own = (name: string): readonly [string, SearchField] => [
  name,
  { type: 'string', read: (record) => textOf(record, name) },
];

/** What search knows of jobs, as kinds of records declare it. `record` is a job as its GET answers it. */
export const jobSearch: KindSearch = {
  types: (record) => [textOf(record, 'job_type'), reportType(record)].filter((type) => type !== undefined),
  fields: {
    title: { read: titleOf },
    job_type: { type: 'string', read: (record) => textOf(record, 'job_type') },
    report_type: { type: 'string', read: reportType },
    job_report_type: { type: 'string', read: (record) => reportType(record) ?? textOf(record, 'job_type') },
    ...Object.fromEntries(['status', 'owner', 'time_submitted', 'time_started', 'time_finished'].map(own)),
    queue_position: {
      type: 'int',
      read: (record) => (typeof record['queue_position'] === 'number' ? record['queue_position'] : undefined),
    },
    job_data: {
      type: 'string',
      isMulti: true,
      isCounted: false,
      isListed: false,
      read: (record) =>
        list(
          Object.entries(objectOf(record, 'job') ?? {}).flatMap(([key, value]) =>
            key === 'jsonmodel_type' ? [] : [`${key} --- ${shown(value)}`],
          ),
        ),
    },
    files: {
      type: 'string',
      isMulti: true,
      isCounted: false,
      isListed: false,
      read: (_record, { files = [] }) => list(files),
    },
  },
};

function shown(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}
