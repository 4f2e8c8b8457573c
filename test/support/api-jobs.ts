// Jobs over HTTP in tests: made as clients make them, with or without a file, and waited for.
import type { Reply, TestApi } from './api.ts';
import { patience } from './patience.ts';

/** What a request for a job may have besides the job: parameters, a file, and another session than the administrator's. */
export type JobRequest = {
  readonly session?: string;
  readonly params?: object;
  readonly file?: { readonly name: string; readonly content: string | Uint8Array };
};

/** How a job ended: status and result as its record has them, its log, and the uris of its first 200 records. */
export type EndedJob = {
  readonly uri: string;
  readonly status: string;
  readonly result: any;
  readonly log: string;
  readonly records: readonly string[];
};

/** Sends the request that makes a job of a repository; one with a file is a form. */
export async function postJob(
  api: TestApi,
  repoId: number,
  job: object,
  { session = api.session, params, file }: JobRequest = {},
): Promise<Reply> {
  const request = {
    jsonmodel_type: 'job',
    job,
    ...(params === undefined ? {} : { job_params: JSON.stringify(params) }),
  };
  if (file === undefined) return api.post(`/repositories/${repoId}/jobs`, request, session);
  const form = new FormData();
  form.set('job', JSON.stringify(request));
  form.append(
    'files[]',
    new Blob([typeof file.content === 'string' ? file.content : new Uint8Array(file.content)]),
    file.name,
  );
  return api.ask(`/repositories/${repoId}/jobs_with_files`, { form, session });
}

/** Makes a job as postJob and waits for its end; fails where it is not made. */
export async function runJob(api: TestApi, repoId: number, job: object, request: JobRequest = {}): Promise<EndedJob> {
  const reply = await postJob(api, repoId, job, request);
  if (reply.status !== 200) throw new Error(`the job is not made: ${reply.status} ${reply.text}`);
  return endOfJob(api, reply.json.uri);
}

/** Waits for the end of a job, for ten minutes at the most. */
export async function endOfJob(api: TestApi, uri: string): Promise<EndedJob> {
  const pause = patience();
  for (const end = performance.now() + 600_000; performance.now() < end;) {
    const { status, result } = (await api.get(uri)).json;
    if (status !== 'queued' && status !== 'running') {
      const records = (await api.get(`${uri}/records?page=1&page_size=200`)).json.results.map(
        (row: { readonly record: { readonly ref: string } }) => row.record.ref,
      );
      return { uri, status, result, log: (await api.get(`${uri}/log`)).text, records };
    }
    await pause();
  }
  throw new Error(`${uri} does not end`);
}
