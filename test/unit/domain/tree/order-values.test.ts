// Order numbers between neighbours, and even cuts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutEvenly, spreadBetween } from '#domain/tree/order-values.ts';

const space = { step: 2 ** 40, bound: 2 ** 52 };

describe('numbers between neighbours', () => {
  test('ascend strictly and stay between, for every gap that has room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 30), max: 2 ** 30 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 600 }),
        (before, gap, count) => {
          const values = spreadBetween(before, before + gap, count, space);
          if (gap <= count) return values === null;
          const all = [before, ...(values ?? []), before + gap];
          return (
            values?.length === count &&
            all.every((value, i) => Number.isSafeInteger(value) && (i === 0 || value > (all[i - 1] ?? value)))
          );
        },
      ),
    );
  });

  test('ascend strictly across the whole range too', () => {
    const values = spreadBetween(-(2 ** 52), 2 ** 52, 512, space) ?? [];
    expect(new Set(values).size).toBe(512);
    expect(values.toSorted((a, b) => a - b)).toEqual(values);
  });

  test('keep a step before the first and after the last, and end at the bound', () => {
    expect(spreadBetween(null, null, 2, { step: 4, bound: 100 })).toEqual([4, 8]);
    expect(spreadBetween(null, 4, 2, { step: 4, bound: 100 })).toEqual([-4, 0]);
    expect(spreadBetween(8, null, 2, { step: 4, bound: 100 })).toEqual([12, 16]);
    expect(spreadBetween(96, null, 2, { step: 4, bound: 100 })).toBeNull();
    expect(spreadBetween(null, -96, 2, { step: 4, bound: 100 })).toBeNull();
  });
});

test('cuts a list into the fewest parts, whose lengths differ by at most one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 100 }), fc.integer({ min: 1, max: 20 }), (list, target) => {
      const parts = cutEvenly(list, target);
      const lengths = parts.map((part) => part.length);
      expect(parts.flat()).toEqual(list);
      expect(parts).toHaveLength(Math.ceil(list.length / target));
      expect(Math.max(0, ...lengths) - Math.min(Infinity, ...lengths)).toBeLessThanOrEqual(1);
    }),
  );
});
