// The fields of the search documents of jobs, and what jobs are called (contract: behaviour-search.md section 9, `job`).
import { wireJobs } from '../../jobs/index.ts';
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import { reportOf } from '../../reports/reports.ts';
import type { DocumentFields } from './shared-fields.ts';
import { list } from './shared-fields.ts';

/** The fields of a job as its GET answers it. The title is the report's where it makes one, else what its type is called. */
export function readJob(record: JsonObject): DocumentFields {
  const settings = objectOf(record, 'job');
  const type = textOf(record, 'job_type');
  const report = textOf(settings, 'report_type');
  const copied = ['status', 'owner', 'time_submitted', 'time_started', 'time_finished'].map((name) => [
    name,
    textOf(record, name),
  ]);
  return {
    title:
      report === undefined ? (wireJobs.get(type ?? '')?.wire.title ?? type) : (reportOf(report, true)?.title ?? report),
    job_type: type,
    report_type: report,
    job_report_type: report ?? type,
    ...Object.fromEntries(copied),
    queue_position: typeof record['queue_position'] === 'number' ? record['queue_position'] : undefined,
    job_data: list(
      Object.entries(settings ?? {}).flatMap(([key, value]) =>
        key === 'jsonmodel_type' ? [] : [`${key} --- ${shown(value)}`],
      ),
    ),
  };
}

function shown(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}
