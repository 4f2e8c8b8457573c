// A job with files, made as the form of jobs takes it (contract trees-and-jobs 3.3).
import { isObject, textOf } from '../../../libs/domain/json.ts';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { service } from '../session.ts';

/** Starts the job with its files and, where it has some, its `job_params`; gives its uri. */
export async function startJob(
  repository: string,
  job: JsonObject,
  files: readonly File[],
  params: JsonObject | null = null,
): Promise<string> {
  const given = { jsonmodel_type: 'job', job, ...(params === null ? {} : { job_params: JSON.stringify(params) }) };
  const form = (): FormData => {
    const data = new FormData();
    data.set('job', JSON.stringify(given));
    for (const file of files) data.append('files[]', file);
    return data;
  };
  const made = await service.ask(`${repository}/jobs_with_files`, { method: 'POST', body: { bytes: form } });
  return isObject(made) ? (textOf(made, 'uri') ?? '') : '';
}
