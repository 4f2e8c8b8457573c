// Bytes of bodies as they come in over a real connection: bounds, what was read of longer ones, and their charset.
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { fail } from '#domain/errors.ts';
import { countedStream, decodeBody, hasBody, readBeginning, readBytes } from '../../../../apps/api/request/bytes.ts';
import { HeldBodies } from '../../../../apps/api/request/held-bodies.ts';
import type { Limits } from '../../../../apps/api/request/limits.ts';
import { toLimits } from '../../../../apps/api/request/limits.ts';

const limits: Limits = toLimits(readConfig({}), { bodyBytes: 10, uploadBytes: 12 });
let read: (raw: IncomingMessage) => Promise<unknown>;
const server = createServer((raw, reply) => {
  void read(raw)
    .catch((error: unknown) => error)
    .then((value) => {
      outcome = value;
      reply.end();
    });
});
let outcome: unknown;
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server of TCP has an address of this shape.
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What reading makes of a body, whose length is told or not. */
async function reading(
  body: string,
  isTold: boolean,
  act: (raw: IncomingMessage) => Promise<unknown>,
): Promise<unknown> {
  read = act;
  const headers = isTold ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' };
  await new Promise<void>((resolve, reject) => {
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers }, (reply) => {
      reply.resume().once('end', resolve);
    });
    sent.once('error', reject);
    if (!isTold) for (const letter of body) sent.write(letter);
    sent.end(isTold ? body : undefined);
  });
  return outcome;
}
const tooLarge = (most: number): Error => fail('too_large', `The body is larger than the ${most} bytes allowed`);
const letters = (count: number): string => 'abcdefghijklmnopqrst'.slice(0, count);

describe.each([true, false])('a body whose length is told: %s', (isTold) => {
  it('is read up to what is held in memory', async () => {
    const held = new HeldBodies(1000).open(false);
    const all = (raw: IncomingMessage): Promise<unknown> => readBytes(raw, { limits, held }).then(String);
    expect(await reading(letters(9), isTold, all)).toBe(letters(9));
    expect(await reading(letters(10), isTold, all)).toBe(letters(10));
    expect(await reading(letters(11), isTold, all)).toEqual(tooLarge(10));
  });

  it('is a stream up to the size of uploads', async () => {
    const stream = (raw: IncomingMessage): Promise<unknown> => buffer(countedStream(raw, limits)).then(String);
    expect(await reading(letters(12), isTold, stream)).toBe(letters(12));
    expect(await reading(letters(13), isTold, stream)).toEqual(tooLarge(12));
  });

  it('counts on the account of its request, and is refused where others hold the rest', async () => {
    const bodies = new HeldBodies(12);
    const [one, other] = [bodies.open(false), bodies.open(false)];
    const whole = (held: typeof one) => (raw: IncomingMessage) => readBytes(raw, { limits, held }).then(String);
    expect(await reading(letters(7), isTold, whole(one))).toBe(letters(7));
    expect(bodies.bytes).toBe(7);
    expect(await reading(letters(6), isTold, whole(other))).toEqual(
      fail('unavailable', 'The bodies of other requests take all the memory there is for them; try again'),
    );
    one.release();
    other.release();
    other.release();
    expect(bodies.bytes).toBe(0);
  });
});

it('is begun where it is longer than asked for, and whole where it is not', async () => {
  const held = new HeldBodies(1000).open(false);
  const some = async (raw: IncomingMessage): Promise<unknown> => {
    const { chunks, isWhole } = await readBeginning(raw, { limits, held }, 4);
    raw.resume();
    return [Buffer.concat(chunks).length, isWhole];
  };
  expect(await reading(letters(4), true, some)).toEqual([4, true]);
  expect(await reading(letters(5), true, some)).toEqual([5, false]);
  expect(await reading('', true, some)).toEqual([0, true]);
});

it('is there where a length above 0 or an encoding is told', async () => {
  const isThere = async (raw: IncomingMessage): Promise<unknown> => hasBody(raw);
  expect([
    await reading('', true, isThere),
    await reading('a', true, isThere),
    await reading('', false, isThere),
  ]).toEqual([false, true, true]);
});

it('may take a quarter of the memory where nobody is logged in', () => {
  const bodies = new HeldBodies(100);
  const [stranger, another, known] = [bodies.open(true), bodies.open(true), bodies.open(false)];
  stranger.add(20);
  another.add(5);
  expect(() => another.add(1)).toThrow('take all the memory');
  known.add(75);
  expect(() => known.add(1)).toThrow('take all the memory');
  stranger.release();
  another.add(20);
  expect(bodies.bytes).toBe(100);
});

it('is text of the charset that it names', () => {
  const latin = Buffer.from('caf\u00e9', 'latin1');
  expect(decodeBody(latin, 'text/plain; charset=ISO-8859-1')).toBe('café');
  expect(decodeBody(latin, 'text/plain;Charset = "iso-8859-1"; x=y')).toBe('café');
  expect(decodeBody(Buffer.from('café'), 'text/plain')).toBe('café');
  expect(decodeBody(Buffer.from('café'), 'text/plain; charset=klingon')).toBe('café');
  const trouble = (reason: string): Error => fail('malformed_body', `Had some trouble parsing your request: ${reason}`);
  expect(() => decodeBody(latin, 'text/plain')).toThrow(trouble('the body is not valid utf-8'));
  expect(() => decodeBody(latin, 'text/plain; charset=klingon')).toThrow(trouble('the body is not valid klingon'));
  expect(() => decodeBody(Buffer.from('1f8b08', 'hex'), '')).toThrow(
    trouble('the body is compressed; compressed requests are not read'),
  );
  expect(decodeBody(Buffer.from('1f20', 'hex'), '')).toBe('\u001f ');
});
