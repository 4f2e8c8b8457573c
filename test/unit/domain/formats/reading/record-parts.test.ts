// Parts of records that readers make alike.
import { expect, it } from 'vitest';
import { joinParts, pushOnce } from '#domain/formats/reading/record-parts.ts';
import type { JsonObject } from '#domain/json.ts';

it('adds an object once', () => {
  const [list, seen] = [[] as JsonObject[], new Set<string>()];
  for (const ref of ['/subjects/1', '/subjects/2', '/subjects/1']) pushOnce(list, { ref }, seen);
  expect(list.map(({ ref }) => ref)).toEqual(['/subjects/1', '/subjects/2']);
});

it('joins the parts of a heading by commas, unless punctuation stands there already', () => {
  expect(joinParts(['Muster,', 'Anna', ' ', '(1900-1950)'])).toBe('Muster, Anna (1900-1950)');
  expect(joinParts(['Harbour', 'North'])).toBe('Harbour, North');
});
