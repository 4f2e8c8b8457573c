// Who asks: the user of a request or job and what that user may do, by repository.
// Grants come from libs/store/access/grants.ts; derived codes follow the contract (behaviour-records.md 2.4).

/** The id of the hidden global repository, whose grants hold everywhere. */
export const globalRepoId = 1;

/** A caller. `grants` maps a repository id to the codes stored for it, derived codes not included. */
export type Caller = {
  readonly userId: number | null;
  readonly username: string | null;
  readonly agentUri: string | null;
  readonly grants: ReadonlyMap<number, ReadonlySet<string>>;
};

/** A caller without a session: every check is false. */
export const anonymous: Caller = { userId: null, username: null, agentUri: null, grants: new Map() };

/** Derived codes and the stored code that gives them: holding it in any repository gives the derived code everywhere. */
export const derivedPermissions: { readonly [code: string]: string } = {
  delete_agent_record: 'manage_agent_record',
  delete_subject_record: 'manage_subject_record',
  delete_vocabulary_record: 'delete_archival_record',
  merge_agent_record: 'merge_agents_and_subjects',
  merge_subject_record: 'merge_agents_and_subjects',
  update_agent_record: 'manage_agent_record',
  update_container_profile_record: 'manage_container_profile_record',
  update_enumeration_record: 'manage_enumeration_record',
  update_location_profile_record: 'manage_location_profile_record',
  update_location_record: 'manage_repository',
  update_subject_record: 'manage_subject_record',
  update_vocabulary_record: 'manage_vocabulary_record',
};

/** Whether the caller holds a permission in a repository (null: where no repository is active). */
export function can(caller: Caller, code: string, repoId: number | null): boolean {
  const source = derivedPermissions[code];
  if (source !== undefined) {
    for (const codes of caller.grants.values()) if (codes.has(source)) return true;
    return false;
  }
  if (caller.grants.get(globalRepoId)?.has(code) === true) return true;
  return repoId !== null && caller.grants.get(repoId)?.has(code) === true;
}

/** The repositories in which the caller holds a permission, or 'all' where a global grant gives it everywhere. */
export function repositoriesWith(caller: Caller, code: string): 'all' | readonly number[] {
  if (caller.grants.get(globalRepoId)?.has(code) === true) return 'all';
  return [...caller.grants].filter(([, codes]) => codes.has(code)).map(([repoId]) => repoId);
}

/** Whether a permission is held in any repository: for what belongs to none, such as agents. */
export function canAnywhere(caller: Caller, code: string): boolean {
  const held = repositoriesWith(caller, code);
  return held === 'all' || held.length > 0;
}
