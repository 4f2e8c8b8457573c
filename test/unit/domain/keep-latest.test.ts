// A map of the latest: what is kept anew is young again.
import { expect, it } from 'vitest';
import { keepLatest } from '#domain/keep-latest.ts';

it('holds so many, and lets the oldest go', () => {
  const kept = new Map<string, number>();
  for (const [at, key] of ['a', 'b', 'a', 'c', 'd'].entries()) keepLatest(kept, 3, key, at);
  expect([...kept]).toEqual([
    ['a', 2],
    ['c', 3],
    ['d', 4],
  ]);
});
