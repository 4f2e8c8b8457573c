// Slugs as the contract cleans them.
import { expect, test } from 'vitest';
import { toSlug } from '#domain/text/slug.ts';

test.each([
  ['Recorded Repository', 'recorded_repository'],
  ['  A  <i>title</i>, of "Papers" (1900) ', 'a_title_of_papers_1900'],
  ['Éric Åkesson', 'eric_akesson'],
  ['a--b-c', 'ab-c'],
  ['__x__', 'x'],
  ['1900', '__1900'],
  ['Ω', ''],
  [`${'a'.repeat(49)} tail`, 'a'.repeat(49)],
])('makes %s to %s', (text, slug) => {
  expect(toSlug(text)).toBe(slug);
});
