// Positions are remembered for one version of a tree and no other.
import { expect, test } from 'vitest';
import { PositionMemory } from '#store/trees/position-memory.ts';

test('gives positions of the version they were kept for alone', () => {
  const memory = new PositionMemory();
  memory.keep('archival_object 1', '7', 384, [30, 10, 20]);
  expect([30, 10, 20, 40].map((id) => memory.find('archival_object 1', '7', id))).toEqual([384, 385, 386, undefined]);
  expect(memory.find('archival_object 1', '8', 30)).toBeUndefined();
  expect(memory.find('archival_object 2', '7', 30)).toBeUndefined();
});

test('forgets all of a tree when it has another version', () => {
  const memory = new PositionMemory();
  memory.keep('t 1', '7', 0, [1, 2]);
  memory.keep('t 1', '8', 0, [2]);
  expect([memory.find('t 1', '7', 1), memory.find('t 1', '8', 1), memory.find('t 1', '8', 2)]).toEqual([
    undefined,
    undefined,
    0,
  ]);
});

test('holds no more nodes than it may: the tree begun first goes first', () => {
  const memory = new PositionMemory(4);
  memory.keep('t 1', '1', 0, [1, 2]);
  memory.keep('t 2', '1', 0, [3, 4]);
  memory.keep('t 3', '1', 0, [5]);
  expect([memory.find('t 1', '1', 1), memory.find('t 2', '1', 3), memory.find('t 3', '1', 5)]).toEqual([
    undefined,
    0,
    0,
  ]);
});
