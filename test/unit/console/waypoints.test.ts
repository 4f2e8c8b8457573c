// Which row of a tree stands where, of trees that are known in pieces alone.
import { expect, it } from 'vitest';
import { above, indexOf, newBranch, rowAt, rowsOf, takePiece } from '../../../apps/console/tree/waypoints.ts';

const piece = (from: number, count: number): { uri: string; child_count: number }[] =>
  Array.from({ length: count }, (_, n) => ({ uri: `/n/${from + n}`, child_count: 3 }));

it('knows every row of a hundred thousand siblings, and what of them is there', () => {
  const root = newBranch(null, 1, 100_000);
  takePiece(root, 499, piece(99_800, 200));
  expect(rowsOf(root)).toBe(100_000);
  expect(rowAt(root, 99_999)).toMatchObject({ position: 99_999, entry: { uri: '/n/99999' } });
  expect(rowAt(root, 5)).toMatchObject({ position: 5, entry: undefined });
  expect(rowAt(root, 100_000)).toBeUndefined();
});

it('puts open children between their parent and its next sibling, at any depth', () => {
  const root = newBranch(null, 1, 1000);
  const [late, early, deep] = [newBranch('/n/700', 2, 10), newBranch('/n/2', 2, 4), newBranch('/n/2/1', 3, 2)];
  root.open.set(700, late).set(2, early);
  early.open.set(1, deep);
  expect(rowsOf(root)).toBe(1016);
  const places = Array.from({ length: 12 }, (_, n) => rowAt(root, n)).map((row) => [row?.parent.uri, row?.position]);
  expect(places).toEqual([
    [null, 0],
    [null, 1],
    [null, 2],
    ['/n/2', 0],
    ['/n/2', 1],
    ['/n/2/1', 0],
    ['/n/2/1', 1],
    ['/n/2', 2],
    ['/n/2', 3],
    [null, 3],
    [null, 4],
    [null, 5],
  ]);
  for (let n = 0; n < rowsOf(root); n++) {
    const row = rowAt(root, n);
    expect(row === undefined ? -1 : indexOf(root, row.parent, row.position)).toBe(n);
  }
  expect(above(root, deep)).toEqual({ parent: early, position: 1 });
  expect(above(root, root)).toBeUndefined();
});

it('has no row for what is closed', () => {
  const root = newBranch(null, 1, 3);
  expect(indexOf(root, newBranch('/n/1', 2, 5), 0)).toBe(-1);
  expect(rowAt(root, -1)).toBeUndefined();
});
