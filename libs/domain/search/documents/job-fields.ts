// The fields of the search documents of jobs, and what jobs are called (contract: behaviour-search.md section 9, `job`).
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import { reportOf } from '../../reports/reports.ts';
import type { DocumentFields } from './shared-fields.ts';
import { list } from './shared-fields.ts';

const labels: { readonly [type: string]: string } = {
  bulk_archival_object_updater_job: 'Bulk Archival Object Updater',
  bulk_import_job: 'Load Spreadsheet',
  container_labels_job: 'Container Labels',
  find_and_replace_job: 'Batch Find and Replace',
  generate_arks_job: 'Generate ARKs',
  generate_slugs_job: 'Generate Slugs',
  import_job: 'Import Data',
  ns2_remover_job: 'Remove ns2 Prefixes',
  print_to_pdf_job: 'Print to PDF',
  report_job: 'Report',
  resource_duplicate_job: 'Duplicate Resource',
  top_container_linker_job: 'Link Top Containers',
  trim_whitespace_job: 'Trim Whitespace',
};

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
    title: report === undefined ? (labels[type ?? ''] ?? type) : (reportOf(report, true)?.title ?? report),
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
