// Which buckets of a list go together when some have become small.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinSmall } from '#domain/tree/join-small.ts';

const limits = { min: 64, target: 384 };
const joined = (...sizes: readonly number[]): readonly (readonly number[])[] =>
  joinSmall(
    sizes.map((n) => ({ n })),
    limits,
  ).map((group) => group.map(({ n }) => n));

test('a small one joins what is before it, else what is behind it, where both fit', () => {
  expect(joined(300, 20, 384)).toEqual([[300, 20]]);
  expect(joined(384, 20, 300)).toEqual([[20, 300]]);
  expect(joined(384, 20, 384)).toEqual([]);
  expect(joined(320, 64, 320)).toEqual([]);
  expect(joined(320, 63)).toEqual([[320, 63]]);
  expect(joined(321, 63)).toEqual([[321, 63]]);
  expect(joined(322, 63)).toEqual([]);
  expect(joined(63, 384, 63, 0)).toEqual([[63, 0]]);
  expect(joined()).toEqual([]);
});

test('many small ones go together as far as they fit', () => {
  expect(joined(...Array.from({ length: 40 }, () => 20))).toEqual([
    Array.from({ length: 19 }, () => 20),
    Array.from({ length: 19 }, () => 20),
    [20, 20],
  ]);
});

test('over any list, none that is small is left beside one that it fits to, none is too large, and all are there in order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(70), fc.nat(512))), (sizes) => {
      const buckets = sizes.map((n, at) => ({ n, at }));
      const groups = joinSmall(buckets, limits);
      const inGroup = new Map(groups.flatMap((group) => group.map((bucket) => [bucket.at, group] as const)));
      const after = buckets.flatMap((bucket) => {
        const group = inGroup.get(bucket.at);
        if (group === undefined) return [[bucket]];
        return group[0] === bucket ? [group] : [];
      });
      expect(after.flat()).toEqual(buckets);
      const totals = after.map((group) => group.reduce((sum, { n }) => sum + n, 0));
      for (const [i, total] of totals.entries()) {
        if ((after[i]?.length ?? 0) > 1) expect(total).toBeLessThanOrEqual(limits.target);
        const next = totals[i + 1];
        if (next !== undefined && Math.min(total, next) < limits.min)
          expect(total + next).toBeGreaterThan(limits.target);
      }
    }),
  );
});
