// Sheets loaded into resources over HTTP in tests: a resource for each, the job that loads, and what is there then.
import type { TestApi } from './api.ts';
import type { JobRequest } from './api-jobs.ts';
import { resourceBody } from './records.ts';
import type { Table } from './sheet-job.ts';
import { csv, runSheetJob } from './sheet-job.ts';

type Ended = Awaited<ReturnType<typeof runSheetJob>>;

/** What a file of tests loads into one repository. */
export type SheetLoads = {
  /** Makes a resource with an EAD ID of its own. */
  collection(): Promise<{ readonly resource: string; readonly id: number; readonly ead: string }>;
  /** Loads a sheet of archival objects as CSV into the resource with the id, unless `more` of the job says otherwise; gives how that ended. */
  load(sheet: Buffer, id: number, more?: object, request?: JobRequest): Promise<Ended>;
  /** The same with a table, which is sent as CSV. */
  send(table: Table, id: number, more?: object, request?: JobRequest): Promise<Ended>;
  /** The JSON of a GET. */
  read(uri: string): Promise<any>;
  /** The children of a node, or of the resource itself, as its tree shows them. */
  nodes(resource: string, parent?: string): Promise<any[]>;
  /** Their titles. */
  titles(resource: string, parent?: string): Promise<readonly string[]>;
};

/** Loads sheets in a service, into the repository given. */
export function sheetLoads(api: TestApi, repoId: number): SheetLoads {
  let count = 0;
  const read = async (uri: string) => (await api.get(uri)).json;
  const load: SheetLoads['load'] = (sheet, id, more, request) =>
    runSheetJob(api, repoId, sheet, loadJob(id, more), { params: { rid: id }, ...request });
  const nodes: SheetLoads['nodes'] = async (resource, parent = '') =>
    read(`${resource}/tree/waypoint?offset=0${parent === '' ? '' : `&parent_node=${parent}`}`);
  return {
    collection: async () => {
      count += 1;
      const body = resourceBody(`L${count}`, { ead_id: `ead-${count}` });
      const resource = await api.create(`/repositories/${repoId}/resources`, body);
      return { resource, id: Number(resource.split('/').at(-1)), ead: `ead-${count}` };
    },
    load,
    send: (table, id, more, request) => load(csv(table), id, more, request),
    read,
    nodes,
    titles: async (resource, parent) => (await nodes(resource, parent)).map((node) => node.title),
  };
}

/** A job that loads a sheet of archival objects as CSV into the resource with the id, or what `more` says in place of that. */
export const loadJob = (id: number, more: object = {}): object => ({
  jsonmodel_type: 'bulk_import_job',
  resource_id: String(id),
  filename: 'x.csv',
  load_type: 'ao',
  content_type: 'csv',
  format: 'csv',
  ...more,
});
