// What is particular to container profiles.
// Contract: behaviour-records.md, section 6.8.
import { expect, test } from 'vitest';
import { containerProfile } from '#domain/kinds/container_profile.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

test('is labelled by name, measures and the side that counts', () => {
  expect(stored(containerProfile, exampleOf(containerProfile)).label).toBe(
    'CP [1d, 3h, 2w inches] extent measured by width',
  );
});

test.each([
  [{ depth: '1.234' }, { depth: ['must be a number with no more than 2 decimal places'] }],
  [{ stacking_limit: 'x' }, { stacking_limit: ['must be a positive integer'] }],
])('refuses %o', (changes, error) => {
  expect(refusal(containerProfile, exampleOf(containerProfile, changes))).toEqual(error);
});

test('has a name that is unique', () => {
  expect(keys(containerProfile, exampleOf(containerProfile))).toEqual({ 'container_profile.name': [' CP'] });
});
