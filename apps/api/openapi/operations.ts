// The operations of the document: what each route is called, who may call it, what it takes and what it answers.
import type { Config } from '#domain/config.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { curlExample } from './curl-example.ts';
import { headersOf, toParameters } from './parameters.ts';
import { toReplies } from './replies.ts';
import { toRequestBody } from './request-body.ts';
import { pathNames } from '../route.ts';
import type { Method, Route } from '../route.ts';

type SettableObject = { [property: string]: Json | undefined };

/** For whom the document is: the session header's name, and the release that the service speaks. */
export type Audience = { readonly header: string; readonly release: Config['MUNIMENT_RELEASE'] };

/** Path items by path. Paths that differ by the names of their parameters alone are one, under the names of the first. */
export function toPathItems(routes: readonly Route[], audience: Audience): JsonObject {
  const paths: { [path: string]: SettableObject } = {};
  const spelled = new Map<string, string>();
  for (const route of routes) {
    const key = route.path.replace(/:[a-z_]+/g, ':');
    const path = spelled.get(key) ?? route.path;
    spelled.set(key, path);
    const item = (paths[toTemplate(path)] ??= {});
    for (const method of methodsOf(route))
      item[method.toLowerCase()] = toOperation(named(route, path), method, audience);
  }
  return paths;
}

const toTemplate = (path: string): string => path.replace(/:([a-z_]+)/g, '{$1}').replace(/\*$/, '{rest}');

/** The methods of a route as a list. */
const methodsOf = (route: Route): readonly Method[] =>
  typeof route.method === 'string' ? [route.method] : route.method;

/** The route with the parameters of its path under the names that another spelling of the path gives them. */
function named(route: Route, path: string): Route {
  if (route.path === path) return route;
  const own = pathNames(route.path);
  const names = new Map(pathNames(path).map((name, index) => [own[index] ?? name, name]));
  const parameters = Object.fromEntries(
    Object.entries(route.parameters).map(([name, parameter]) => [names.get(name) ?? name, parameter]),
  );
  return { ...route, path, parameters };
}

function toOperation(route: Route, method: Method, audience: Audience): JsonObject {
  const example = curlExample(route, method, audience.header);
  const body = toRequestBody(route, method);
  const description = [route.doc, accessText(route), releaseText(route), `\`\`\`sh\n${example}\n\`\`\``]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    tags: [route.area],
    operationId: operationId(route, method),
    summary: route.summary,
    description,
    ...(isDeprecated(route, audience.release) ? { deprecated: true } : {}),
    security: route.access === 'public' ? [] : [{ session: [] }],
    parameters: [...toParameters(route, method), ...headersOf(route, method)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: toReplies(route, method),
    'x-permission': permissionOf(route),
    'x-release': route.release === undefined ? ['R-A', 'R-B'] : [route.release],
    'x-codeSamples': [{ lang: 'Shell', source: example }],
  };
}

/** The name of an operation: that of the route for its first method, with the method's name for further ones. */
function operationId(route: Route, method: Method): string {
  if (methodsOf(route)[0] === method) return route.operation;
  return `${route.operation}By${method.slice(0, 1)}${method.slice(1).toLowerCase()}`;
}

/** What the older release alone has is there for its clients; those of the newer one should not begin with it. */
const isDeprecated = (route: Route, release: Audience['release']): boolean =>
  route.release === 'R-A' && release === 'R-B';

const releaseText = (route: Route): string | undefined =>
  route.release === undefined ? undefined : `Part of release ${route.release} of the interface; served in both.`;

const isInRepository = (route: Route): boolean =>
  Object.values(route.parameters).some(({ type }) => type.name === 'repository');

/** Who may call a route, for programs. */
function permissionOf(route: Route): Json {
  const { access } = route;
  if (typeof access === 'string') return access;
  if ('check' in access) return { says: access.says };
  return { ...access, in: isInRepository(route) ? 'repository' : 'global' };
}

/** Who may call a route, as a sentence. */
function accessText(route: Route): string {
  const { access } = route;
  const where = isInRepository(route) ? ' in the repository' : '';
  if (access === 'public') return 'Open to everybody.';
  if (access === 'session') return 'Needs a session.';
  if ('check' in access) return access.says;
  const codes = 'all' in access ? access.all : access.any;
  const list = codes.map((code) => `\`${code}\``);
  if (list.length === 1) return `Needs the permission ${list[0]}${where}.`;
  return 'all' in access
    ? `Needs the permissions ${list.join(' and ')}${where}.`
    : `Needs one of the permissions ${list.join(', ')}${where}.`;
}
