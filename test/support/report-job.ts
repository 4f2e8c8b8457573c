// Report jobs in tests: made over HTTP, followed to their end, with the file that they wrote.
import type { Reply, TestApi } from './api.ts';

/** How a report job ended. `bytes` are those of its file; of the refusal where it made none. */
export type EndedReport = { readonly status: string; readonly log: string; readonly bytes: Buffer };

/** The job of a report. */
export type ReportOrder = { readonly repoId: number; readonly code: string; readonly format?: string; readonly parameters?: object; readonly session?: string };

/** Asks for the job alone. */
export async function askReport(api: TestApi, { repoId, code, format = 'json', parameters = {}, session = api.session }: ReportOrder): Promise<Reply> {
  return api.post(`/repositories/${repoId}/jobs`, { jsonmodel_type: 'job', job: { jsonmodel_type: 'report_job', report_type: code, format }, job_params: JSON.stringify(parameters) }, session);
}

/** Makes the report and waits for the end of its job. */
export async function makeReport(api: TestApi, order: ReportOrder): Promise<EndedReport> {
  const made = await askReport(api, order);
  if (made.status !== 200) throw new Error(`${made.status} ${made.text}`);
  for (let tries = 0; tries < 400; tries++) {
    const { status } = (await api.get(made.json.uri)).json;
    if (status !== 'queued' && status !== 'running') {
      const [file] = (await api.get(`${made.json.uri}/output_files`)).json;
      const reply = await fetch(`${api.url}${made.json.uri}/output_files/${file}`, { headers: { 'x-service-session': api.session } });
      return { status, log: (await api.get(`${made.json.uri}/log`)).text, bytes: Buffer.from(await reply.arrayBuffer()) };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the job does not end');
}

/** The rows of the report as JSON. */
export async function reportRows(api: TestApi, order: Omit<ReportOrder, 'format'>): Promise<Record<string, any>[]> {
  const { status, log, bytes } = await makeReport(api, order);
  if (status !== 'completed') throw new Error(log);
  return JSON.parse(bytes.toString()).records;
}
