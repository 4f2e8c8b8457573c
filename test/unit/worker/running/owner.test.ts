// What the owner of a job may do when it runs.
import { expect, test } from 'vitest';
import { anonymous } from '#domain/access/caller.ts';
import { fail } from '#domain/errors.ts';
import { demandAll, demandOfOwner } from '../../../../apps/worker/running/owner.ts';

const caller = {
  ...anonymous,
  username: 'ann',
  grants: new Map([[2, new Set(['view_repository', 'import_records'])]]),
};
const lacks = (what: string): Error => fail('access_denied', `The owner of the job lacks the permission ${what}`);

test('all that a job needs is asked for, and the first that is lacking is told', () => {
  const ask =
    (...codes: readonly string[]) =>
    () =>
      demandOfOwner({ caller }, 2, ...codes);
  expect(ask('view_repository', 'import_records')).not.toThrow();
  expect(ask()).not.toThrow();
  expect(ask('view_repository', 'update_x', 'update_y')).toThrow(lacks('update_x'));
  expect(() => demandOfOwner({ caller }, 3, 'view_repository')).toThrow(lacks('view_repository'));
});

test('of several permissions any may be enough', () => {
  const need =
    (...code: readonly string[]) =>
    () =>
      demandAll(caller, [{ code, repoId: 2 }]);
  expect(need('update_x', 'import_records')).not.toThrow();
  expect(need('update_x', 'update_y')).toThrow(lacks('update_x or update_y'));
});
