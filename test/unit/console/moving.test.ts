// Moving nodes of a tree and back, on a tree that does what the service does with such requests (contract, trees 1.11 and 1.13).
import { describe, expect, it } from 'vitest';
import type { Picked, Step } from '../../../apps/console/tree/moving.ts';
import { isWithin, planMove, planUndo, topmost } from '../../../apps/console/tree/moving.ts';

type Lists = { readonly [parent: string]: readonly string[] };
const keyOf = (parent: string | null): string => parent ?? '';

/** One node goes to a rank: it is appended where it is new, and ranks beyond the end are the end. */
function place(lists: Lists, node: string, parent: string, position: number): Lists {
  const without = Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, list.filter((n) => n !== node)]));
  const list = without[parent] ?? [];
  const rank = Math.min(position, list.length);
  return { ...without, [parent]: [...list.slice(0, rank), node, ...list.slice(rank)] };
}

function accept(lists: Lists, { parent, children, position }: Step): Lists {
  const target = keyOf(parent);
  const size = new Set([...(lists[target] ?? []), ...children]).size;
  const start = Math.min(position, size - children.length);
  const rank = (lists[target] ?? []).indexOf(children[0] ?? '');
  const order = children.map((child, index) => [child, start + index] as const);
  const folded = rank >= 0 && rank < start ? order.toReversed() : order;
  return folded.reduce((now, [child, at]) => place(now, child, target, at), lists);
}

const pick = (lists: Lists, uri: string): Picked => {
  const [parent = '', list = []] = Object.entries(lists).find(([, each]) => each.includes(uri)) ?? [];
  const position = list.indexOf(uri);
  const top = (lists[''] ?? []).indexOf(parent);
  return {
    uri,
    title: uri,
    parent: parent === '' ? null : parent,
    position,
    above: parent === '' ? [] : [parent],
    path: parent === '' ? [position] : [top, position],
  };
};

const lists: Lists = { '': ['A', 'B', 'C', 'D', 'E'], A: ['a', 'b', 'c', 'd'], E: ['x', 'y', 'z'] };

describe.each<readonly [nodes: string, parent: string | null, position: number, then: string]>([
  ['B', null, 5, 'ACDEB'],
  ['D', null, 0, 'DABCE'],
  ['BD', null, 5, 'ACEBD'],
  ['DE', null, 1, 'ADEBC'],
  ['BE', null, 3, 'ACBED'],
  ['bx', null, 2, 'ABbxCDE'],
  ['Cbx', null, 1, 'ACbxBDE'],
  ['xz', 'A', 1, 'axzbcd'],
  ['ay', 'A', 4, 'bcday'],
  ['BC', 'A', 4, 'abcdBC'],
])('%s below %s at %d', (nodes, parent, position, then) => {
  const picked = topmost([...nodes].map((node) => pick(lists, node)));
  const steps = planMove(picked, { parent, position, above: parent === null ? [] : [parent] });
  const after = steps.reduce(accept, lists);

  it('puts them there, next to each other and in the order of the tree', () => {
    expect(new Set(after[keyOf(parent)])).toEqual(new Set(then));
    const own = (after[keyOf(parent)] ?? []).filter((node) => !nodes.includes(node)).join('');
    expect(own).toBe([...then].filter((node) => !nodes.includes(node)).join(''));
    expect((after[keyOf(parent)] ?? []).join('')).toContain(picked.map(({ uri }) => uri).join(''));
    expect((after[keyOf(parent)] ?? []).indexOf(picked[0]?.uri ?? '')).toBe(
      Math.min(...[...nodes].map((node) => then.indexOf(node))),
    );
  });

  it('takes that back', () => {
    expect(planUndo(picked, parent).reduce(accept, after)).toEqual(lists);
  });
});

it('moves what is picked with its parent along with it, and nothing below itself', () => {
  const picked = ['b', 'E', 'A'].map((node) => pick(lists, node));
  expect(topmost(picked).map(({ uri }) => uri)).toEqual(['A', 'E']);
  expect(isWithin(topmost(picked), { parent: 'A', position: 0, above: ['A'] })).toBe(true);
  expect(isWithin(topmost(picked), { parent: null, position: 0, above: [] })).toBe(false);
});
