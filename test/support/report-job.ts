// Report jobs in tests: made over HTTP, followed to their end, with the file that they wrote.
import type { Reply, TestApi } from './api.ts';
import { postJob, runJob } from './api-jobs.ts';

/** How a report job ended. `bytes` are those of its file; of the refusal where it made none. */
export type EndedReport = { readonly status: string; readonly log: string; readonly bytes: Buffer };

/** The job of a report. */
export type ReportOrder = {
  readonly repoId: number;
  readonly code: string;
  readonly format?: string;
  readonly parameters?: object;
  readonly session?: string;
};

/** Asks for the job alone. */
export const askReport = (
  api: TestApi,
  { repoId, code, format = 'json', parameters = {}, session = api.session }: ReportOrder,
): Promise<Reply> =>
  postJob(api, repoId, { jsonmodel_type: 'report_job', report_type: code, format }, { params: parameters, session });

/** Makes the report and waits for the end of its job. */
export async function makeReport(api: TestApi, order: ReportOrder): Promise<EndedReport> {
  const { repoId, code, format = 'json', parameters = {}, session = api.session } = order;
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'report_job', report_type: code, format },
    { params: parameters, session },
  );
  const [file] = (await api.get(`${ended.uri}/output_files`)).json;
  const reply = await fetch(`${api.url}${ended.uri}/output_files/${file}`, {
    headers: { 'x-service-session': api.session },
  });
  return { status: ended.status, log: ended.log, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** The rows of the report as JSON. */
export async function reportRows(api: TestApi, order: Omit<ReportOrder, 'format'>): Promise<Record<string, any>[]> {
  const { status, log, bytes } = await makeReport(api, order);
  if (status !== 'completed') throw new Error(log);
  return JSON.parse(bytes.toString()).records;
}
