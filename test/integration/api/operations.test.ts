// What operators and readers of the documentation see: health, metrics, the OpenAPI document, the version.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordBody } from '../../../apps/api/request/body.ts';
import { listParameters } from '../../../apps/api/request/pagination.ts';
import { id, integer, repositoryId } from '../../../apps/api/request/parameters.ts';
import { productVersion } from '../../../apps/api/openapi/product.ts';
import { shape } from '../../../apps/api/openapi/shape.ts';
import { updated } from '../../../apps/api/openapi/shapes/envelopes.ts';
import { defineRoute } from '../../../apps/api/route.ts';
import { systemRoutes } from '../../../apps/api/routes/system.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer, tokens } from '#test/support/http-server.ts';

const routes = [
  ...systemRoutes,
  defineRoute({
    method: 'POST',
    path: '/repositories/:repo_id/things/:id',
    operation: 'updateThing',
    area: 'things',
    summary: 'Replace one thing',
    doc: 'Replaces it as a whole.',
    access: { all: ['update_thing', 'view_repository'] },
    parameters: { repo_id: repositoryId(), id: id(), position: integer({ default: 0, doc: 'Its place.' }) },
    body: recordBody('thing', 'update', { example: { title: 'One' } }),
    replies: { 200: { says: 'Updated.', shape: updated }, 409: 'Another update came first.' },
    handler: () => null,
  }),
  defineRoute({
    method: 'GET',
    path: '/things',
    operation: 'listThings',
    area: 'things',
    summary: 'List things',
    access: { check: () => true, says: 'Open on Sundays.' },
    parameters: listParameters,
    replies: { 200: { says: 'Things.', shape: shape.listing(shape.record('thing')) } },
    handler: () => [],
  }),
];

let server: TestServer;
let isReady = true;
beforeAll(async () => {
  server = await startServer(routes, {
    schemas: () => ({ thing: { type: 'object', properties: { title: { type: 'string' } } } }),
    services: { isReady: async () => isReady },
  });
});
afterAll(() => server.close());

const text = async (path: string, init?: RequestInit): Promise<string> => (await server.fetch(path, init)).text();

describe('health', () => {
  it('tells that the process lives', async () => {
    expect(await text('/health/live')).toBe('{"status":"ok"}\n');
  });
  it('tells whether the database answers', async () => {
    expect((await server.fetch('/health/ready')).status).toBe(200);
    isReady = false;
    expect((await server.fetch('/health/ready')).status).toBe(503);
    isReady = true;
  });
});

describe('metrics', () => {
  it('count requests by route and status, not by address', async () => {
    await server.fetch('/things?page=1');
    await server.fetch('/nothing/here');
    const metrics = await text('/metrics');
    expect(metrics).toMatch(/muniment_request_duration_seconds_count\{method="GET",route="\/things",status="200"\} 1/);
    expect(metrics).toMatch(/muniment_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/);
    // Reading what waits takes up to two connections itself; this server's database does not exist.
    expect(metrics).toMatch(/^muniment_database_connections [0-2]$/m);
    expect(metrics).toMatch(/muniment_event_loop_delay_p99_seconds [\d.e-]+/);
  });
  it('are hidden from requests that a proxy forwarded, except to administrators', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    expect((await server.fetch('/metrics', { headers: forwarded })).status).toBe(403);
    expect(
      (await server.fetch('/metrics', { headers: { ...forwarded, 'X-Service-Session': tokens.reader } })).status,
    ).toBe(403);
    expect(
      (await server.fetch('/metrics', { headers: { ...forwarded, 'X-Service-Session': tokens.admin } })).status,
    ).toBe(200);
  });
});

describe('the version', () => {
  it('stands in parentheses as clients read it', async () => {
    const response = await server.fetch('/version');
    expect(response.headers.get('content-type')).toBe('text/html;charset=utf-8');
    expect(await response.text()).toMatch(/^Muniment \(v4\.1\.1\)$/);
  });
  it('of the product is that of the package', async () => {
    const packageFile: unknown = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(packageFile).toMatchObject({ version: productVersion });
    expect(JSON.parse(await text('/'))).toMatchObject({
      name: 'Muniment',
      version: productVersion,
      interface_release: 'R-B',
    });
  });
});

describe('the OpenAPI document', () => {
  it('describes a route from its declaration', async () => {
    const document = JSON.parse(await text('/openapi.json'));
    expect(document.openapi).toBe('3.1.0');
    const operation = document.paths['/repositories/{repo_id}/things/{id}'].post;
    expect(operation).toMatchObject({
      tags: ['things'],
      summary: 'Replace one thing',
      security: [{ session: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } },
      },
      parameters: [
        { name: 'repo_id', in: 'path', required: true },
        { name: 'id', in: 'path', required: true },
        {
          name: 'position',
          in: 'query',
          required: false,
          description: 'Its place.',
          schema: { type: 'integer', default: 0 },
        },
        { name: 'Prefer', in: 'header', required: false },
        { name: 'Idempotency-Key', in: 'header', required: false },
      ],
    });
    expect(operation.description).toContain(
      'Needs the permissions `update_thing` and `view_repository` in the repository.',
    );
    expect(operation.description).toContain(
      'curl -g -X POST "$MUNIMENT/repositories/2/things/1" \\\n  -H "x-service-session: $SESSION" \\\n  -H \'Content-Type: application/json\' \\\n  -d \'{"title":"One"}\'',
    );
    expect(Object.keys(operation.responses)).toEqual([
      '200',
      '400',
      '403',
      '404',
      '409',
      '412',
      '413',
      '422',
      'default',
    ]);
    expect(document.components.schemas.thing.properties).toEqual({ title: { type: 'string' } });
    expect(operation).toMatchObject({
      operationId: 'updateThing',
      'x-permission': { all: ['update_thing', 'view_repository'], in: 'repository' },
      'x-release': ['R-A', 'R-B'],
    });
    expect(operation.responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/updated',
    });
    expect(document.components.schemas.updated.required).toContain('lock_version');
  });
  it('names lists with their brackets and says who may call', async () => {
    const operation = JSON.parse(await text('/openapi.json')).paths['/things'].get;
    expect(operation.parameters.map((parameter: { name: string }) => parameter.name)).toContain('resolve[]');
    expect(operation.description).toContain('Open on Sundays.');
    expect(operation.description).toContain('"$MUNIMENT/things?page=1"');
  });
  it('refers to nothing that it lacks', async () => {
    const source = await text('/openapi.json');
    const document = JSON.parse(source);
    for (const [, part, name] of source.matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(document.components[part ?? ''][name ?? '']).toBeDefined();
  });
});
