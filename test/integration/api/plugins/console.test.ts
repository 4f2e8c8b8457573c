// What /console sends: one page at every address below it, its files alone, under a policy that keeps it to this service.
import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startTestApi } from '#test/support/api.ts';

const api = await startTestApi({ worker: false });
const read = (path: string, headers: { readonly [name: string]: string } = {}): Promise<Response> =>
  fetch(`${api.url}${path}`, { headers });
/** Where the page has its files. */
const filesOfPage = async (): Promise<string> =>
  /\/console\/files\/[\w-]+\//.exec(await (await read('/console')).text())?.[0] ?? '';

it('sends the page at every address, under a policy that names its one inline text', async () => {
  const reply = await read('/console');
  const text = await reply.text();
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = reply.headers.get('content-security-policy') ?? '';
  const [inline = ''] = [...text.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, code = '']) => code);
  expect(policy).toContain(`script-src 'self' 'sha256-${hash('sha256', inline, 'base64')}'`);
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
  expect(await (await read('/console/')).text()).toBe(text);
  const [of, ...others] = await Promise.all(
    ['/console/record/repositories/2/resources/1', '/console/anything/at/all'].map(async (path) =>
      (await read(path)).text(),
    ),
  );
  expect(others).toEqual([of]);
  // They differ in what is fetched beforehand alone: the search is behind the first.
  const withoutPreloads = (page = ''): string => page.replace(/<link rel="modulepreload".*>\n/g, '');
  expect(withoutPreloads(of)).toBe(withoutPreloads(text));
});

it('has the browser fetch beforehand what the first modules import, and nothing else', async () => {
  const preloaded = async (path: string): Promise<readonly string[]> =>
    [...(await (await read(path)).text()).matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, to = '']) => to);
  const imports = JSON.parse(/importmap">([^<]+)</.exec(await (await read('/console')).text())?.[1] ?? '').imports;
  const needed = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const [, to = ''] of (await (await read(path)).text()).matchAll(/\b(?:from|import) ?['"]([^'"]+)['"]/g))
      if (to.startsWith('.') || to in imports)
        await follow(to.startsWith('.') ? new URL(to, `${api.url}${path}`).pathname : imports[to]);
  };
  const files = await filesOfPage();
  await follow(`${files}apps/console/main.js`);
  expect((await preloaded('/console/jobs')).toSorted()).toEqual([...needed].toSorted());
  await follow(`${files}apps/console/finding/search.js`);
  expect((await preloaded('/console')).toSorted()).toEqual([...needed].toSorted());
});

it('sends every file that the page names, with a tag, and no other', async () => {
  const page = await (await read('/console')).text();
  const named = [...page.matchAll(/\/console\/files\/[\w./@-]+/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(6);
  const files = await filesOfPage();
  for (const path of [...named, `${files}labels.json`]) {
    const reply = await read(path);
    expect([path, reply.status]).toEqual([path, 200]);
    expect(reply.headers.get('content-type')).toMatch(/^(text\/(css|javascript)|image\/svg\+xml|application\/json)/);
    expect((await read(path, { 'if-none-match': reply.headers.get('etag') ?? '' })).status).toBe(304);
    // The version in the address is that of the content, so that a browser need never ask again.
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const elsewhere = await read(path.replace(files, '/console/files/other/'));
    expect([elsewhere.status, elsewhere.headers.get('cache-control')]).toEqual([
      200,
      'private, must-revalidate, max-age=0',
    ]);
  }
  expect((await read('/console')).headers.get('cache-control')).toBe('private, must-revalidate, max-age=0');
  for (const path of [
    'package.json',
    '../api/main.ts',
    '..%2fapi%2fmain.ts',
    'packages/preact/package.json',
    'page.html',
  ])
    expect(await (await read(`${files}${path}`)).text()).not.toMatch(/"name"|import \{|\{\{import map/);
});

it('has modules for all that modules import', async () => {
  const seen = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const reply = await read(path);
    expect([path, reply.headers.get('content-type')]).toEqual([path, 'text/javascript; charset=utf-8']);
    for (const [, to = ''] of (await reply.text()).matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g))
      await follow(new URL(to, `${api.url}${path}`).pathname);
  };
  await follow(`${await filesOfPage()}apps/console/main.js`);
  expect(seen.size).toBeGreaterThan(25);
});
