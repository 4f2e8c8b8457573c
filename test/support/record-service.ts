// A service with one repository for the tests of a file, and the short forms in which they ask it: what every test of the records' wire begins with.
import { afterAll } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Reply, StartOptions, TestApi } from './api.ts';
import { startTestApi } from './api.ts';
import type { HttpRecords } from './make/http-records.ts';
import { httpRecords } from './make/http-records.ts';

/** The service, records to make in a repository of it, and reading and saving by address. Requests carry the administrator's session, or the one given. */
export type RecordService = {
  readonly api: TestApi;
  readonly records: HttpRecords;
  /** The JSON of a GET, whatever its status. */
  read(path: string, session?: string | null): Promise<any>;
  /** Sends a record back as it is read now, with some properties changed. */
  save(uri: string, change?: JsonObject): Promise<Reply>;
  /** Asks for a record of a kind, of a body that is valid but for the properties given: the status, and the error where there is one. */
  attempt(kind: string, changes: JsonObject): Promise<readonly [status: number, error: any]>;
};

/** Starts the service, and stops it after the last test of the file that awaits this at its top. */
export async function serveRecords(options: StartOptions = {}): Promise<RecordService> {
  const api = await startTestApi(options);
  afterAll(async () => api[Symbol.asyncDispose]());
  const records = await httpRecords(api);
  const read = async (path: string, session?: string | null): Promise<any> => (await api.get(path, session)).json;
  return {
    api,
    records,
    read,
    save: async (uri, change = {}) => api.post(uri, { ...(await read(uri)), ...change }),
    attempt: async (kind, changes) => {
      const { status, json } = await api.post(records.collection(kindNamed(kind)), {
        ...(await records.body(kind)),
        ...changes,
      });
      return [status, json.error];
    },
  };
}
