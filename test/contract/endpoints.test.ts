// Walks the contract's list of endpoints (test/contract/data/endpoints.json): each is mounted, refuses missing parameters in the
// contract's shape, and refuses a caller without its permissions. Requests carry ids that no record has, so nothing is changed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '#domain/kinds/index.ts';
import type { Ask, Reply, TestApi } from '#test/support/api.ts';
import { contractData, startTestApi } from '#test/support/api.ts';
import { allRoutes } from '../../apps/api/all-routes.ts';

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly type: unknown;
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly undeclared?: boolean;
};
type Endpoint = {
  readonly method: string | readonly string[];
  readonly path: string;
  readonly release: string;
  readonly session?: string;
  readonly permissions: { readonly all_of?: readonly string[]; readonly any_of?: readonly string[] };
  readonly params: readonly Parameter[];
  readonly paginated?: string;
};
type One = Endpoint & { readonly method: string; readonly name: string };
type Body = { readonly [property: string]: unknown };

// The files are copies of the contract's and have these shapes.
const { endpoints } = contractData('endpoints.json') as { readonly endpoints: readonly Endpoint[] };
const bodies: { readonly [schema: string]: Body } = {
  ...(contractData('validation-messages.json') as { readonly base: { readonly [kind: string]: Body } }).base,
  enumeration_migration: { enum_uri: '/config/enumerations/1', from: 'a', to: 'b' },
  enumeration_value: { value: 'a' },
};

const all: readonly One[] = endpoints.flatMap((endpoint) =>
  [endpoint.method].flat().map((method) => ({ ...endpoint, method, name: `${method} ${endpoint.path}` })),
);
const missing = ['Parameter required but no value provided'];
const nobody = '99999999';

/** Parameters that are not insisted on: a job whose kind needs no files may be sent without. */
const dispensable = new Set(['POST /repositories/:repo_id/jobs_with_files files']);

/** Where what a caller may do is checked in the handler alone, or a session is enough. */
const needsMore = all.filter(
  (endpoint) =>
    endpoint.session === 'required' && (endpoint.permissions.all_of ?? endpoint.permissions.any_of ?? []).length > 0,
);
/** What the contract lets callers without a session read (2.4). The date calculator refuses them all the same. */
const open = all.filter(
  (endpoint) => endpoint.method === 'GET' && endpoint.session !== 'required' && endpoint.path !== '/date_calculator',
);
const queryOf = (endpoint: One): readonly Parameter[] =>
  endpoint.params.filter(
    (parameter) => parameter.in === 'query_or_form' && parameter.optional !== true && parameter.default === undefined,
  );
const bodyOf = (endpoint: One): Parameter | undefined => endpoint.params.find((parameter) => parameter.in === 'body');

