// Ranges of shelf labels (contract 6.9).
import { expect, test } from 'vitest';
import { stringRange, successor } from '#domain/locations/string-range.ts';

test.each([
  ['1', '10', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']],
  ['08', '11', ['08', '09', '10', '11']],
  ['A', 'F', ['A', 'B', 'C', 'D', 'E', 'F']],
  ['aa', 'ad', ['aa', 'ab', 'ac', 'ad']],
  ['x', 'ab', []],
  ['a', 'ab', ['a', ...'bcdefghijklmnopqrstuvwxyz', 'aa', 'ab']],
  ['A9', 'B1', ['A9', 'B0', 'B1']],
  ['3', '1', []],
  ['b', 'a', []],
])('%s to %s', (start, end, texts) => expect(stringRange(start, end, 1000)).toEqual(texts));

test('is cut where it is longest', () => expect(stringRange('1', '9999999999999999999', 3)).toEqual(['1', '2', '3']));

test.each([
  ['a', 'b'],
  ['az', 'ba'],
  ['zz', 'aaa'],
  ['Zz', 'AAa'],
  ['a9', 'b0'],
  ['9', '10'],
  ['1.9', '2.0'],
  ['<<', '<='],
])('after %s comes %s', (text, next) => expect(successor(text)).toBe(next));
