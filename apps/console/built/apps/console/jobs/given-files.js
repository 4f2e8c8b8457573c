import { textOf, textsOf } from '../../../libs/domain/json.js';
const withSheet = 'bulk_archival_object_updater_job';
export function givenFiles(job) {
    const names = textsOf(job, 'filenames');
    if (names.length > 0)
        return names;
    const name = textOf(job, 'filename');
    if (name !== undefined)
        return [name];
    return textOf(job, 'jsonmodel_type') === withSheet ? ['sheet'] : [];
}
