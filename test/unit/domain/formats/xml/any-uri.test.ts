import { expect, it } from 'vitest';
import { addressOf } from '#domain/formats/xml/any-uri.ts';

it('escapes what no address has, whole characters and halves of them alike', () => {
  expect([
    addressOf('http://x/a b'),
    addressOf('🗺'),
    addressOf('\ud83d'),
    addressOf('100%'),
    addressOf('%20'),
    addressOf(undefined),
  ]).toEqual(['http://x/a%20b', '%F0%9F%97%BA', '%EF%BF%BD', '100%25', '%20', undefined]);
});

it('escapes what stands where it may not', () => {
  const given = ['a:b', 'a b:c/d:e', '4th:x', 'urn:isbn:1', 'http://[::1]/a[0]', 'x#a#b#c', 'mailto:a@b'];
  expect(given.map(addressOf)).toEqual([
    'a:b',
    'a%20b%3Ac/d:e',
    '4th%3Ax',
    'urn:isbn:1',
    'http://[::1]/a%5B0%5D',
    'x#a%23b%23c',
    'mailto:a@b',
  ]);
});
