// JSON Merge Patch: the examples of RFC 7396, appendix A.
import { expect, it } from 'vitest';
import type { Json } from '#domain/json.ts';
import { mergeObject, mergePatch } from '#domain/checking/merge-patch.ts';

const examples: readonly (readonly [Json, Json, Json])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

it.each(examples)('%j patched with %j is %j', (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

it('leaves prototypes alone', () => {
  const merged = mergeObject({}, JSON.parse('{"__proto__": {"polluted": true}}'));
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect('polluted' in {}).toBe(false);
});
