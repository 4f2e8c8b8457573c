// The pace of a job's phases.
import { expect, it } from 'vitest';
import { createPacer, expectedTotal } from '#domain/pace.ts';

it('tells rate and time left of each phase from its own beginning, once it has lasted a second', () => {
  let ms = 5000;
  const pace = createPacer(() => ms);
  const step = (atMs: number, label: string, done: number, total: number | null) => {
    ms = atMs;
    return pace({ label, done, total });
  };
  expect(step(5000, 'Saving', 100, 1000)).toEqual({
    label: 'Saving',
    done: 100,
    total: 1000,
    per_second: null,
    seconds_left: null,
  });
  expect(step(5900, 'Saving', 150, 1000)).toMatchObject({ per_second: null, seconds_left: null });
  expect(step(7000, 'Saving', 200, 1000)).toMatchObject({ per_second: 50, seconds_left: 16 });
  expect(step(9000, 'Saving', 1000, 1000)).toMatchObject({ per_second: 225, seconds_left: 0 });
  expect(step(9500, 'Cleaning', 0, null)).toMatchObject({ per_second: null, seconds_left: null });
  expect(step(11_500, 'Cleaning', 10, null)).toMatchObject({ per_second: 5, seconds_left: null });
  expect(step(15_500, 'Cleaning', 0, 10)).toMatchObject({ per_second: 0, seconds_left: null });
});

it('expects as many as the part of the file that was read lets expect, never fewer than there were, and exactly those at its end', () => {
  expect(expectedTotal(0, 0, 1000)).toBeNull();
  expect(expectedTotal(0, 500, 1000)).toBeNull();
  expect(expectedTotal(30, 300, 1000)).toBe(100);
  expect(expectedTotal(1, 999, 1000)).toBe(1);
  expect(expectedTotal(99, 1000, 1000)).toBe(99);
  expect(expectedTotal(7, 1100, 1000)).toBe(7);
});
