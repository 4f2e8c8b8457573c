// Waypoints of 200 (contract, trees 1.2, 1.6).
import { expect, test } from 'vitest';
import { waypointAt, waypointsOf } from '#domain/tree/window.ts';

test('cuts a level into windows of 200', () => {
  expect([0, 1, 200, 201].map(waypointsOf)).toEqual([0, 1, 1, 2]);
});

test('finds the window of a position, also of the 200th child', () => {
  expect([0, 199, 200, 399, 400].map(waypointAt)).toEqual([0, 0, 1, 1, 2]);
});
