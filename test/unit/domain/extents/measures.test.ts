// Measures as text.
import { expect, test } from 'vitest';
import { checkMeasures } from '#domain/extents/measures.ts';
import { problemsOf } from '#test/support/problems.ts';

test.each(['1', '1.5', '10.25', '.5', ' 12 '])('takes %s', (depth) => {
  expect(problemsOf([checkMeasures], { depth, width: depth, height: depth })).toEqual({});
});

test.each(['deep', '1.234', '1,5', '-1', '.', '1.'])('refuses %s', (width) => {
  expect(problemsOf([checkMeasures], { width })).toEqual({
    width: ['must be a number with no more than 2 decimal places'],
  });
});

test('refuses long texts of blanks in one pass', () => {
  const started = performance.now();
  const blanks = ' '.repeat(200_000);
  expect(Object.keys(problemsOf([checkMeasures], { width: blanks, depth: `${blanks}x1` }))).toHaveLength(2);
  expect(performance.now() - started).toBeLessThan(10_000);
});
