// Ranks after moves and insertions (contract, trees 1.11, 1.13, 1.15), on lists written out.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countBetween, isUnmoved, joinRuns, planAcceptChildren, planInsertions } from '#domain/tree/placement.ts';
import type { Child, Run } from '#domain/tree/placement.ts';

// Letters in a list; what moves is taken out and the runs are put in, one after the other.
function apply(list: string, ids: readonly number[], runs: readonly Run[], letters: string): string {
  const rest = [...list].filter((letter) => !ids.some((id) => letters[id] === letter));
  for (const run of runs) rest.splice(run.rank, 0, ...run.ids.map((id) => letters[id] ?? '?'));
  return rest.join('');
}

function accept(list: string, moving: string, position: number | null): string {
  const children: readonly Child[] = [...moving].map((letter, id) => ({
    id,
    rank: list.includes(letter) ? list.indexOf(letter) : null,
  }));
  return apply(
    list,
    children.map((child) => child.id),
    planAcceptChildren(list.length, children, position),
    moving,
  );
}

describe('moving one node', () => {
  test('gives it exactly the position asked for', () => {
    expect(accept('ABCD', 'A', 2)).toBe('BCAD');
    expect(accept('ABCD', 'D', 1)).toBe('ADBC');
  });

  test('takes a position beyond the end as the last', () => {
    expect(accept('ABCD', 'A', 99)).toBe('BCDA');
    expect(accept('ABCD', 'X', 99)).toBe('ABCDX');
    expect(accept('ABCD', 'A', null)).toBe('BCDA');
  });

  test('knows when nothing moves', () => {
    const children = [{ id: 1, rank: 3 }];
    expect(isUnmoved(planAcceptChildren(4, children, 99), children)).toBe(true);
    expect(isUnmoved(planAcceptChildren(4, children, 2), children)).toBe(false);
  });
});

describe('accepting several children', () => {
  test('puts them at the position and the ones after it, in the listed order', () => {
    expect(accept('ABCDE', 'XY', 1)).toBe('AXYBCDE');
    expect(accept('ABCDE', 'DA', 1)).toBe('BDACE');
    expect(accept('ABCDE', 'AB', 2)).toBe('CDABE');
  });

  test('keeps the listed order at the end of the list', () => {
    expect(accept('ABCDE', 'AB', 4)).toBe('CDEAB');
    expect(accept('ABC', 'XA', 9)).toBe('BCXA');
    expect(accept('ABC', 'AX', 9)).toBe('BCAX');
  });

  test('takes mixed children one at a time, from the first when it moves up', () => {
    // D to 1: ADBC; X to 2.
    expect(accept('ABCD', 'DX', 1)).toBe('ADXBC');
    // X to 0: XABCD; then A to 1, where it is.
    expect(accept('ABCD', 'XA', 0)).toBe('XABCD');
    // X to 2: ABXCD; A to 3: BXCAD.
    expect(accept('ABCD', 'XA', 2)).toBe('BXCAD');
  });

  test('takes mixed children from the last when the first moves down', () => {
    // X to 2: ABXCD; A to 1: BAXCD.
    expect(accept('ABCD', 'AX', 1)).toBe('BAXCD');
  });
});

test('runs are one with what stands between them, which is never more than they are, and all come to the same places', () => {
  const list = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const mixture = fc.uniqueArray(fc.constantFrom(...list, ...'abcdefghijkl'), { minLength: 1 });
  fc.assert(
    fc.property(mixture, fc.option(fc.nat(30)), (moving, position) => {
      const children = moving.map((letter, id) => {
        const rank = list.indexOf(letter);
        return { id, rank: rank === -1 ? null : rank };
      });
      const runs = planAcceptChildren(list.length, children, position);
      const ids = children.map(({ id }) => id);
      const others = [...list].filter((letter) => !moving.includes(letter));
      const [rank = 0, count] = [runs[0]?.rank, countBetween(runs)];
      expect(count).toBeLessThanOrEqual(moving.length);
      const between = others.slice(rank, rank + count);
      const run = joinRuns(
        runs,
        between.map((_, n) => moving.length + n),
      );
      const letters = [...moving, ...between].join('');
      expect(apply(list, run.ids, [run], letters)).toBe(apply(list, ids, runs, moving.join('')));
    }),
    { numRuns: 2000 },
  );
});

describe('new nodes with positions', () => {
  const insert = (list: string, nodes: readonly (number | null)[]): string =>
    apply(
      list,
      [],
      planInsertions(
        list.length,
        nodes.map((position, id) => ({ id, position })),
      ),
      'UVWXYZ',
    );

  test('are appended and moved there one after the other', () => {
    expect(insert('AB', [null, 0, null])).toBe('VABUW');
    expect(insert('AB', [1, 1])).toBe('AVUB');
    expect(insert('', [5, 0])).toBe('VU');
  });

  test('are planned one after the other without a look at all the others for each', () => {
    const nodes = Array.from({ length: 300_000 }, (_, id) => ({ id, position: id }));
    const [run, ...more] = planInsertions(1, nodes);
    expect([run?.rank, run?.ids.length, more]).toEqual([0, 300_000, []]);
  });
});
