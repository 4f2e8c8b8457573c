// Who gets a 403 where: every mounted route called as every default role and as nobody, against the contract's permissions. The routes run
// with their own parameters, bodies and access but without their handlers, so nothing is changed and no call waits; what handlers refuse
// beyond that (contract 2.3, 2.5) is in test/integration/api/routes/users.test.ts and groups.test.ts.
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { kinds } from '#domain/kinds/index.ts';
import { Listener } from '#store/connection/listener.ts';
import type { TestApi } from '#test/support/api.ts';
import { contractData, startTestApi } from '#test/support/api.ts';
import type { MadeServices } from '../../apps/api/make-services.ts';
import { makeServices } from '../../apps/api/make-services.ts';
import type { Parameter, ParameterType } from '../../apps/api/request/parameters.ts';
import type { Method, Route } from '../../apps/api/route.ts';
import { withoutRepeats } from '../../apps/api/route.ts';
import { buildServer } from '../../apps/api/server.ts';
import { allRoutes } from '../../apps/api/all-routes.ts';

type Needs = { readonly all?: readonly string[]; readonly any?: readonly string[]; readonly session?: true };
type Endpoint = {
  readonly method: string | readonly string[];
  readonly path: string;
  readonly session?: string;
  readonly permissions: { readonly all_of?: readonly string[]; readonly any_of?: readonly string[] };
};

// The files are trimmed from the contract's and have these shapes.
const { endpoints } = contractData('endpoints.json') as { readonly endpoints: readonly Endpoint[] };
const {
  derived,
  default_repository_groups: groups,
  administrators,
} = contractData('permissions.json') as {
  readonly derived: { readonly [code: string]: string };
  readonly default_repository_groups: { readonly [group: string]: readonly string[] };
  readonly administrators: readonly string[];
};
const { base } = contractData('validation-messages.json') as { readonly base: { readonly [schema: string]: object } };
const bodies: { readonly [schema: string]: object } = {
  ...base,
  enumeration_migration: { enum_uri: '/config/enumerations/1', from: 'a', to: 'b' },
  enumeration_value: { value: 'a' },
  webhook: { url: 'https://example.org/' },
};

const key = (method: string, path: string): string => `${method} ${path.replaceAll(/:[a-z_]+/g, ':')}`;

