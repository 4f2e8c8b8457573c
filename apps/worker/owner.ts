// What the owner of a job may do at the moment it runs: between asking and running, rights may have gone.
import { fail } from '#domain/errors.ts';
import { jobTypes } from '#domain/job-types.ts';
import { can } from '#domain/rules/caller.ts';
import type { JobContext } from './context.ts';

/** Fails with `access_denied` where the owner may no longer make jobs of this type, or lacks any of `more`, in the repository of the job. */
export function demandOfOwner({ caller }: Pick<JobContext, 'caller'>, type: string, repoId: number, more: readonly string[] = []): void {
  const missing = ['create_job', ...(jobTypes[type]?.create ?? []), ...more].find((code) => !can(caller, code, repoId));
  if (missing !== undefined) throw fail('access_denied', `The owner of the job lacks the permission ${missing}`);
}

/** Fails with `access_denied` where the owner may no longer see the repository. For jobs that requests to read stand on. */
export function demandViewOfOwner({ caller }: Pick<JobContext, 'caller'>, repoId: number): void {
  if (!can(caller, 'view_repository', repoId)) throw fail('access_denied', 'The owner of the job lacks the permission view_repository');
}
