// What the owner of a job may do at the moment it runs: between asking and running, rights may have gone.
import { fail } from '#domain/errors.ts';
import type { Need } from '#domain/job.ts';
import { jobTypes } from '#domain/job-types.ts';
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import type { JobContext } from './context.ts';

/** Fails with `access_denied` where the owner may no longer make jobs of this type, or lacks any of `more`, in the repository of the job. */
export function demandOfOwner(
  { caller }: Pick<JobContext, 'caller'>,
  type: string,
  repoId: number,
  more: readonly string[] = [],
): void {
  demandAll(
    caller,
    ['create_job', ...(jobTypes[type]?.create ?? []), ...more].map((code) => ({ code, repoId })),
  );
}

/** Fails with `access_denied` where the owner may no longer do all of this. */
export function demandAll(caller: Caller, needs: readonly Need[]): void {
  const missing = needs
    .map(({ code, repoId }) => ({ codes: typeof code === 'string' ? [code] : code, repoId }))
    .find(({ codes, repoId }) => !codes.some((code) => can(caller, code, repoId)));
  if (missing !== undefined)
    throw fail('access_denied', `The owner of the job lacks the permission ${missing.codes.join(' or ')}`);
}

/** Fails with `access_denied` where the owner may no longer see the repository. For jobs that requests to read stand on. */
export function demandViewOfOwner({ caller }: Pick<JobContext, 'caller'>, repoId: number): void {
  demandAll(caller, [{ code: 'view_repository', repoId }]);
}
