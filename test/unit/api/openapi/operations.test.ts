// Operations of the document as clients and readers get them, one of each sort: what is said, who may call, parameters, bodies, replies, commands to try.
import { expect, it } from 'vitest';
import { objectOf } from '#domain/json.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { documentOf, operationsOf } from '#test/support/openapi-document.ts';
import { curlExample } from '../../../../apps/api/openapi/curl-example.ts';
import { toPathItems } from '../../../../apps/api/openapi/operations.ts';
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { anyJsonBody, jsonArrayBody, multipart, rawBody, textBody } from '../../../../apps/api/request/body.ts';
import type { Parameters } from '../../../../apps/api/request/parameters.ts';
import {
  anything,
  boolean,
  cutInteger,
  id,
  idSet,
  integer,
  jsonParameter,
  listOf,
  optionalRepositoryId,
  recordParameter,
  repositoryId,
  resolve,
  text,
  username,
} from '../../../../apps/api/request/parameters.ts';
import type { Route } from '../../../../apps/api/route.ts';
import { defineRoute } from '../../../../apps/api/route.ts';

it('of the service', async () => {
  const document = documentOf('R-B');
  const named = new Map(operationsOf(document).map((each) => [String(each.operation['operationId']), each] as const));
  const sorts = [
    ...['login', 'createResource', 'updateResource', 'patchResource', 'listArchivalObjects', 'getArchivalObject'],
    ...['deleteAgentPerson', 'searchRepository', 'createJobWithFiles', 'exportResourceAsEad', 'beginConsoleSession'],
    ...['sendPasswordReset', 'snapshotDatabase', 'updateRepository', 'listJobs', 'listSchemas'],
  ];
  const found = sorts.flatMap((name) => named.get(name) ?? []);
  expect(found).toHaveLength(sorts.length);
  const kept = Object.fromEntries(found.map(({ method, path, operation }) => [`${method} ${path}`, operation]));
  await expectKept(keptText(kept, 3), 'openapi/operations.json');
});

it('in a document that says what it is, of whom, and what its failures are', async () => {
  for (const release of ['R-A', 'R-B'] as const) {
    const { paths, components, info, ...rest } = documentOf(release);
    const schemas = objectOf(objectOf({ components }, 'components'), 'schemas') ?? {};
    const { version, ...about } = objectOf({ info }, 'info') ?? {};
    expect([typeof version, Object.keys(objectOf({ paths }, 'paths') ?? {}).length > 300]).toEqual(['string', true]);
    const { Error: error, Problem: problem } = schemas;
    const own = { ...objectOf({ components }, 'components'), schemas: { Error: error, Problem: problem } };
    await expectKept(keptText({ ...rest, info: about, components: own }, 3), `openapi/document-${release}.json`);
  }
});

const optional = { optional: true } as const;
const all: Parameters = {
  repo_id: repositoryId(),
  id: id(),
  rest: text({ doc: 'The rest.', example: 'a/b.css' }),
  n: integer({ default: 5, doc: 'A number.' }),
  some: cutInteger(1, 250)(optional),
  needed: integer(),
  flag: boolean(),
  words: listOf(text())({ example: ['one', 'two'] }),
  numbers: listOf(integer())(),
  ids: idSet(),
  aq: jsonParameter({ example: { a: 1 } }),
  job: recordParameter('job')(),
  user: username(),
  any: anything({ optional: true, group: 'one', doc: 'Anything.' }),
  other: text({ optional: true, group: 'one' }),
  elsewhere: optionalRepositoryId(),
  resolve,
};
const common = { area: 'tests', summary: 'Test', parameters: {}, access: 'public', handler: () => null } as const;
const fine = { 200: { says: 'Fine.', shape: shape.object({ n: shape.integer }), example: { n: 1 } } } as const;
const routes: readonly Route[] = [
  defineRoute({
    ...common,
    method: ['GET', 'POST', 'DELETE'],
    path: '/repositories/:repo_id/tests/:id/*',
    operation: 'readTest',
    doc: 'Reads.',
    access: { all: ['view_repository', 'update_thing'] },
    etag: true,
    ifMatch: true,
    release: 'R-A',
    header: { name: 'x-token', example: "it's", doc: 'A token.' },
    parameters: all,
    replies: {
      ...fine,
      202: { says: 'Later.', contentType: 'text/csv', headers: { Location: 'Where.' } },
      404: 'None.',
    },
  }),
  defineRoute({
    ...common,
    method: 'PUT',
    path: '/tests/form',
    operation: 'sendForm',
    access: { any: ['a', 'b'] },
    form: true,
    parameters: { word: text({ doc: 'A word.' }), maybe: text(optional), numbers: listOf(integer())({ example: [7] }) },
    replies: { 303: { says: 'Elsewhere.', location: true }, 400: { says: 'Wrong.', shape: shape.text } },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/tests/files',
    operation: 'sendFiles',
    access: { check: () => true, says: 'Only on Mondays.' },
    repeatable: false,
    parameters: {
      title: text({ example: "It's" }),
      job: recordParameter('job')({ example: { warnings: [], prepared: {} } as never }),
    },
    body: multipart({ exampleFile: 'test/a.xml', doc: 'Files.' }),
    replies: { 200: { says: 'Stored.', shape: shape.text, also: 'text/csv' } },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/tests/stream',
    operation: 'sendStream',
    access: { all: ['view_repository'] },
    idempotent: true,
    body: rawBody({ exampleFile: 'test/a.bin' }),
    replies: { 200: { says: 'Bytes.', contentType: 'application/pdf' } },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/tests/text',
    operation: 'sendText',
    access: 'session',
    body: textBody({ example: "it's", optional: true }),
    replies: { 200: { says: 'XML.', contentType: 'application/xml', example: '<a/>' } },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/tests/:test_id',
    operation: 'patchTest',
    parameters: { test_id: id() },
    body: anyJsonBody({ mediaType: 'application/merge-patch+json', example: { a: 1 } }),
    replies: fine,
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/tests/:id',
    operation: 'listTest',
    parameters: { id: id({ example: 9 }) },
    body: jsonArrayBody({ shape: shape.list(shape.text) }),
    replies: fine,
  }),
];

it('as each part of a declaration makes them', async () => {
  await expectKept(keptText(toPathItems(routes, { header: 'x-session', release: 'R-B' }), 4), 'openapi/parts.json');
  const elder = toPathItems(routes.slice(0, 1), { header: 'x', release: 'R-A' });
  const item = objectOf(elder, '/repositories/{repo_id}/tests/{id}/{rest}');
  expect([objectOf(item, 'get')?.['operationId'], objectOf(item, 'get')?.['deprecated']]).toEqual([
    'readTest',
    undefined,
  ]);
});

it('with commands that a shell takes as they are', async () => {
  const commands = routes.flatMap((route) =>
    [route.method].flat().map((method) => curlExample(route, method, 'x-session')),
  );
  await expectKept(`${commands.join('\n\n')}\n`, 'openapi/commands.sh');
});
