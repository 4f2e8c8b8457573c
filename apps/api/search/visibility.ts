// What a caller may find: who sees what is decided here and applied inside the query, so totals, facets and marks never tell of what is
// hidden (contract: behaviour-search.md section 2).
import type { Caller } from '#domain/access/caller.ts';
import { repositoriesWith } from '#domain/access/caller.ts';
import type { Visibility } from '#store/search/port.ts';
import { viewerOf } from '../record-routes/viewing.ts';
import type { Call } from '../route.ts';

const permitted = ['index_system', 'view_suppressed', 'suppress_archival_record', 'manage_repository'] as const;

/** Whether the caller is the public interface. */
export const isPublicUser = (caller: Caller): boolean => caller.username === 'public_anonymous';

/**
 * What a caller may find over all repositories. The public interface's user finds what is published. Suppressed records are found
 * by those who may see them, where the incumbent shows them to everybody on this route.
 */
export function globalVisibility(caller: Caller): Visibility {
  const seen = permitted.map((code) => repositoriesWith(caller, code));
  const isPublic = isPublicUser(caller);
  return {
    repositories: repositoriesWith(caller, 'view_repository'),
    mayNotSeeUnpublished: isPublic,
    seesSuppressed: !isPublic && (seen.includes('all') || seen.flatMap((ids) => (ids === 'all' ? [] : ids))),
  };
}

/** What a caller may find in a repository: suppressed records where reading shows them too. */
export function repositoryVisibility(
  call: Pick<Call<unknown, unknown>, 'caller' | 'services' | 'wantsSuppressed'>,
  repoId: number,
): Visibility {
  return {
    repositories: [repoId],
    mayNotSeeUnpublished: isPublicUser(call.caller),
    seesSuppressed: viewerOf({ ...call, repoId }).seesSuppressed,
  };
}

/** Records that anybody may read are found by anybody; the public interface's user finds what is published, as everywhere. */
export const openVisibility = (caller: Caller): Visibility => ({
  repositories: 'all',
  mayNotSeeUnpublished: isPublicUser(caller),
  seesSuppressed: false,
});
