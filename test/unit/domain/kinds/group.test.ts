// What is particular to groups.
import { expect, test } from 'vitest';
import { group } from '#domain/kinds/group.ts';
import { exampleOf, keys, refusal } from '#test/support/make/kind.ts';

test('has a code that is unique in its repository whatever its case', () => {
  expect(keys(group, exampleOf(group, { group_code: 'Readers' }))).toEqual({ 'group.group_code': ['r2 readers'] });
});

test('is refused without description, whose default does not help', () => {
  expect(refusal(group, { group_code: 'g8' })).toEqual({ description: ['Property is required but was missing'] });
});
