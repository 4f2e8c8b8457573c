import { objectsIn, textOf } from '../../../libs/domain/json.js';
import { useAsked } from '../asking.js';
const mostAsked = 200;
export const loadTypes = ['load-records', 'migrate-from'];
export function useJobsOfNoRepository(isWanted, isAsked = true) {
    const ids = useAsked(isAsked ? '/jobs' : null, { all_ids: true });
    const newest = Array.isArray(ids.value) ? ids.value.slice(-mostAsked).map(String) : [];
    const found = useAsked(newest.length === 0 ? null : '/jobs', { id_set: newest.join(',') });
    const isKnown = ids.value !== undefined && (newest.length === 0 || found.value !== undefined);
    const jobs = objectsIn(found.value).filter((job) => isWanted(textOf(job, 'job_type') ?? ''));
    return {
        jobs: isKnown ? jobs.toSorted((one, other) => idOf(other) - idOf(one)) : undefined,
        fault: ids.fault ?? found.fault,
        isWaiting: ids.isWaiting || found.isWaiting,
        again: () => {
            ids.again();
            found.again();
        },
    };
}
const idOf = (job) => Number((textOf(job, 'uri') ?? '').split('/').at(-1));
