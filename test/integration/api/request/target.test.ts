// The target of a request in its parts.
import { expect, test } from 'vitest';
import { pathOf, queryOf } from '../../../../apps/api/request/target.ts';

test.each([
  ['/a/b', '/a/b', ''],
  ['/a?x=1&y=%3F', '/a', 'x=1&y=%3F'],
  ['/a?x=1?y', '/a', 'x=1?y'],
  ['/a?x=1#end', '/a', 'x=1'],
  ['/a#end', '/a', ''],
  ['/a?', '/a', ''],
])('%s has the path %s and the query %s', (url, path, query) => {
  expect([pathOf(url), queryOf(url)]).toEqual([path, query]);
});
