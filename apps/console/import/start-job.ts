// A job with files, made as the form of jobs takes it (contract trees-and-jobs 3.3).
import { isObject, textOf } from '../../../libs/domain/json.ts';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { service } from '../session.ts';

/** Starts the job with its files, where it has some, and its `job_params` (JSON text); gives its uri. */
export async function startJob(
  repository: string,
  job: JsonObject,
  files: readonly File[],
  params: string | null = null,
): Promise<string> {
  const given = { jsonmodel_type: 'job', job, ...(params === null ? {} : { job_params: params }) };
  if (files.length === 0) return uriOf(await service.ask(`${repository}/jobs`, { method: 'POST', json: given }));
  const form = (): FormData => {
    const data = new FormData();
    data.set('job', JSON.stringify(given));
    for (const file of files) data.append('files[]', file);
    return data;
  };
  return uriOf(await service.ask(`${repository}/jobs_with_files`, { method: 'POST', body: { bytes: form } }));
}

const uriOf = (made: Json): string => (isObject(made) ? (textOf(made, 'uri') ?? '') : '');
