// Whole paths sent as one encoded segment, as existing interfaces send them.
import { expect, test } from 'vitest';
import { slashDecoder } from '../../../../apps/api/request/encoded-slashes.ts';
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { id, text, username } from '../../../../apps/api/request/parameters.ts';
import { defineRoute } from '../../../../apps/api/route.ts';

const shared = {
  operation: 'test',
  area: 'test',
  summary: 'Test',
  replies: { 200: { says: 'Fine.', shape: shape.anything } },
  access: 'public',
  handler: () => null,
} as const;
const decode = slashDecoder([
  defineRoute({ ...shared, method: 'POST', path: '/users/:id', parameters: { id: id() } }),
  defineRoute({ ...shared, method: 'POST', path: '/users/:username/login', parameters: { username: username() } }),
  defineRoute({ ...shared, method: 'GET', path: '/lists/:id', parameters: { id: id() } }),
  defineRoute({ ...shared, method: 'GET', path: '/lists/names/:name', parameters: { name: text() } }),
  defineRoute({ ...shared, method: 'GET', path: '/things/:id.xml', parameters: { id: id() } }),
  defineRoute({ ...shared, method: 'GET', path: '/files/*', parameters: { rest: text() } }),
]);

test.each([
  ['POST', '/users/admin%2Flogin', '/users/admin/login'],
  ['POST', '/users/admin%2flogin?expiring=a%2Fb', '/users/admin/login?expiring=a%2Fb'],
  ['GET', '/lists/%2Fnames%2Flevel', '/lists/names/level'],
  ['HEAD', '/lists/%2Fnames%2Flevel', '/lists/names/level'],
  ['GET', '/lists/names%2Fa%20b', '/lists/names/a%20b'],
  ['GET', '%2Fthings/4.xml', '/things/4.xml'],
])('%s %s is %s', (method, sent, meant) => {
  expect(decode(method, sent)).toBe(meant);
});

test.each([
  ['POST', '/users/a%2Fb/login', 'the slash is in a name'],
  ['GET', '/lists/names/a%2Fb', 'the slash is in a name'],
  ['GET', '/files/a%2Fb', 'the route takes the rest of the path as it is'],
  ['POST', '/users/admin%2Flogout', 'no route has the path decoded'],
  ['GET', '/users/admin%2Flogin', 'no route of the method'],
  ['GET', '/things/4%2Fxml', 'a point in the path of a route is a point'],
  ['GET', '/lists/4?q=%2F', 'what stands in the query is no path'],
])('%s %s stays: %s', (method, sent) => {
  expect(decode(method, sent)).toBe(sent);
});
