// A service with records of every kind, and a tree whose order is not that of its ids: what tests of export-all and verify read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#domain/json.ts';
import type { StartOptions } from '#test/support/api.ts';
import type { RecordService } from '#test/support/record-service.ts';
import { serveRecords } from '#test/support/record-service.ts';
import { adminPassword } from '#test/support/api.ts';
import type { Run, RunOptions } from './run-cli.ts';
import { runCli } from './run-cli.ts';

/** What was made: all uris, those of one of each kind and another of each kind first; and the series with its 120 letters. */
export type Archive = RecordService & {
  readonly made: readonly string[];
  readonly series: string;
  /** Runs the command line against the service, as its administrator. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
};

/** The kinds that it has two records of, or more. */
export const kindsMade: readonly string[] = [
  ...['agent_person', 'agent_family', 'agent_corporate_entity', 'agent_software', 'subject', 'location'],
  ...['location_profile', 'container_profile', 'top_container', 'accession', 'resource', 'archival_object', 'user'],
  ...['digital_object', 'digital_object_component', 'classification', 'classification_term', 'event', 'assessment'],
  ...['custom_report_template', 'group', 'rde_template', 'repository'],
];

/** Options of a reading that is in a hurry. */
export const fast: readonly string[] = ['--requests-a-second', '1000', '--requests-at-once', '4'];

/** Starts the service and makes the records; awaited at the top of a test file. Who neither searches nor harvests there does with a worker of jobs alone. */
export async function serveArchive(options: Pick<StartOptions, 'worker'> = {}): Promise<Archive> {
  const service = await serveRecords(options);
  const { api, records } = service;
  const made: string[] = [];
  for (const kind of kindsMade) made.push(await records.one(kind), await records.make(kind));
  const root = await records.make('resource');
  const node = (title: string, more: JsonObject = {}): Promise<string> =>
    records.make('archival_object', { title, level: 'file', resource: { ref: root }, ...more });
  const series = await node('Letters', { level: 'series' });
  // More than one page of a list, in an order that is not that of their ids.
  for (let count = 0; count < 120; count++)
    made.push(await node(`Letter ${count}`, { parent: { ref: series }, position: 0 }));
  await api.post(`${made.find((uri) => uri.includes('/accessions/'))}/suppressed?suppressed=true`);
  await api.post(`/repositories/${records.repoId}/default_values/accession`, {
    record_type: 'accession',
    defaults: { title: 'Untitled' },
    lock_version: 0,
  });
  made.push(root, series);
  return {
    ...service,
    made,
    series,
    run: (args, options = {}) =>
      runCli(args, { ...options, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } }),
  };
}

/** The records of a file of a folder. */
export function linesOf(folder: string, file: string): any[] {
  return readFileSync(join(folder, `${file}.ndjson`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The manifest of a folder. */
export const manifestOf = (folder: string): any => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
