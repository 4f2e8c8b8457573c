// Which records may be suppressed, and who sees them all the same (contract 5.2).
import { allKinds } from '../kinds/index.ts';
import type { Caller } from './caller.ts';
import { can } from './caller.ts';

/** The names of the kinds whose records may be suppressed by a request; links to others are never marked. */
export const suppressibleKinds: ReadonlySet<string> = new Set(
  allKinds.filter((kind) => kind.may.suppress !== undefined).map((kind) => kind.name),
);

const permitted = ['manage_repository', 'view_suppressed', 'suppress_archival_record'] as const;

/**
 * Whether a caller sees suppressed records inside a repository: holders of index_system do, and those who may and whose effective
 * preference `show_suppressed` says so. Outside repositories nothing is filtered (contract 5.2).
 */
export function seesSuppressed(caller: Caller, repoId: number | null, prefers: boolean): boolean {
  if (repoId === null || can(caller, 'index_system', repoId)) return true;
  return prefers && mayWantSuppressed(caller, repoId);
}

/** Whether a caller may see suppressed records inside a repository, whatever the preference says. */
export const maySeeSuppressed = (caller: Caller, repoId: number): boolean =>
  can(caller, 'index_system', repoId) || mayWantSuppressed(caller, repoId);

/** Whether the preference decides: nobody else need be asked for it. */
export function mayWantSuppressed(caller: Caller, repoId: number | null): boolean {
  return repoId !== null && !can(caller, 'index_system', repoId) && permitted.some((code) => can(caller, code, repoId));
}
