// Asking the service to change a tree: moving and publishing, each a job of the service that is waited for.
import { awaitJob } from '../../../libs/client/jobs.ts';
import type { JobPhase } from '../../../libs/client/jobs.ts';
import type { Json } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { service } from '../session.ts';
import type { Step } from './moving.ts';

/** Hears how far the job is. */
type OnPhase = (phase: JobPhase | null) => void;

/** Moves nodes, one request after the other. */
export async function move(root: string, steps: readonly Step[], onPhase: OnPhase): Promise<void> {
  for (const { parent, children, position } of steps) {
    const form = new URLSearchParams(children.map((uri) => ['children[]', uri]));
    form.set('position', String(position));
    await done(`${parent ?? root}/accept_children`, onPhase, form);
  }
}

/** Publishes a record with everything below it, or takes it back. */
export const publish = (uri: string, isPublic: boolean, onPhase: OnPhase): Promise<void> =>
  done(`${uri}/${isPublic ? 'publish' : 'unpublish'}`, onPhase);

/** Sends, and waits for the end of the job that the service answers with. */
async function done(path: string, onPhase: OnPhase, form?: URLSearchParams): Promise<void> {
  const reply = await service.send(path, {
    method: 'POST',
    headers: { prefer: 'respond-async' },
    ...(form === undefined
      ? {}
      : { body: { contentType: 'application/x-www-form-urlencoded', bytes: () => form.toString() } }),
  });
  const answer = (await reply.json()) as Json;
  const uri = isObject(answer) ? textOf(answer, 'uri') : undefined;
  // Who may not follow jobs has waited for it.
  if (reply.status === 202 && uri !== undefined)
    await awaitJob(service, uri, { onProgress: ({ phase }) => onPhase(phase) });
}
