import { isObject, textOf } from '../../../libs/domain/json.js';
import { service } from '../session.js';
export async function startJob(repository, job, files, params = null) {
    const given = { jsonmodel_type: 'job', job, ...(params === null ? {} : { job_params: params }) };
    if (files.length === 0)
        return uriOf(await service.ask(`${repository}/jobs`, { method: 'POST', json: given }));
    const form = () => {
        const data = new FormData();
        data.set('job', JSON.stringify(given));
        for (const file of files)
            data.append('files[]', file);
        return data;
    };
    return uriOf(await service.ask(`${repository}/jobs_with_files`, { method: 'POST', body: { bytes: form } }));
}
const uriOf = (made) => (isObject(made) ? (textOf(made, 'uri') ?? '') : '');