describe('every endpoint of the contract', () => {
  let api: TestApi;
  let repoId = 0;
  let stranger = '';
  beforeAll(async () => {
    // Long polls answer at once: nobody makes news here.
    api = await startTestApi({ worker: false, environment: { MUNIMENT_LONG_POLL_SECONDS: '0' } });
    repoId = await api.repository('END');
    stranger = await api.userWith([], repoId);
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  const ask = (
    endpoint: One,
    options: { readonly session: string | null; readonly complete: boolean },
  ): Promise<Reply> => {
    const path = endpoint.path
      .replace(':repo_id', String(repoId))
      .replaceAll(/:(fmt)\b/g, 'xml')
      .replaceAll(/:(record_type|schema)\b/g, 'resource')
      .replaceAll(/:[a-z_]+/g, nobody)
      .replace('*', 'x');
    const query = options.complete
      ? `?${queryOf(endpoint).map(valueOf).join('&')}${endpoint.paginated === undefined ? '' : '&page=1'}`
      : '';
    const body = bodyOf(endpoint);
    const sent: Ask = {
      method: endpoint.method,
      session: options.session,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(bodyFor(body.type)), headers: { 'content-type': 'application/json' } }),
    };
    return api.ask(`${path}${query}`, sent);
  };

  const upload = (session: string | null): Promise<Reply> => {
    const form = [
      ['job', JSON.stringify(bodies['job'])],
      ['files[]"; filename="a.txt', 'x'],
    ].map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    return api.ask(`/repositories/${repoId}/jobs_with_files`, {
      method: 'POST',
      session,
      body: `${form.join('')}--b--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
  };

  const bodyFor = (type: unknown): unknown => {
    const kind = typeof type === 'object' && type !== null && 'jsonmodel' in type ? String(type.jsonmodel) : '';
    return written(bodies[kind] ?? (kind === '' ? [] : {}));
  };

  // Refs are checked for their form before a permission is, so the records need not exist.
  const written = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value).replace(/"@(\w+)"/g, (_, kind: string) =>
        JSON.stringify((kinds.get(kind)?.uri ?? '').replace(':repo_id', String(repoId)).replace(':id', '1')),
      ),
    );

  it.each(all.map((endpoint) => [endpoint.name, endpoint] as const))('is mounted: %s', async (_, endpoint) => {
    // Not by a request alone: another route may take its path, as POST /locations/:id takes /locations/batch.
    expect(declared.has(withoutNames(endpoint.name))).toBe(true);
    const reply = await ask(endpoint, { session: null, complete: false });
    expect(isUnknownRoute(reply)).toBe(false);
    expect(reply.status).toBeLessThan(500);
  });

  // Harvesters are answered in the errors of their protocol (test/contract/oai).
  it.each(
    all
      .filter((endpoint) => endpoint.name !== 'GET /oai')
      .filter((endpoint) => queryOf(endpoint).length > 0 || endpoint.paginated !== undefined)
      .map((endpoint) => [endpoint.name, endpoint] as const),
  )('names missing parameters: %s', async (_, endpoint) => {
    // Uploads are refused to callers without a session before anything else.
    const reply = await ask(endpoint, { session: api.session, complete: false });
    const pages =
      endpoint.paginated === undefined
        ? []
        : endpoint.paginated.includes('id_set')
          ? ['page', 'id_set', 'all_ids']
          : ['page'];
    const names = [
      ...queryOf(endpoint)
        .map((parameter) => parameter.name)
        .filter((name) => !dispensable.has(`${endpoint.name} ${name}`)),
      ...pages,
    ];
    expect({ status: reply.status, body: reply.json }).toEqual({
      status: 400,
      body: { error: Object.fromEntries(names.map((name) => [name, missing])) },
    });
  });

  it.each(needsMore.map((endpoint) => [endpoint.name, endpoint] as const))(
    'refuses callers without permission: %s',
    async (_, endpoint) => {
      for (const session of [null, stranger]) {
        const reply = await (endpoint.path.endsWith('/jobs_with_files')
          ? upload(session)
          : ask(endpoint, { session, complete: true }));
        expect({ status: reply.status, body: reply.json }).toEqual({ status: 403, body: { error: 'Access denied' } });
      }
    },
  );

  it.each(open.map((endpoint) => [endpoint.name, endpoint] as const))('lets anybody read: %s', async (_, endpoint) => {
    const reply = await ask(endpoint, { session: null, complete: true });
    expect(reply.status).not.toBe(403);
  });
});

const withoutNames = (name: string): string => name.replaceAll(/:[a-z_]+/g, ':');
const declared = new Set(
  allRoutes().flatMap((route) => [route.method].flat().map((method) => withoutNames(`${method} ${route.path}`))),
);

const isUnknownRoute = (reply: Reply): boolean => reply.status === 404 && reply.json?.error === 'Not found';

function valueOf(parameter: Parameter): string {
  const isList = typeof parameter.type === 'object' && parameter.type !== null && 'array_of' in parameter.type;
  const value = String(isList ? Object.values(parameter.type ?? {})[0] : parameter.type).includes('integer')
    ? '1'
    : parameter.type === 'boolean'
      ? 'true'
      : 'x';
  return `${encodeURIComponent(parameter.name)}${isList ? '[]' : ''}=${value}`;
}
