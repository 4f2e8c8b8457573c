// A job with files, made as the form of jobs takes it (contract trees-and-jobs 3.3).
import { isObject, textOf } from '../../../libs/domain/json.ts';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { mayBeDone, newKey, underKey } from '../once.ts';
import { service } from '../session.ts';

// Those that have no answer, by what they ask for: who asks for the same once more gets the job that was made, if one was.
const unanswered = new Map<string, { readonly key: string; readonly at: number }>();

/** Starts the job with its files, where it has some, and its `job_params` (JSON text); gives its uri. */
export async function startJob(
  repository: string,
  job: JsonObject,
  files: readonly File[],
  params: string | null = null,
): Promise<string> {
  const given = { jsonmodel_type: 'job', job, ...(params === null ? {} : { job_params: params }) };
  const asked = JSON.stringify([
    repository,
    given,
    files.map(({ name, size, lastModified }) => [name, size, lastModified]),
  ]);
  const open = unanswered.get(asked) ?? { key: newKey(), at: Date.now() };
  unanswered.set(asked, open);
  try {
    const uri = uriOf(await send(repository, given, files, underKey(open.key)));
    unanswered.delete(asked);
    return uri;
  } catch (error) {
    if (!mayBeDone(error, open.at)) unanswered.delete(asked);
    throw error;
  }
}

async function send(
  repository: string,
  given: JsonObject,
  files: readonly File[],
  headers: { readonly [name: string]: string },
): Promise<Json> {
  if (files.length === 0) return service.ask(`${repository}/jobs`, { method: 'POST', json: given, headers });
  // Also from other views: what is still on its way is lost with the page.
  addEventListener('beforeunload', warn);
  const form = (): FormData => {
    const data = new FormData();
    data.set('job', JSON.stringify(given));
    for (const file of files) data.append('files[]', file);
    return data;
  };
  return service
    .ask(`${repository}/jobs_with_files`, { method: 'POST', body: { bytes: form }, headers })
    .finally(() => removeEventListener('beforeunload', warn));
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

const uriOf = (made: Json): string => (isObject(made) ? (textOf(made, 'uri') ?? '') : '');
