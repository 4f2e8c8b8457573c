// Tags of records: what they are made of, and which of them a request names.
import { expect, it } from 'vitest';
import { json, jsonText, redirect, text } from '../../../../apps/api/reply/reply.ts';
import { jsonTextOf, matchesNone, tagOf, versionsIn } from '../../../../apps/api/reply/etag.ts';

it('are made of the version and all of the text', () => {
  const tag = tagOf('{"lock_version":12,"title":"A","parts":[{"lock_version":7}]}');
  expect(tag).toMatch(/^"12-[\w-]{27}"$/);
  expect(tagOf('{"lock_version":12,"title":"A","parts":[{"lock_version":8}]}')).not.toBe(tag);
  expect(tagOf('{}')).toMatch(/^"0-[\w-]{27}"$/);
});

it('are of what is sent as JSON and is there', () => {
  expect([{ a: 1 }, json({ a: 1 }), jsonText('{"a":1}')].map(jsonTextOf)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
  expect([json({}, 202), jsonText('{}', 404), text('x'), redirect(303, '/x')].map(jsonTextOf)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it('are named one by one, weak or strong, or all at once', () => {
  const named = ['"1-a"', 'W/"1-a"', '"0-x", W/"1-a"', ' * ', '"1-a', '1-a', '"1-ab"', '', undefined];
  expect(named.map((header) => matchesNone(header, '"1-a"'))).toEqual([
    ...[true, true, true, true],
    ...[false, false, false, false, false],
  ]);
});

it('name versions where they are strong and of this service', () => {
  expect(
    ['"3-a"', '"3-a", "14-b"', 'W/"3-a"', 'W/"3-a","4-"', ' * ', '"x-1"', '"3"', '', undefined].map(versionsIn),
  ).toEqual([...[[3], [3, 14], [], [4], 'any'], ...[[], [], [], null]]);
});
