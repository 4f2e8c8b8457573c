// The jobs that belong to no repository: merges, loads, readings of other services, making the search index anew.
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectsIn, textOf } from '../../../libs/domain/json.ts';
import { useAsked } from '../asking.tsx';

// Of all that the user may see, the newest are looked through.
const mostAsked = 200;

/** The types of jobs that move an archive in. */
export const loadTypes = ['load-records', 'migrate-from'];

/** Those of some types. `jobs` is undefined until they are known. */
type Newest = {
  readonly jobs: readonly JsonObject[] | undefined;
  readonly fault: unknown;
  readonly isWaiting: boolean;
  readonly again: () => void;
};

/** Asks for the newest jobs of these types, the newest first; `isAsked` false asks for nothing. */
export function useJobsOfNoRepository(isWanted: (type: string) => boolean, isAsked = true): Newest {
  const ids = useAsked(isAsked ? '/jobs' : null, { all_ids: true });
  const newest = Array.isArray(ids.value) ? ids.value.slice(-mostAsked).map(String) : [];
  const found = useAsked(newest.length === 0 ? null : '/jobs', { id_set: newest.join(',') });
  const isKnown = ids.value !== undefined && (newest.length === 0 || found.value !== undefined);
  const jobs = objectsIn(found.value).filter((job) => isWanted(textOf(job, 'job_type') ?? ''));
  return {
    // They come in order of status.
    jobs: isKnown ? jobs.toSorted((one, other) => idOf(other) - idOf(one)) : undefined,
    fault: ids.fault ?? found.fault,
    isWaiting: ids.isWaiting || found.isWaiting,
    again: () => {
      ids.again();
      found.again();
    },
  };
}

const idOf = (job: JsonObject): number => Number((textOf(job, 'uri') ?? '').split('/').at(-1));
