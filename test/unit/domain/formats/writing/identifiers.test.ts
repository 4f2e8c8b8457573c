// Values that XML schemas restrict.
import { expect, test } from 'vitest';
import { anyUri, createIds, nameToken, prefixedId } from '#domain/formats/writing/identifiers.ts';

test('ids are prefixed once and hold what an id may hold', () => {
  expect([prefixedId('a:b c'), prefixedId('aspace_x'), prefixedId('1')]).toEqual([
    'aspace_a_b_c',
    'aspace_x',
    'aspace_1',
  ]);
});

test('a document has each id once', () => {
  const ids = createIds();
  expect([ids.claim('a'), ids.claim('a'), ids.claim('aspace_a'), ids.claim('b'), ids.claim(undefined)]).toEqual([
    'aspace_a',
    undefined,
    undefined,
    'aspace_b',
    undefined,
  ]);
});

test('a document of 20,000 ids has each once', () => {
  const ids = createIds();
  const claimed = Array.from({ length: 40_000 }, (_, n) => ids.claim(`c${n % 20_000}`));
  expect(claimed.slice(0, 20_000)).toEqual(Array.from({ length: 20_000 }, (_, n) => `aspace_c${n}`));
  expect(claimed.slice(20_000).every((id) => id === undefined)).toBe(true);
});

test('name tokens hold no blanks, addresses neither, and what is encoded stays', () => {
  expect(nameToken(' Sub-series (old) ')).toBe('Sub-series__old_');
  expect(anyUri(' http://x/ä b%20c%zz#a#b')).toBe('http://x/ä%20b%20c%25zz#a%23b');
});
