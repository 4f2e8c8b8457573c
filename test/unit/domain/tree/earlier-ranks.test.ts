// Earlier ranks of a node, against arrays that are kept for every version of a list.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Shift } from '#domain/tree/earlier-ranks.ts';
import { earlierRanks } from '#domain/tree/earlier-ranks.ts';

const step = fc.record({
  from: fc.nat(1),
  which: fc.uniqueArray(fc.nat(20), { maxLength: 4 }),
  to: fc.nat(1),
  at: fc.nat(20),
  makes: fc.nat(3),
  deletes: fc.boolean(),
});

test('are those that it had in each version since, in any list', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(9), (steps, watched) => {
      const lists = [
        [0, 1, 2, 3, 4],
        [5, 6, 7, 8, 9],
      ];
      const shifts: Shift[] = [];
      const seen = new Set<number>();
      let next = 10;
      const standing = (): { readonly listId: number; readonly rank: number } => {
        const listId = lists.findIndex((list) => list.includes(watched));
        return { listId, rank: lists[listId]?.indexOf(watched) ?? -1 };
      };
      for (const [version, { from, which, to, at, makes, deletes }] of steps.entries()) {
        seen.add(standing().rank);
        const source = lists[from] ?? [];
        const ranks = which
          .filter((rank) => rank < source.length)
          .sort((a, b) => a - b)
          .filter((rank) => !deletes || source[rank] !== watched);
        const ids = ranks.map((rank) => source[rank] ?? 0);
        shifts.unshift({ version, listId: from, isTaken: true, ids, ranks });
        lists[from] = source.filter((id) => !ids.includes(id));
        const put = deletes ? Array.from({ length: makes }, () => next++) : ids.toReversed();
        const target = lists[to] ?? [];
        const rank = Math.min(at, target.length);
        shifts.unshift({ version, listId: to, isTaken: false, ids: put, ranks: put.map((_, index) => rank + index) });
        lists[to] = target.toSpliced(rank, 0, ...put);
      }
      expect(earlierRanks({ id: watched, ...standing() }, shifts)).toEqual(seen);
    }),
  );
});
