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
  ['a <b <i>c</i> < d > e < f', 'a_c_e_f'],
  [`${'a'.repeat(49)} tail`, 'a'.repeat(49)],
])('makes %s to %s', (text, slug) => {
  expect(toSlug(text)).toBe(slug);
});

test('looks for tags in one pass, where many begin and none ends', () => {
  const started = performance.now();
  expect(toSlug(`a${'<'.repeat(200_000)}`)).toBe('a');
  expect(performance.now() - started).toBeLessThan(10_000);
});
