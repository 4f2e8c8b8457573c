// The OpenAPI document in sections, the files of the page /docs, and the page of errors. The page itself is tried in docs-page.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '#domain/errors.ts';
import { productVersion } from '../../../../apps/api/openapi/product.ts';
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { slugOf } from '../../../../apps/api/openapi/sections.ts';
import { updated } from '../../../../apps/api/openapi/shapes/envelopes.ts';
import { errorsPage } from '../../../../apps/api/plugins/errors-page.ts';
import { recordBody } from '../../../../apps/api/request/body.ts';
import { listParameters } from '../../../../apps/api/request/pagination.ts';
import { id, repositoryId } from '../../../../apps/api/request/parameters.ts';
import { defineRoute } from '../../../../apps/api/route.ts';
import { systemRoutes } from '../../../../apps/api/routes/system.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer } from '#test/support/http-server.ts';

const routes = [
  ...systemRoutes,
  defineRoute({
    method: 'POST',
    path: '/repositories/:repo_id/things/:id',
    operation: 'updateThing',
    area: 'things',
    summary: 'Replace one thing',
    access: 'session',
    parameters: { repo_id: repositoryId(), id: id() },
    body: recordBody('thing', 'update', { example: { title: 'One' } }),
    replies: { 200: { says: 'Updated.', shape: updated } },
    handler: () => null,
  }),
  defineRoute({
    method: 'GET',
    path: '/things',
    operation: 'listThings',
    area: 'things',
    summary: 'List things',
    access: 'public',
    parameters: listParameters,
    replies: { 200: { says: 'Things.', shape: shape.listing(shape.record('thing')) } },
    handler: () => [],
  }),
];

let server: TestServer;
beforeAll(async () => {
  const thing = { type: 'object', properties: { title: { type: 'string' } } };
  server = await startServer(routes, { schemas: () => ({ thing, unused: { type: 'string' } }) });
});
afterAll(() => server.close());

// Reads the body too: a reply left unread holds its connection, and the server waits for it when it closes.
const statusOf = async (path: string): Promise<number> => {
  const response = await server.fetch(path);
  await response.arrayBuffer();
  return response.status;
};
const text = async (path: string): Promise<string> => (await server.fetch(path)).text();

describe('the sections of the document', () => {
  it('hold the operations of one area, and what they name, and nothing else', async () => {
    const whole = JSON.parse(await text('/openapi.json'));
    const section = JSON.parse(await text('/openapi/things.json'));
    expect(Object.keys(section.paths)).toEqual(['/repositories/{repo_id}/things/{id}', '/things']);
    expect(section.paths['/things']).toEqual(whole.paths['/things']);
    expect(section.tags).toEqual([{ name: 'things', description: 'things' }]);
    expect(section.components.schemas.updated).toEqual(whole.components.schemas.updated);
    expect(whole.components.schemas.unused).toBeDefined();
    const source = JSON.stringify(section);
    for (const [group, components] of Object.entries<object>(section.components))
      if (group !== 'securitySchemes')
        for (const name of Object.keys(components)) expect(source).toContain(`"#/components/${group}/${name}"`);
    for (const [, part, name] of source.matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(section.components[part ?? ''][name ?? '']).toBeDefined();
    expect(await statusOf('/openapi/nothing.json')).toBe(404);
  });
  it('are listed with every operation', async () => {
    const contents = JSON.parse(await text('/docs/contents.json'));
    expect(contents).toMatchObject({ version: productVersion, header: 'x-service-session' });
    const things = contents.areas.find(({ slug }: { slug: string }) => slug === 'things');
    expect(things.operations).toEqual([
      {
        id: 'updateThing',
        method: 'POST',
        path: '/repositories/{repo_id}/things/{id}',
        summary: 'Replace one thing',
        deprecated: false,
      },
      { id: 'listThings', method: 'GET', path: '/things', summary: 'List things', deprecated: false },
    ]);
    expect(slugOf('OAI-PMH')).toBe('oai-pmh');
  });
  it.each([
    ['/openapi.json', 'application/json'],
    ['/openapi/things.json', 'application/json'],
    ['/docs/contents.json', 'application/json'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/errors', 'text/html; charset=utf-8'],
    ['/docs/page.mjs', 'text/javascript; charset=utf-8'],
  ])('%s says what it is, and is sent once', async (path, type) => {
    const { headers } = await server.fetch(path);
    expect(headers.get('content-type')).toBe(type);
    const tag = headers.get('etag') ?? '';
    const again = await server.fetch(path, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('the documentation page', () => {
  it('comes with everything it needs from this server, under a strict policy', async () => {
    const response = await server.fetch('/docs');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const pending = ['/docs', '/docs/errors'];
    const met = new Set(pending);
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const reply = await server.fetch(path);
      expect([path, reply.status]).toEqual([path, 200]);
      const named = (await reply.text()).matchAll(/(?:(?:src|href)=|^import .* from )["']([^"'#]+)["']/gm);
      for (const [, name = ''] of named) {
        const target = name.replace(/^\.\//, '/docs/');
        expect(target).toMatch(/^\//);
        if (!met.has(target)) pending.push(target);
        met.add(target);
      }
    }
    expect(met.size).toBeGreaterThan(10);
    expect(await statusOf('/docs/')).toBe(200);
    for (const path of ['/docs/../package.json', '/docs/tsconfig.json', '/docs/document.ts', '/docs/page.html'])
      expect(await statusOf(path), path).toBe(404);
  });
  it('explains every error at its own address, and shows what is not markup as text', async () => {
    const page = await text('/docs/errors');
    expect(page).toBe(errorsPage());
    for (const code of Object.keys(errorTable)) expect(page).toContain(`<section id="${code}">`);
    expect(page).toContain('<code>lock_version</code>');
    expect(page).not.toMatch(/`|\]\(/);
  });
});