/** Where Muniment asks for more than the reference, which is decided, or where the contract has no such route. */
const decided: { readonly [name: string]: Needs } = {
  // Nobody makes users but who manages them (contract 7.1), and nobody without a session changes one.
  [key('POST', '/users')]: { all: ['manage_users'] },
  [key('POST', '/users/:id')]: { session: true },
  [key('POST', '/users/:id/groups')]: { all: ['manage_repository'] },
  // Of everybody in the repository; the calls here name no user (contract 6.14).
  [key('POST', '/repositories/:repo_id/preferences')]: { all: ['manage_repository'] },
  [key('POST', '/repositories/:repo_id/preferences/:id')]: { all: ['manage_repository'] },
  [key('POST', '/repositories/:repo_id/rde_templates')]: { all: ['manage_rde_templates'] },
  // The permission is that of the merge, which the handler reads.
  [key('GET', '/merge_requests/:id')]: { session: true },
  [key('POST', '/merge_requests/:id/undo')]: { session: true },
  // Of one's own alone; the calls here name no user.
  [key('POST', '/users/:id/password')]: { all: ['nobody'] },
  // Of one's own jobs; the handler reads whose they are.
  [key('GET', '/jobs')]: { session: true },
  [key('GET', '/jobs/:id')]: { session: true },
  [key('GET', '/jobs/:id/log')]: { session: true },
  [key('GET', '/jobs/:id/output_files')]: { session: true },
  [key('GET', '/jobs/:id/output_files/:file_id')]: { session: true },
  [key('POST', '/jobs/:id/cancel')]: { session: true },
  [key('GET', '/system/index-status')]: { any: ['index_system', 'administer_system'] },
  [key('GET', '/users/without-password')]: { all: ['manage_users'] },
  [key('POST', '/users/:id/invitation')]: { all: ['manage_users'] },
  [key('POST', '/users/password-hashes')]: { all: ['administer_system'] },
  // Whoever has the token of the invitation.
  [key('POST', '/users/:username/accept-invitation')]: {},
  [key('GET', '/repositories/:repo_id/identifiers_in_use')]: { all: ['import_records'] },
  [key('POST', '/system/migrations')]: { all: ['administer_system'] },
  [key('GET', '/system/migrations')]: { all: ['administer_system'] },
  [key('GET', '/system/files')]: { all: ['administer_system'] },
  [key('POST', '/system/files/move')]: { all: ['administer_system'] },
  [key('POST', '/system/load')]: { all: ['administer_system'] },
  [key('GET', '/system/loads/:mark')]: { all: ['administer_system'] },
  [key('GET', '/system/audit')]: { all: ['administer_system'] },
  [key('GET', '/system/schedules')]: { all: ['administer_system'] },
  [key('GET', '/system/doctor')]: { all: ['administer_system'] },
  [key('GET', '/system/figures')]: { all: ['administer_system'] },
  [key('POST', '/system/reindex')]: { any: ['index_system', 'administer_system'] },
  [key('GET', '/search/subjects')]: {},
  [key('POST', '/search/subjects')]: {},
  [key('GET', '/search/suggest')]: { all: ['view_all_records'] },
  [key('GET', '/repositories/:repo_id/search/suggest')]: { all: ['view_repository'] },
  ...Object.fromEntries(['GET', 'POST', 'DELETE'].map((method) => [key(method, '/console/session'), {}])),
  [key('GET', '/')]: {},
  [key('POST', '/oai')]: {},
  [key('GET', '/repositories/:repo_id/resource_descriptions/:id.html')]: { all: ['view_repository'] },
  [key('GET', '/repositories/:repo_id/resources/:id/records.ndjson')]: { all: ['view_repository'] },
  [key('GET', '/terms/:id')]: {},
  ...Object.fromEntries(
    ['', '/:id', '/:id/ping', '/:id/deliveries', '/:id/deliveries/:delivery_id/redeliver'].flatMap((end) =>
      ['GET', 'POST', 'DELETE'].map((method) => [key(method, `/webhooks${end}`), { all: ['administer_system'] }]),
    ),
  ),
  ...Object.fromEntries(
    ['resources', 'digital_objects', 'classifications'].map((plural) => [
      key('GET', `/repositories/:repo_id/${plural}/:id/tree`),
      { all: ['view_repository'] },
    ]),
  ),
};

const needs = new Map<string, Needs>([
  ...endpoints.flatMap((endpoint) =>
    [endpoint.method].flat().map((method): [string, Needs] => {
      const { all_of: all, any_of: any } = endpoint.permissions;
      return [
        key(method, endpoint.path),
        {
          ...(all === undefined ? {} : { all }),
          ...(any === undefined ? {} : { any }),
          ...(endpoint.session === 'required' ? { session: true } : {}),
        },
      ];
    }),
  ),
  ...Object.entries(decided),
]);

/**
 * Who may call: what the contract or the table says; patching and restoring ask for what updating does, seeing a history for what reading and
 * updating do, or for administrators where no permission says who may do both.
 */
function needsOf(method: string, path: string): Needs | undefined {
  const record = path.replace(/\/history(\/purge|\/:version(\/restore)?)?$/, '');
  const update = needs.get(key('POST', record));
  if (needs.has(key(method, path)) || (record === path && method !== 'PATCH')) return needs.get(key(method, path));
  if (path.endsWith('/purge')) return { any: ['purge_history', 'administer_system'] };
  if (method === 'PATCH' || path.endsWith('/restore')) return update;
  const all = [...(needs.get(key('GET', record))?.all ?? []), ...(update?.all ?? [])];
  const isJudgedByBody = routes.some(
    ({ access, method: of, path: at }) =>
      at === record && [of].flat().includes('POST') && typeof access === 'object' && 'check' in access,
  );
  return { all: all.length === 0 || isJudgedByBody ? ['administer_system'] : all };
}

