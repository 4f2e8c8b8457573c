// Whose preferences a caller may write. Over HTTP: test/integration/api/routes/preferences.test.ts, and batch-delete.test.ts beside it.
import { expect, it } from 'vitest';
import type { Caller } from '#domain/access/caller.ts';
import { anonymous, globalRepoId } from '#domain/access/caller.ts';
import { mayWritePreference } from '../../../../apps/api/access/preferences.ts';

const holder = (repoId: number, ...codes: readonly string[]): Caller => ({
  userId: 7,
  username: 'ann',
  agentUri: null,
  grants: new Map([[repoId, new Set(codes)]]),
});

it.each([
  ["one's own, without any permission", holder(2), 7, 2, true],
  ["another's, as a manager", holder(2, 'manage_repository'), 8, 2, false],
  ["another's, as an administrator", holder(globalRepoId, 'administer_system'), 8, 2, false],
  ["a repository's, as its manager", holder(2, 'manage_repository'), null, 2, true],
  ["a repository's, as the manager of another", holder(3, 'manage_repository'), null, 2, false],
  ["everybody's, as an administrator", holder(globalRepoId, 'administer_system'), null, globalRepoId, true],
  ["everybody's, as a manager everywhere", holder(globalRepoId, 'manage_repository'), null, globalRepoId, false],
  ["a repository's, without a session", anonymous, undefined, 2, false],
])('%s', (_what, caller, owner, repoId, may) => {
  expect(mayWritePreference(caller, owner, repoId)).toBe(may);
});
