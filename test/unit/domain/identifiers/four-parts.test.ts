// Identifiers in four parts.
import { expect, test } from 'vitest';
import { identifierFits, identifierHasNoGaps, identifierKey, identifierText } from '#domain/identifiers/four-parts.ts';
import { problemsOf } from '#test/support/problems.ts';

test.each([
  [{ id_0: 'A' }, 'A', '["A",null,null,null]'],
  [{ id_0: 'A', id_1: '1', id_2: '2', id_3: '3' }, 'A-1-2-3', '["A","1","2","3"]'],
  [{}, '', null],
])('shows and compares %o', (body, text, key) => {
  expect(identifierText(body)).toBe(text);
  expect(identifierKey(body)).toBe(key);
});

test('tells parts apart that join to one text', () => {
  expect(identifierKey({ id_0: 'A-1' })).not.toBe(identifierKey({ id_0: 'A', id_1: '1' }));
});

test.each([
  [{ id_0: 'A', id_2: 'z' }, { identifier: ['must not contain blank entries'] }],
  [{ id_3: 'z' }, { identifier: ['must not contain blank entries'] }],
  [{ id_0: 'A', id_1: 'b' }, {}],
  // Its type is told of where types are checked.
  [{ id_0: 5, id_1: 'b' }, {}],
  [{}, {}],
])('refuses a gap in %o', (body, expected) => {
  expect(problemsOf([identifierHasNoGaps], body)).toEqual(expected);
});

test('refuses parts above 50 characters, counted as people count', () => {
  expect(problemsOf([identifierFits], { id_0: 'x'.repeat(51), id_1: '𝄞'.repeat(50) })).toEqual({
    id_0: ['Max length is 50 characters'],
  });
});