/** A role: what its groups grant, in the repository that is called or in another. */
type Role = {
  readonly name: string;
  readonly isNobody?: true;
  readonly here: readonly string[];
  readonly elsewhere: readonly string[];
};
const roles: readonly Role[] = [
  { name: 'nobody', isNobody: true, here: [], elsewhere: [] },
  { name: 'a user without groups', here: [], elsewhere: [] },
  ...Object.entries(groups).map(([name, stored]): Role => ({ name, here: stored, elsewhere: [] })),
  { name: 'a manager of another repository', here: [], elsewhere: groups['repository-managers'] ?? [] },
  { name: 'administrator', here: administrators, elsewhere: [] },
];

function holds(role: Role, code: string): boolean {
  const source = derived[code];
  return source === undefined
    ? role.here.includes(code)
    : role.here.includes(source) || role.elsewhere.includes(source);
}

function mayCall(role: Role, wanted: Needs): boolean {
  if (wanted.all !== undefined) return wanted.all.every((code) => holds(role, code));
  if (wanted.any !== undefined) return wanted.any.some((code) => holds(role, code));
  return wanted.session !== true || role.isNobody !== true;
}

const routes: readonly Route[] = withoutRepeats(allRoutes()).map((route) => ({
  ...route,
  handler: () => ({ reached: true }),
}));
const calls = routes.flatMap((route) =>
  [route.method].flat().map((method): { readonly name: string; readonly method: Method; readonly route: Route } => ({
    name: `${method} ${route.path}`,
    method,
    route,
  })),
);

let api: TestApi;
let services: MadeServices;
let listener: Listener;
let server: FastifyInstance;
let repoId = 0;
const sessions = new Map<string, string | null>();

