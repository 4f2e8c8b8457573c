// What the owner of a job may do at the moment it runs: between asking and running, rights may have gone. What a declaration can tell
// beforehand it names as `needs` (libs/domain/job.ts); handlers ask here for what they find out on the way.
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import { fail } from '#domain/errors.ts';
import type { Need } from '#domain/job.ts';
import { inRepository } from '#domain/job.ts';
import type { JobContext } from '../handler.ts';

/** Fails with `access_denied` where the owner lacks any of these permissions in the repository. */
export function demandOfOwner(
  { caller }: Pick<JobContext, 'caller'>,
  repoId: number,
  ...codes: readonly string[]
): void {
  demandAll(caller, inRepository(repoId, ...codes));
}

/** Fails with `access_denied` where the owner may no longer do all of this. */
export function demandAll(caller: Caller, needs: readonly Need[]): void {
  const missing = needs
    .map(({ code, repoId }) => ({ codes: typeof code === 'string' ? [code] : code, repoId }))
    .find(({ codes, repoId }) => !codes.some((code) => can(caller, code, repoId)));
  if (missing !== undefined)
    throw fail('access_denied', `The owner of the job lacks the permission ${missing.codes.join(' or ')}`);
}
