import { awaitJob } from '../../../libs/client/jobs.js';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { service } from '../session.js';
export async function move(root, steps, onPhase) {
    for (const { parent, children, position } of steps) {
        const form = new URLSearchParams(children.map((uri) => ['children[]', uri]));
        form.set('position', String(position));
        await done(`${parent ?? root}/accept_children`, onPhase, form);
    }
}
export const publish = (uri, isPublic, onPhase) => done(`${uri}/${isPublic ? 'publish' : 'unpublish'}`, onPhase);
async function done(path, onPhase, form) {
    const reply = await service.send(path, {
        method: 'POST',
        headers: { prefer: 'respond-async' },
        ...(form === undefined
            ? {}
            : { body: { contentType: 'application/x-www-form-urlencoded', bytes: () => form.toString() } }),
    });
    const answer = (await reply.json());
    const uri = isObject(answer) ? textOf(answer, 'uri') : undefined;
    if (reply.status === 202 && uri !== undefined)
        await awaitJob(service, uri, { onProgress: ({ phase }) => onPhase(phase) });
}