beforeAll(async () => {
  // Files may be moved where there is a storage; nobody asks this one.
  const files = { MUNIMENT_FILES_URL: 's3://archive?endpoint=http://127.0.0.1:9', MUNIMENT_FILES_NEW: 'database' };
  api = await startTestApi({ worker: false, environment: files });
  repoId = await api.repository('HERE');
  const elsewhere = await api.repository('ELSEWHERE');
  for (const role of roles) sessions.set(role.name, await sessionOf(role, elsewhere));
  const log = pino({ level: 'silent' });
  listener = new Listener({ url: api.databaseUrl });
  services = await makeServices({ config: readConfig({ PORT: '0' }), database: api.database, listener, log });
  server = buildServer(services, routes);
  await server.ready();
});
afterAll(async () => {
  await server.close();
  await services.close();
  await listener[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

async function sessionOf(role: Role, elsewhere: number): Promise<string | null> {
  if (role.isNobody === true) return null;
  if (role.name === 'administrator') return api.session;
  const username = role.name.replaceAll(' ', '-');
  const user = await api.post('/users?password=secret', { username, name: role.name });
  const [inRepository, code] = role.elsewhere.length > 0 ? [elsewhere, 'repository-managers'] : [repoId, role.name];
  const found = (await api.get(`/repositories/${inRepository}/groups?group_code=${encodeURIComponent(code)}`)).json;
  if (found.length === 1)
    await api.post(
      `/users/${user.json.id}/groups?repo_id=${inRepository}&remove_groups=false&groups[]=${found[0].uri}`,
    );
  return api.login(username, 'secret');
}

const nobodysId = '99999999';
/** Parameters of which not every text is one. */
const words: { readonly [name: string]: string } = { level: 'all', record_type: 'archival_object', to: 's3' };

/** A value that a parameter takes. */
function valueFor(name: string, type: ParameterType): readonly string[] {
  switch (type.name) {
    case 'list':
      return valueFor(name, type.of).map((value) => value);
    case 'repository':
      return [String(repoId)];
    case 'boolean':
      return ['true'];
    case 'integer':
      return [String(Math.max(1, type.minimum))];
    case 'id':
      return [nobodysId];
    case 'id_set':
      return ['1'];
    case 'json':
      return ['{}'];
    case 'record':
      return [JSON.stringify(bodies[type.schema] ?? {})];
    default:
      return [words[name] ?? 'x'];
  }
}

/** A well-formed request of a route: required parameters, one of each group, and a body that its schema accepts. */
function requestOf({ method, route }: { readonly method: Method; readonly route: Route }): {
  readonly method: Method;
  readonly url: string;
  readonly payload?: string;
  readonly headers: { readonly [name: string]: string };
} {
  const values = new Map(
    Object.entries(route.parameters).map(([name, parameter]): [string, readonly string[]] => [
      name,
      valueFor(name, parameter.type),
    ]),
  );
  const url = route.path
    .replaceAll(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(values.get(name)?.[0] ?? 'x'))
    .replace(/\*$/, 'x');
  const inPath = new Set([...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1]));
  const asked = Object.entries(route.parameters).filter(
    ([name, parameter]) =>
      !inPath.has(name) &&
      name !== 'rest' &&
      (isRequired(parameter) || parameter.type.name === 'repository' || name === 'page'),
  );
  const query = asked
    .map(
      ([name, parameter]) =>
        `${encodeURIComponent(parameter.type.name === 'list' ? `${name}[]` : name)}=${encodeURIComponent(values.get(name)?.[0] ?? 'x')}`,
    )
    .join('&');
  const { body } = route;
  if (body === undefined) return { method, url: `${url}?${query}`, headers: {} };
  if (body.form === 'multipart') {
    const fields = asked.map(
      ([name]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${values.get(name)?.[0] ?? 'x'}\r\n`,
    );
    const payload = `${fields.join('')}--b\r\nContent-Disposition: form-data; name="files[]"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n`;
    return { method, url, payload, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  }
  const sent =
    body.form === 'array' || body.form === 'stream'
      ? '[]'
      : JSON.stringify(bodies[body.schema ?? ''] ?? kinds.get(body.schema ?? '')?.example ?? {});
  return { method, url: `${url}?${query}`, payload: written(sent), headers: { 'content-type': 'application/json' } };
}

const isRequired = (parameter: Parameter<unknown>): boolean => !parameter.optional;

// Refs are checked for their form before a permission is, so the records need not exist.
const written = (text: string): string =>
  text.replaceAll(/"@(\w+)"/g, (_, kind: string) =>
    JSON.stringify((kinds.get(kind)?.uri ?? '').replace(':repo_id', String(repoId)).replace(':id', '1')),
  );

describe('every mounted route', () => {
  it.each(calls.map((call) => [call.name, call] as const))(
    'refuses exactly whom the contract refuses: %s',
    async (_, call) => {
      const wanted = needsOf(call.method, call.route.path);
      expect(wanted, 'the contract or the table `decided` says who may call it').toBeDefined();
      const request = requestOf(call);
      const got: { [role: string]: string } = {};
      const right: { [role: string]: string } = {};
      for (const role of roles) {
        const session = sessions.get(role.name) ?? null;
        const reply = await server.inject({
          ...request,
          headers: { ...request.headers, ...(session === null ? {} : { 'x-service-session': session }) },
        });
        // A check that reads the record says 404 to those who may: the records named here do not exist.
        got[role.name] =
          reply.statusCode === 200 || reply.statusCode === 202 || reply.statusCode === 404
            ? 'may'
            : reply.statusCode === 403
              ? 'may not'
              : `${reply.statusCode} ${reply.body}`;
        right[role.name] = mayCall(role, wanted ?? {}) ? 'may' : 'may not';
      }
      expect(got).toEqual(right);
    },
  );

  it('is called by ten kinds of callers', () => {
    expect(roles.map((role) => role.name)).toHaveLength(10);
    expect([...sessions.values()].filter((session) => session !== null)).toHaveLength(9);
  });
});
