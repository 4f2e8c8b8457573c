import { isObject, textOf } from '../../../libs/domain/json.js';
import { mayBeDone, newKey, underKey } from '../once.js';
import { service } from '../session.js';
const unanswered = new Map();
export async function startJob(repository, job, files, params = null) {
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
    }
    catch (error) {
        if (!mayBeDone(error, open.at))
            unanswered.delete(asked);
        throw error;
    }
}
async function send(repository, given, files, headers) {
    if (files.length === 0)
        return service.ask(`${repository}/jobs`, { method: 'POST', json: given, headers });
    addEventListener('beforeunload', warn);
    const form = () => {
        const data = new FormData();
        data.set('job', JSON.stringify(given));
        for (const file of files)
            data.append('files[]', file);
        return data;
    };
    return service
        .ask(`${repository}/jobs_with_files`, { method: 'POST', body: { bytes: form }, headers })
        .finally(() => removeEventListener('beforeunload', warn));
}
const warn = (event) => event.preventDefault();
const uriOf = (made) => (isObject(made) ? (textOf(made, 'uri') ?? '') : '');
