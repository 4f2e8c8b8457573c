// What counts as given.
import { expect, test } from 'vitest';
import { hasContent, isGiven } from '#domain/checking/content.ts';

test('null, empty texts and objects of nothing else are not given; lists always are', () => {
  expect([undefined, null, '', {}, { a: null, b: { c: '' } }].map(isGiven)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([0, false, 'x', [], { a: { b: [] } }].map(isGiven)).toEqual([true, true, true, true, true]);
  expect([hasContent({ a: {} }), hasContent({ a: { b: 1 } })]).toEqual([false, true]);
});
