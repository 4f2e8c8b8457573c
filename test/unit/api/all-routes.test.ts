// Every route as it is declared: who may call it, what it takes, what it answers, and what else is heeded. What is said of operations and
// parameters is left out, and so are examples, which are sent as they are (test/contract/openapi/examples.test.ts).
import { expect, it } from 'vitest';
import { kinds } from '#domain/kinds/index.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { allRoutes } from '../../../apps/api/all-routes.ts';
import type { Parameter } from '../../../apps/api/request/parameters.ts';
import type { Route } from '../../../apps/api/route.ts';
import { defineRoute, withoutRepeats } from '../../../apps/api/route.ts';

const routes = withoutRepeats(allRoutes());
const namesOf = (route: Route): readonly string[] => [route.method].flat().map((method) => `${method} ${route.path}`);

// JSON has neither these nor functions.
const unsaid = { doc: undefined, summary: undefined, example: undefined };

/** A schema without what it says to readers. */
const wordless = (schema: JsonObject): unknown =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === 'description' && typeof value === 'string' ? undefined : value,
    ),
  );

function parameterOf(parameter: Parameter<unknown>): unknown {
  const { type, optional, check } = parameter;
  const { name, ...bounds } = type;
  const kept = {
    ...parameter,
    type: name,
    ...bounds,
    optional: optional || undefined,
    ...(check === undefined ? {} : { isChecked: true }),
    ...unsaid,
  };
  return JSON.stringify(kept) === JSON.stringify({ type: name }) ? name : kept;
}

function replyOf(reply: Exclude<Route['replies'][200 | 404], undefined>): unknown {
  if (typeof reply === 'string') return reply;
  if ('location' in reply) return { says: reply.says, location: true };
  const headers = 'headers' in reply ? { headers: Object.keys(reply.headers ?? {}) } : {};
  if ('contentType' in reply) return { says: reply.says, contentType: reply.contentType, ...headers };
  return {
    says: reply.says,
    schema: wordless(reply.shape.schema),
    ...('also' in reply ? { also: reply.also } : {}),
    ...headers,
  };
}

/** A route as it is kept. */
function declaredOf(route: Route): unknown {
  const { access, header, parameters, body, replies } = route;
  return {
    ...route,
    ...unsaid,
    method: undefined,
    path: undefined,
    area: undefined,
    access: isObject(access) && 'says' in access ? { says: access['says'] } : access,
    header: header?.name,
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, parameterOf(each)])),
    body: body && { ...body, ...unsaid, shape: body.shape && wordless(body.shape.schema) },
    replies: Object.fromEntries(Object.entries(replies).map(([status, reply]) => [status, replyOf(reply)])),
  };
}

it.each([...Map.groupBy(routes, ({ area }) => area)])(
  'takes and answers what it is declared to: %s',
  async (area, those) => {
    const declared = those.map((route) => [namesOf(route).join(', '), declaredOf(route)] as const);
    await expectKept(keptText(Object.fromEntries(declared)), `routes/${area.toLowerCase().replaceAll(' ', '-')}.json`);
  },
);

it('names shapes that stand once, each the same wherever a route brings it', async () => {
  const shapes = new Map<string, string>();
  const differing = new Set<string>();
  for (const { replies, body } of routes)
    for (const { components } of [
      body?.shape,
      ...Object.values(replies).map((reply) =>
        typeof reply === 'object' && 'shape' in reply ? reply.shape : undefined,
      ),
    ].filter((each) => each !== undefined))
      for (const [name, schema] of Object.entries(components)) {
        const text = JSON.stringify(wordless(schema));
        if ((shapes.get(name) ?? text) !== text) differing.add(name);
        shapes.set(name, text);
      }
  expect([...differing]).toEqual([]);
  const kept = [...shapes].filter(([name]) => !kinds.has(name)).toSorted(([one], [other]) => (one < other ? -1 : 1));
  await expectKept(
    keptText(Object.fromEntries(kept.map(([name, text]) => [name, JSON.parse(text)])), 3),
    'routes/shapes.json',
  );
});

it('has every method and path once: of two that would answer the same request the first declared stays', () => {
  const names = routes.flatMap(namesOf).map((name) => name.replace(/:[a-z_]+/g, ':'));
  expect(new Set(names).size).toBe(names.length);
  const route = {
    ...common,
    path: '/tests/:id',
    parameters: { id: { type: { name: 'id' }, optional: false } },
  } as const;
  const first = defineRoute({ ...route, method: 'GET', operation: 'first' });
  const both = defineRoute({ ...route, method: ['GET', 'POST'], operation: 'both' });
  const again = defineRoute({
    ...route,
    method: 'POST',
    path: '/tests/:test_id',
    operation: 'again',
    parameters: { test_id: route.parameters.id },
  });
  expect(withoutRepeats([first, both, again]).map(({ operation, method }) => [operation, method])).toEqual([
    ['first', ['GET']],
    ['both', ['POST']],
  ]);
});

const common = { area: 'tests', summary: 'Test', access: 'public', replies: {}, handler: () => null } as const;

it('refuses a route whose address names what is not declared', () => {
  const declare = (path: string, parameters: Route['parameters']) => () =>
    defineRoute({ ...common, method: 'GET', operation: 'test', path, parameters });
  const id: Parameter<unknown> = { type: { name: 'id' }, optional: false };
  expect(declare('/tests/:id', {})).toThrow('/tests/:id: the parameter id is not declared');
  expect(declare('/tests/:id/*', { id })).toThrow('/tests/:id/*: the parameter rest is not declared');
  expect(declare('/tests/:id/*', { id, rest: id })).not.toThrow();
});
