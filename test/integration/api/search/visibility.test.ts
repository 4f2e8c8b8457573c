// What callers may find: over all repositories, and of what anybody may read.
import { expect, test } from 'vitest';
import type { Caller } from '#domain/access/caller.ts';
import { anonymous } from '#domain/access/caller.ts';
import { globalVisibility, openVisibility } from '../../../../apps/api/search/visibility.ts';

const caller = (username: string, grants: readonly (readonly [number, readonly string[]])[]): Caller => ({
  ...anonymous,
  userId: 7,
  username,
  grants: new Map(grants.map(([repoId, codes]) => [repoId, new Set(codes)])),
});

test('everybody finds what is in the repositories that they may view, and suppressed records where they may see those', () => {
  const reader = caller('ann', [
    [2, ['view_repository', 'view_suppressed']],
    [3, ['view_repository']],
  ]);
  expect(globalVisibility(reader)).toEqual({ repositories: [2, 3], mayNotSeeUnpublished: false, seesSuppressed: [2] });
  const everywhere = caller('admin', [[1, ['view_repository', 'index_system']]]);
  expect(globalVisibility(everywhere)).toEqual({
    repositories: 'all',
    mayNotSeeUnpublished: false,
    seesSuppressed: true,
  });
});

test("the public interface's user finds what is published alone, and nothing suppressed whatever is granted", () => {
  const open = caller('public_anonymous', [[1, ['view_repository', 'view_suppressed']]]);
  expect(globalVisibility(open)).toEqual({ repositories: 'all', mayNotSeeUnpublished: true, seesSuppressed: false });
  expect(openVisibility(open)).toMatchObject({ repositories: 'all', mayNotSeeUnpublished: true });
  expect(openVisibility(anonymous)).toMatchObject({ repositories: 'all', mayNotSeeUnpublished: false });
});
