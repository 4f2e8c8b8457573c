// Uris in little memory, and their order.
import { expect, it } from 'vitest';
import { UriSet, compareUris } from '#migrate/uri-set.ts';

it('knows uris with and without a number at the end', () => {
  const set = new UriSet();
  expect(['/a/1', '/a/1', '/b/1', '/oai_config', '/oai_config', '/a/01'].map((uri) => set.add(uri))).toEqual([
    ...[true, false, true, true, false, false],
  ]);
  expect([set.size, set.has('/a/1'), set.has('/a/2'), set.has('/oai_config')]).toEqual([3, true, false, true]);
});

it('orders by list, then by number', () => {
  expect(['/b/2', '/a/10', '/a/9', '/a/x', '/b'].toSorted(compareUris)).toEqual([
    '/a/9',
    '/a/10',
    '/a/x',
    '/b',
    '/b/2',
  ]);
});
