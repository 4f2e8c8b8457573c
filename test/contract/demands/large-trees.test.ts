// A collection of two thousand components over HTTP, of five thousand in a long run: it is opened and walked in small replies, exported as a
// stream, sorted in one request and deleted in one, and nothing of it is left behind.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { amount } from '#test/support/long.ts';

const siblings = amount(2000, 5000);
const windowSize = 200;
let api: TestApi;
let repoId = 0;
let large = '';
let small = '';
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  small = await collection('SMALL', windowSize);
  large = await collection('LARGE', siblings);
});
afterAll(async () => api[Symbol.asyncDispose]());

/** The component_id of the nth component: in another order than the components. */
const identifier = (n: number): string => String((n * 7919) % siblings).padStart(5, '0');
const title = (n: number): string => `Sheet ${String(n).padStart(5, '0')}`;

/** Imports a resource with so many components side by side; gives its uri. */
async function collection(code: string, count: number): Promise<string> {
  const R = `/repositories/${repoId}`;
  const resource = {
    jsonmodel_type: 'resource',
    uri: `${R}/resources/import_r`,
    title: code,
    id_0: code,
    level: 'collection',
    publish: true,
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
    dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
    lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
  };
  const components = Array.from({ length: count }, (_, n) => ({
    jsonmodel_type: 'archival_object',
    uri: `${R}/archival_objects/import_${n}`,
    title: title(n),
    component_id: identifier(n),
    level: 'file',
    publish: true,
    position: n,
    resource: { ref: resource.uri },
  }));
  const reply = await api.ask(`${R}/batch_imports`, { body: JSON.stringify([resource, ...components]) });
  return reply.json.at(-1).saved[resource.uri][0];
}

const waypoint = (resource: string, offset: number) => api.get(`${resource}/tree/waypoint?offset=${offset}`);
async function children(
  resource: string,
): Promise<readonly { readonly title: string; readonly uri: string; readonly position: number }[]> {
  const { waypoints } = ok(await api.get(`${resource}/tree/root`));
  const found = [];
  for (let offset = 0; offset < waypoints; offset++) found.push(...ok(await waypoint(resource, offset)));
  return found;
}

test('opening it takes no more than opening a small one, at its end as at its start', async () => {
  const [root, smallRoot] = [await api.get(`${large}/tree/root`), await api.get(`${small}/tree/root`)];
  expect(root.json).toMatchObject({
    child_count: siblings,
    waypoints: siblings / windowSize,
    waypoint_size: windowSize,
  });
  expect(root.text.length).toBeLessThan(smallRoot.text.length * 1.1);
  const last = await waypoint(large, siblings / windowSize - 1);
  expect(last.json.map((child: { readonly title: string }) => child.title)).toEqual(
    Array.from({ length: windowSize }, (_, n) => title(siblings - windowSize + n)),
  );
  expect(last.text.length).toBeLessThan((await waypoint(small, 0)).text.length * 1.1);
});

test('walking it visits every component once and in order', async () => {
  expect((await children(large)).map((child) => [child.title, child.position])).toEqual(
    Array.from({ length: siblings }, (_, n) => [title(n), n]),
  );
});

test('its export comes as a stream with every component in order, and others are served meanwhile', async () => {
  const id = large.split('/').at(-1);
  const reply = await fetch(`${api.url}/repositories/${repoId}/resource_descriptions/${id}.xml`, {
    headers: { 'x-service-session': api.session },
  });
  const reader = (reply.body ?? new ReadableStream<Uint8Array>()).getReader();
  const pieces = [(await reader.read()).value];
  // The export is under way, and not before its end.
  expect((await api.get(large)).status).toBe(200);
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value);
  expect(pieces.length).toBeGreaterThan(5);
  const text = Buffer.concat(pieces.map((piece) => piece ?? Buffer.of())).toString();
  expect([...text.matchAll(/<unittitle>(Sheet \d+)<\/unittitle>/g)].map(([, each]) => each)).toEqual(
    Array.from({ length: siblings }, (_, n) => title(n)),
  );
});

test('it is sorted by identifier in one request, and eight who sort at once leave no gap', async () => {
  const byIdentifier = Array.from({ length: siblings }, (_, n) => n).toSorted((a, b) =>
    identifier(a) < identifier(b) ? -1 : 1,
  );
  const uris = (await children(large)).map(({ uri }) => uri);
  const sort = (order: readonly string[]) =>
    api.ask(`${large}/accept_children`, {
      form: new URLSearchParams([['position', '0'], ...order.map((uri): [string, string] => ['children[]', uri])]),
    });
  ok(await sort(byIdentifier.map((n) => uris[n] ?? '')));
  expect((await children(large)).map((child) => [child.title, child.position])).toEqual(
    byIdentifier.map((n, position) => [title(n), position]),
  );
  const few = (await children(small)).map(({ uri }) => uri);
  const orders = Array.from({ length: 8 }, (_, n) => [...few.slice(n * 10), ...few.slice(0, n * 10)]);
  const replies = await Promise.all(
    orders.map((order) =>
      api.ask(`${small}/accept_children`, {
        form: new URLSearchParams([['position', '0'], ...order.map((uri): [string, string] => ['children[]', uri])]),
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(orders.map(() => 200));
  const left = await children(small);
  expect(orders).toContainEqual(left.map(({ uri }) => uri));
  expect(left.map(({ position }) => position)).toEqual(few.map((_, n) => n));
});

test('it is deleted in one request, told to harvesters, and leaves nothing', async () => {
  const gone = (await children(large)).map(({ uri }) => uri);
  expect((await api.del(large)).json).toMatchObject({ status: 'Deleted' });
  expect((await api.get(gone.at(-1) ?? '')).status).toBe(404);
  expect((await api.get(`/repositories/${repoId}/archival_objects?all_ids=true`)).json).toHaveLength(windowSize);
  const told = new Set<string>();
  for (let page = 1, last = 1; page <= last; page++) {
    const feed = ok(await api.get(`/delete-feed?page=${page}&page_size=250`));
    last = feed.last_page;
    for (const uri of feed.results) told.add(uri);
  }
  expect([large, ...gone].filter((uri) => !told.has(uri))).toEqual([]);
  expect((await api.del(`/repositories/${repoId}`)).status).toBe(200);
  expect((await api.get(small)).json).toEqual({
    error: { repo_id: ['Failed validation -- The Repository must exist'] },
  });
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
});
