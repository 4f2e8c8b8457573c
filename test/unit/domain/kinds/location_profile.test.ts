// What is particular to location profiles.
// Contract: behaviour-records.md, section 6.8.
import { expect, test } from 'vitest';
import { locationProfile } from '#domain/kinds/location_profile.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

test('is labelled by name and measures, in words', () => {
  expect(stored(locationProfile, exampleOf(locationProfile)).label).toBe('LP [1d, 3h, 2w Inches]');
  expect(stored(locationProfile, exampleOf(locationProfile, { width: '' })).label).toBe('LP');
});

test('refuses a measure that is no number', () => {
  expect(refusal(locationProfile, exampleOf(locationProfile, { depth: 'deep' }))).toEqual({
    depth: ['must be a number with no more than 2 decimal places'],
  });
});

test('has a name that is unique', () => {
  expect(keys(locationProfile, exampleOf(locationProfile))).toEqual({ 'location_profile.name': [' LP'] });
});
