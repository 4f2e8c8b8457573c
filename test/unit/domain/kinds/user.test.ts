// What is particular to users.
import { expect, test } from 'vitest';
import { user } from '#domain/kinds/user.ts';
import { keys, stored } from '#test/support/make/kind.ts';

test('has a name to log in with that is trimmed, in lower case and unique', () => {
  expect(stored(user, { username: ' Ann.B ', name: 'Ann' }).body['username']).toBe('ann.b');
  expect(keys(user, { username: 'ANN', name: 'Ann' })).toEqual({ 'user.username': [' ann'] });
});

test('keeps the agent that stands for it from being deleted', () => {
  expect(user.links?.['agent_record']).toEqual({ whenTargetGoes: { refuse: 'linked_to_user' } });
});
