// Changes of archival objects by spreadsheet over HTTP in tests: the workbook is fetched, edited by an independent program, and sent back as the file
// of a job.
import { read as readWorkbook, utils, write as writeWorkbook } from '@e965/xlsx';
import { afterAll, expect } from 'vitest';
import type { TestApi } from './api.ts';
import { startTestApi } from './api.ts';
import type { EndedJob } from './api-jobs.ts';
import { runJob } from './api-jobs.ts';
import { resourceBody } from './records.ts';

/** Cells of a row, by the path that the second line of the sheet has above them. */
type Edit = { readonly [path: string]: string };

/** A service with a resource whose components are changed. */
export type SheetUpdates = {
  readonly api: TestApi;
  readonly repoId: number;
  /** Makes a record of the repository, by the last word of its address. */
  created(plural: string, body: object): Promise<string>;
  /** Makes a file at the end of the resource. */
  component(title: string, more?: object): Promise<string>;
  /** The JSON of a GET. */
  read(uri: string): Promise<any>;
  /** The workbook of components with cells replaced (row by row, '' blanks one); `mangle` may change the table as a whole. `session`: of who fetches it. */
  edited(
    uris: readonly string[],
    edits: readonly Edit[],
    mangle?: (table: string[][]) => void,
    session?: string,
  ): Promise<Buffer>;
  /** Sends a workbook back; gives how the job ended. */
  send(bytes: Buffer, more?: object, session?: string): Promise<EndedJob>;
};

/** Starts it, and stops it after the last test of the file that awaits this at its top. */
export async function sheetUpdates(): Promise<SheetUpdates> {
  const api = await startTestApi({ worker: 'jobs' });
  afterAll(() => api[Symbol.asyncDispose]());
  const repoId = await api.repository();
  const created: SheetUpdates['created'] = (plural, body) => api.create(`/repositories/${repoId}/${plural}`, body);
  const resource = await created('resources', resourceBody('B1'));
  return {
    api,
    repoId,
    created,
    component: (title, more = {}) =>
      created('archival_objects', { title, level: 'file', resource: { ref: resource }, ...more }),
    read: async (uri) => (await api.get(uri)).json,
    edited: async (uris, edits, mangle = () => undefined, session = api.session) => {
      const form = new URLSearchParams([
        ...uris.map((uri): [string, string] => ['uri[]', uri]),
        ['resource_uri', resource],
      ]);
      const reply = await fetch(`${api.url}/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`, {
        method: 'POST',
        headers: { 'x-service-session': session },
        body: form,
      });
      const book = readWorkbook(Buffer.from(await reply.arrayBuffer()));
      const table = utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 });
      const paths = table[1] ?? [];
      for (const [index, edit] of edits.entries())
        for (const [path, text] of Object.entries(edit)) {
          const column = paths.indexOf(path);
          expect(column, path).toBeGreaterThanOrEqual(0);
          (table[index + 2] ?? [])[column] = text;
        }
      mangle(table);
      book.Sheets['Updates'] = utils.aoa_to_sheet(table);
      return writeWorkbook(book, { type: 'buffer', bookType: 'xlsx', bookSST: true });
    },
    send: (bytes, more = {}, session = api.session) =>
      runJob(
        api,
        repoId,
        { jsonmodel_type: 'bulk_archival_object_updater_job', ...more },
        { file: { name: 'updates.xlsx', content: bytes }, session },
      ),
  };
}
