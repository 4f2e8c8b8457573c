// Each form of a declared access against what callers hold.
import { expect, test } from 'vitest';
import type { Caller } from '#domain/access/caller.ts';
import { anonymous } from '#domain/access/caller.ts';
import { isPermitted, prefersSuppressed } from '../../../../apps/api/access/permission.ts';
import type { Access, UntypedCall } from '../../../../apps/api/route.ts';

const user: Caller = {
  ...anonymous,
  userId: 7,
  grants: new Map([[2, new Set(['view_repository', 'import_records'])]]),
};
// Access looks at nothing else of a call.
const callOf = (caller: Caller, repoId: number | null): UntypedCall => ({ caller, repoId }) as UntypedCall;

test.each<readonly [string, Access<UntypedCall>, boolean, boolean, boolean]>([
  ['public', 'public', true, true, true],
  ['a session', 'session', false, true, true],
  ['all of two permissions', { all: ['view_repository', 'import_records'] }, false, true, false],
  ['all, one of which nobody holds', { all: ['view_repository', 'administer_system'] }, false, false, false],
  ['any of two permissions', { any: ['administer_system', 'import_records'] }, false, true, false],
  ['a check', { check: (call) => call.repoId === 3, says: 'Only in 3.' }, false, false, true],
])('%s', async (_what, access, nobody, inTwo, inThree) => {
  expect(await isPermitted(access, callOf(anonymous, 2))).toBe(nobody);
  expect(await isPermitted(access, callOf(user, 2))).toBe(inTwo);
  expect(await isPermitted(access, callOf(user, 3))).toBe(inThree);
});

test('nobody is asked for preferences who could not see suppressed records', async () => {
  // No preferences are there to be read.
  const services = {} as Parameters<typeof prefersSuppressed>[0];
  expect(await prefersSuppressed(services, anonymous, 2)).toBe(false);
  expect(await prefersSuppressed(services, user, 2)).toBe(false);
});
