// The hidden global repository holds what belongs to no repository, such as system groups; archival records have no place in it (contract 2.6).
import type { Kind } from '../kind.ts';
import { globalRepoId } from './caller.ts';

/** The words of the refusal. */
export const noArchivalRecords = 'The global repository cannot contain archival records';

/** Whether records of the kind may be in the repository. */
export const mayLiveIn = (kind: Pick<Kind, 'scope' | 'inGlobalRepository'>, repoId: number | null): boolean =>
  repoId !== globalRepoId || kind.scope !== 'repository' || kind.inGlobalRepository === true;
