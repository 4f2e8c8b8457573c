// Parts of pages: made once, when first asked for, and sent with tag, policy and type.
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { kept, sendPart } from '../../../../apps/api/reply/kept-parts.ts';

it('makes a part once, and tells apart what is not there', () => {
  const made: string[] = [];
  const part = kept((name) => {
    made.push(name);
    return name === 'none' ? undefined : `text of ${name}`;
  });
  expect(part('a').text).toBe('text of a');
  expect(part('a').tag).toBe(part('a').tag);
  expect(part('b').tag).not.toBe(part('a').tag);
  expect(made).toEqual(['a', 'b']);
  expect(() => part('none')).toThrow('Not found');
});

it('sends it, or a 304 to whoever has it', async () => {
  const app = Fastify();
  const part = kept(() => '<p>');
  app.get('/', (request, reply) =>
    sendPart(request, reply, part(''), { type: 'text/html', policy: "default-src 'none'" }),
  );
  const first = await app.inject('/');
  expect([first.statusCode, first.body, first.headers['content-type']]).toEqual([200, '<p>', 'text/html']);
  expect(first.headers['content-security-policy']).toBe("default-src 'none'");
  const again = await app.inject({ url: '/', headers: { 'if-none-match': String(first.headers['etag']) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  await app.close();
});

it('sends a longer one, however long, compressed to whoever takes that, each form with its own tag', async () => {
  const app = Fastify();
  const text = '<p>word</p>'.repeat(50_000);
  const part = kept(() => text);
  const [type, policy] = ['text/html', "default-src 'none'"];
  app.get('/', (request, reply) => sendPart(request, reply, part(''), { type, policy }));
  const get = (headers: { readonly [name: string]: string }) => app.inject({ url: '/', headers });
  const [plain, short] = [await get({}), await get({ 'accept-encoding': 'br, gzip;q=0.5' })];
  expect([plain.body, plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
    text,
    undefined,
    'accept-encoding',
  ]);
  expect([gunzipSync(short.rawPayload).toString(), short.headers['content-encoding'], short.headers['vary']]).toEqual([
    text,
    'gzip',
    'accept-encoding',
  ]);
  expect(short.headers['content-type']).toBe(type);
  expect(short.rawPayload.length).toBeLessThan(5000);
  const tags = [plain, short].map(({ headers }) => String(headers['etag']));
  expect(tags[0]).not.toBe(tags[1]);
  expect((await get({ 'accept-encoding': 'gzip', 'if-none-match': tags[1] ?? '' })).statusCode).toBe(304);
  expect((await get({ 'accept-encoding': 'gzip', 'if-none-match': tags[0] ?? '' })).statusCode).toBe(200);
  expect((await get({ 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  await app.close();
});
