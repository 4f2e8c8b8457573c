import { expect, test } from 'vitest';
import { spreadAmong } from '#test/support/file-order.ts';

test('waiting files stand before every fourth of the others, in their order', () => {
  const others = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect(spreadAmong(['a', 'b'] as (number | string)[], others)).toEqual(['a', 1, 2, 3, 4, 'b', 5, 6, 7, 8, 9]);
  expect(spreadAmong([], others)).toEqual(others);
});

test('those for which there are no others come at the end', () => {
  expect(spreadAmong<number | string>(['a', 'b', 'c'], [1, 2, 3, 4, 5])).toEqual(['a', 1, 2, 3, 4, 'b', 5, 'c']);
  expect(spreadAmong<number | string>(['a', 'b'], [])).toEqual(['a', 'b']);
});
