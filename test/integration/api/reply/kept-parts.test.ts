// Parts of pages: made once, when first asked for, and sent with tag, policy and type.
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
