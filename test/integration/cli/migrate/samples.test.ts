// What two services make of the same records: nothing is found where nothing differs, and what is planted into the replies of one of them.
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { adminPassword, ok } from '#test/support/api.ts';
import { isLong } from '#test/support/long.ts';
import { fast, serveArchive } from '../archive-of-all-kinds.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

const { api, made, records } = await serveArchive();
// Harvesters get what is published.
const repository = `/repositories/${records.repoId}`;
for (const uri of [repository, ...made.filter((each) => each.includes('/resources/'))])
  ok(await api.post(uri, { ...(await api.get(uri)).json, publish: true }));
const files = filesForTests();

/** Changes a reply on its way: what is planted. */
let plant = (_path: string, text: string): string => text;
// The service itself as another one, whose replies are changed.
const other: Server = createServer((request, response) => {
  const path = request.url ?? '/';
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { host: _, connection: _c, 'content-length': _l, 'accept-encoding': _e, ...headers } = request.headers;
    fetch(`${api.url}${path}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(pieces.length === 0 ? {} : { body: Buffer.concat(pieces) }),
    })
      .then(async (reply) => {
        const text = plant(decodeURIComponent(path), await reply.text());
        response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
        response.end(text);
      })
      .catch(() => response.destroy());
  });
});
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
});
// A server of TCP has an address of this shape.
const source = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
const run = (...args: readonly string[]): Promise<Run> =>
  runCli(['verify', '--against', source, ...fast, ...args], {
    env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword, MUNIMENT_SOURCE_PASSWORD: adminPassword },
  });

// The test after it finds nothing but what is planted; verify.test.ts finds nothing at all.
it.runIf(isLong)('finds the same documents and records', async () => {
  const asked = new Set<string>();
  plant = (path, text) => {
    asked.add(/^\/(oai|search)\?/.exec(path)?.[1] ?? (path.includes('resource_descriptions') ? 'ead' : ''));
    return text;
  };
  const { code, stdout } = await run('--json', '--html', join(files.folder, 'same.html'));
  expect([code, JSON.parse(stdout).differences, [...asked].filter(Boolean).toSorted()]).toEqual([
    0,
    {},
    ['ead', 'oai', 'search'],
  ]);
  expect(readFileSync(join(files.folder, 'same.html'), 'utf8')).toContain('<h1>Everything is the same</h1>');
});

it('finds what is planted into finding aids, replies to harvesters and searches', async () => {
  const planted = new Set<string>();
  const once = (name: string): boolean => !planted.has(name) && planted.add(name) !== undefined;
  let refused = '';
  plant = (path, text) => {
    if (path.includes('resource_descriptions') && text.includes('<unittitle') && once('text'))
      return text.replace(/(<unittitle[^>]*>)[^<]+/, '$1Planted');
    if (path.includes('resource_descriptions') && text.includes('<archdesc level="') && once('attribute'))
      return text.replace(/(<archdesc level=")[^"]+/, '$1planted');
    if (path.includes('resource_descriptions') && text.includes('</did>') && once('element'))
      return text.replace('</did>', '<planted/></did>');
    if (path.includes('oai_dc') && text.includes('<dc:title>') && once('dc')) {
      return text.replace(/<dc:title>[^<]*/, '<dc:title>Planted <b>');
    }
    if (path.includes('oai_marc') && text.includes('</controlfield>') && once('marc'))
      return text.replace(/<controlfield tag="[^"]+"/, '<controlfield tag="999"');
    if (path.startsWith('/search?') && once('lost')) {
      refused = path;
      const reply = JSON.parse(text);
      return JSON.stringify({ ...reply, total_hits: reply.total_hits - 1, results: reply.results.slice(1) });
    }
    if (path.startsWith('/search?') && path !== refused && once('more')) {
      const reply = JSON.parse(text);
      const results = [...reply.results, { uri: '/subjects/999999' }];
      return JSON.stringify({ ...reply, total_hits: results.length, results });
    }
    return text;
  };
  const report = join(files.folder, 'report.ndjson');
  const page = join(files.folder, 'report.html');
  const { code, stdout } = await run('--report', report, '--html', page);
  const found = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(found.pop()).toMatchObject({
    what: 'verdict',
    samples: expect.objectContaining({ documents: expect.any(Number) }),
  });
  expect([...planted].toSorted()).toEqual(['attribute', 'dc', 'element', 'lost', 'marc', 'more', 'text']);
  const told = found.map((one) => [one.what, one.document ?? '', one.path ?? one.onlyThere?.length ?? one.reason]);
  expect(told).toEqual([
    ['document', 'ead', expect.stringMatching(/unittitle$/)],
    ['document', 'ead', 'ead/archdesc/@level'],
    ['document', 'ead', expect.stringMatching(/did\/planted$/)],
    ['unread', '', expect.stringContaining('oai_dc cannot be compared')],
    ['document', 'oai_marc', expect.stringMatching(/@tag$/)],
    ['search', '', 0],
    ['search', '', 1],
  ]);
  expect(found.at(-1)).toMatchObject({ onlyThere: ['/subjects/999999'], onlyHere: [] });
  expect(found.at(-2).onlyHere).toHaveLength(1);
  expect([code, stdout]).toEqual([1, expect.stringContaining('7 differences.')]);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<h1>7 differences</h1>');
  expect(html).toContain('&lt;planted&gt;');
});

it('looks for records when the index of a service has come up with them, and asks for that now and then', async () => {
  const upToDate = { changes: 0, due: 0, due_bulk: 0, fans: 0 };
  const waiting = Object.keys(upToDate);
  const askedAt: number[] = [];
  let askedBeforeSearch = 0;
  plant = (path, text) => {
    if (path.startsWith('/search?')) askedBeforeSearch ||= askedAt.length;
    if (path !== '/system/index-status') return text;
    const behind = waiting[askedAt.push(performance.now()) - 1];
    return JSON.stringify({ ...upToDate, ...(behind === undefined ? {} : { [behind]: 1 }) });
  };
  const { code, stderr } = await run('--sample', '1');
  expect([code, askedBeforeSearch, askedAt.length]).toEqual([0, waiting.length + 1, waiting.length + 1]);
  const told = ['finding aids', 'what harvesters get', 'searches'].map((what) => `Comparing ${what}`);
  for (const label of ['Waiting for the search index', ...told]) expect(stderr).toContain(`  ${label}\n`);
  const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? at));
  expect(Math.min(...pauses)).toBeGreaterThan(400);
});

it('asks for no documents where that is not wanted', async () => {
  plant = (path, text) => (/^\/(oai|search)\?|resource_descriptions/.test(path) ? 'spoilt' : text);
  expect((await run('--sample', '0')).code).toBe(0);
  expect(await run('--sample', 'x')).toMatchObject({ code: 2 });
});
