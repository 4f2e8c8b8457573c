// How much and how long a client may send: sizes, uploads, cut and slow bodies, and the end of the server.
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { once } from 'node:events';
import { connect } from 'node:net';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonBody, multipart, rawBody } from '../../../../apps/api/request/body.ts';
import { boolean, text } from '../../../../apps/api/request/parameters.ts';
import { stream } from '../../../../apps/api/reply/reply.ts';
import { defineRoute } from '../../../../apps/api/route.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer, tokens } from '#test/support/http-server.ts';
import { amount } from '#test/support/long.ts';

const shared = {
  operation: 'test',
  area: 'test',
  summary: 'Test',
  replies: { 200: { says: 'Fine.', shape: shape.anything } },
  method: 'POST',
} as const;
const arrived: string[] = [];

const routes = [
  defineRoute({
    ...shared,
    path: '/json',
    access: 'public',
    parameters: {},
    body: jsonBody(),
    handler: (call) => Object.keys(call.body).length,
  }),
  defineRoute({
    ...shared,
    path: '/form',
    access: 'public',
    parameters: { a: text({ optional: true }) },
    handler: (call) => call.params.a,
  }),
  defineRoute({
    ...shared,
    path: '/raw',
    access: 'session',
    parameters: {},
    body: rawBody(),
    handler: async (call) => {
      let size = 0;
      for await (const chunk of call.body) size += (chunk as Buffer).length;
      return size;
    },
  }),
  defineRoute({
    ...shared,
    path: '/raw-unread',
    access: 'session',
    parameters: { ok: boolean() },
    body: rawBody(),
    handler: () => 'not read',
  }),
  defineRoute({
    ...shared,
    path: '/raw-echo',
    access: 'session',
    parameters: {},
    body: rawBody(),
    handler: (call) => stream(call.body, 'text/plain'),
  }),
  defineRoute({
    ...shared,
    path: '/upload',
    access: 'session',
    parameters: { job: text(), flag: boolean({ optional: true }) },
    body: multipart(),
    handler: async (call) => ({
      job: call.params.job,
      files: await Promise.all(
        call.body.map(async (file) => ({
          field: file.field,
          name: file.filename,
          type: file.mediaType,
          size: file.sizeBytes,
          text: (await readText(file.open())).slice(0, 20),
        })),
      ),
    }),
  }),
  defineRoute({
    ...shared,
    path: '/upload-seen',
    access: 'session',
    parameters: {},
    body: multipart(),
    handler: async (call) => ({
      names: await uploads(),
      sizes: await Promise.all(call.body.map(async (file) => (await readText(file.open())).length)),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/wait',
    access: 'public',
    parameters: {},
    handler: async (call) => {
      arrived.push('wait');
      const ended = new Promise<string>((resolve) => {
        call.whenGone().addEventListener('abort', () => resolve('client gone'));
        call.closing.addEventListener('abort', () => resolve('closing'));
      });
      const reason = await ended;
      arrived.push(reason);
      return reason;
    },
  }),
];

const megabyte = 1024 * 1024;
const session = { 'X-Service-Session': tokens.reader };
// Who is in no hurry is not taken for slow, however busy the machine is.
const patient = { idleMs: 60_000, bodyMs: 60_000, headersMs: 60_000, checkMs: 100, drainMs: 60_000, closeMs: 2000 };
const hasty = { ...patient, idleMs: 300, bodyMs: 1000, headersMs: 300, requestMs: 20_000 };
const small = {
  limits: patient,
  environment: { MUNIMENT_MAX_BODY_BYTES: String(megabyte), MUNIMENT_MAX_UPLOAD_BYTES: String(4 * megabyte) },
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer(routes, small);
});
afterAll(() => server.close());

const uploads = async (): Promise<readonly string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('muniment-upload-'));

/**
 * Sends `count` megabytes as fast as they are taken; gives the status, the body and the most memory that the process had.
 * Bytes on a socket, because Node's own client stops writing when a reply comes early.
 */
async function sendMegabytes(
  path: string,
  count: number,
  headers: { readonly [name: string]: string } = {},
): Promise<{ status: number; body: string; peakBytes: number }> {
  const isChunked = headers['content-length'] === undefined;
  const chunk = Buffer.concat(
    isChunked
      ? [Buffer.from('100000\r\n'), Buffer.alloc(megabyte, 'x'), Buffer.from('\r\n')]
      : [Buffer.alloc(megabyte, 'x')],
  );
  const lines = Object.entries({ ...headers, ...(isChunked ? { 'transfer-encoding': 'chunked' } : {}) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const before = process.memoryUsage.rss();
  let peakBytes = 0;
  let received = '';
  const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  socket.on('data', (part: string) => (received += part));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
  for (let sent = 0; sent < count; sent++) {
    if (!socket.write(chunk)) await once(socket, 'drain');
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss() - before);
  }
  if (isChunked) socket.write('0\r\n\r\n');
  await expect.poll(() => received).toMatch(/\r\n\r\n[^]*\n$/);
  socket.destroy();
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body, peakBytes };
}

describe('a body above the limit', () => {
  it("is a 413 in the contract's shape, told by its length or by its bytes", async () => {
    const body = JSON.stringify({ a: 'x'.repeat(2 * megabyte) });
    const response = await server.fetch('/json', { method: 'POST', body });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      error: 'The body is larger than the 1048576 bytes allowed',
      request_id: expect.any(String),
    });
    expect((await sendMegabytes('/json', 2)).status).toBe(413);
    expect((await sendMegabytes('/form', 2)).status).toBe(413);
  });
  it('of more than may be in memory is never there', async () => {
    const { status, peakBytes } = await sendMegabytes('/json', amount(400, 1024));
    expect(status).toBe(413);
    expect(peakBytes).toBeLessThan(150 * megabyte);
  });
  it('leaves the connection fit for the next request', async () => {
    const first = `POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * megabyte}\r\n\r\n${'x'.repeat(2 * megabyte)}`;
    const reply = await server.send(
      `${first}POST /json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 7\r\n\r\n{"a":1}`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 413 [^]*HTTP\/1.1 200 OK[^]*\r\n\r\n1\n$/);
  });
  it('as a stream fails where it passes the limit', async () => {
    expect(await sendMegabytes('/raw', 4, session)).toMatchObject({ status: 200, body: `${4 * megabyte}\n` });
    expect((await sendMegabytes('/raw', 5, session)).status).toBe(413);
    expect((await sendMegabytes('/raw', 5, { ...session, 'content-length': String(5 * megabyte) })).status).toBe(413);
  });
  it('in headers is a 431', async () => {
    expect(await server.send(`GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 [^]*\{"error":"Request Header Fields Too Large"\}\n$/,
    );
  });
  it('does not include a query of 60,000 characters', async () => {
    expect((await server.fetch(`/form?a=${'a'.repeat(60_000)}`, { method: 'POST' })).status).toBe(200);
  });
});

describe('a streamed body', () => {
  it('needs a session before anything is read', async () => {
    expect((await sendMegabytes('/raw', 3)).status).toBe(403);
  });
  it('may be left unread', async () => {
    expect(await sendMegabytes('/raw-unread?ok=true', 50, session)).toMatchObject({
      status: 200,
      body: '"not read"\n',
    });
    expect((await sendMegabytes('/raw-unread?ok=maybe', 50, session)).status).toBe(400);
  });
  it('may be read while the reply is written', async () => {
    const response = await server.fetch('/raw-echo', {
      method: 'POST',
      headers: session,
      body: 'y'.repeat(3 * megabyte),
    });
    expect((await response.text()).length).toBe(3 * megabyte);
  });
  it('may be empty', async () => {
    expect(await (await server.fetch('/raw', { method: 'POST', headers: session })).json()).toBe(0);
  });
});

describe('a multipart body', () => {
  const send = async (
    form: FormData,
    headers: { readonly [name: string]: string } = session,
  ): Promise<{ status: number; body: unknown }> => {
    const response = await server.fetch('/upload', { method: 'POST', body: form, headers: { ...headers } });
    return { status: response.status, body: await response.json() };
  };

  it('gives fields as parameters and files to the handler, and removes them afterwards', async () => {
    const before = (await uploads()).length;
    const form = new FormData();
    form.append('files[]', new Blob(['one'], { type: 'text/csv' }), 'one.csv');
    form.append('job', 'import');
    form.append('files[]', new Blob(['z'.repeat(megabyte)]), '../../two.bin');
    expect(await send(form)).toEqual({
      status: 200,
      body: {
        job: 'import',
        files: [
          { field: 'files', name: 'one.csv', type: 'text/csv', size: 3, text: 'one' },
          {
            field: 'files',
            name: expect.stringMatching(/two\.bin$/),
            type: 'application/octet-stream',
            size: megabyte,
            text: 'z'.repeat(20),
          },
        ],
      },
    });
    await expect.poll(async () => (await uploads()).length).toBe(before);
  });
  it('reports problems of its fields', async () => {
    const form = new FormData();
    form.append('flag', 'maybe');
    expect(await send(form)).toEqual({
      status: 400,
      body: {
        error: {
          job: ['Parameter required but no value provided'],
          flag: ["Wanted type RESTHelpers::BooleanParam but got 'maybe'"],
        },
      },
    });
  });
  it('needs a session', async () => {
    const form = new FormData();
    form.append('job', 'x');
    expect((await send(form, {})).status).toBe(403);
  });
  it('has its files under no name on the disk, so that a process that is killed leaves none', async () => {
    const [names, form] = [await uploads(), new FormData()];
    for (const size of [0, megabyte, 3]) form.append('files[]', new Blob(['z'.repeat(size)]), 'a');
    const reply = await server.fetch('/upload-seen', { method: 'POST', body: form, headers: session });
    expect(await reply.json()).toEqual({ names, sizes: [0, megabyte, 3] });
  });
  it('whose files, or fields, pass the limit together is a 413 and leaves nothing behind', async () => {
    const before = (await uploads()).length;
    const [files, fields] = [new FormData(), new FormData()];
    for (const name of ['a', 'b', 'c']) files.append('files[]', new Blob(['z'.repeat(2 * megabyte)]), name);
    for (const name of ['job', 'other']) fields.append(name, 'z'.repeat(0.6 * megabyte));
    for (const form of [files, fields]) expect((await send(form)).status).toBe(413);
    await expect.poll(async () => (await uploads()).length).toBe(before);
  });
  it.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    ['that is no multipart', 'multipart/form-data; boundary=b', 'nonsense'],
    [
      'that ends early',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="files[]"; filename="a"\r\n\r\nhalf',
    ],
  ])('%s is a 400', async (_what, contentType, body) => {
    const response = await server.fetch('/upload', {
      method: 'POST',
      body,
      headers: { ...session, 'content-type': contentType },
    });
    expect(response.status).toBe(400);
  });
});

it('a client that does not encode a letter of its address is told so', async () => {
  expect(await server.send('GET /search?q=Caf\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [^]*\{"error":"The address holds a character that must be percent-encoded"\}\n$/,
  );
});

describe('a client that is slow or goes away', () => {
  let quick: TestServer;
  beforeAll(async () => {
    quick = await startServer(routes, { ...small, limits: hasty });
  });
  afterAll(() => quick.close());
  it('in the middle of the headers is told 408', async () => {
    expect(await quick.send('GET /wait HTTP/1.1\r\nHost: x\r\nX-Slow')).toMatch(/^HTTP\/1.1 408 /);
  });
  it.each([
    ['/json', ''],
    ['/raw', `X-Service-Session: ${tokens.reader}\r\n`],
    ['/upload', `X-Service-Session: ${tokens.reader}\r\nContent-Type: multipart/form-data; boundary={"a"\r\n`],
  ])('in the middle of the body of %s is told 400', async (path, extra) => {
    const reply = await quick.send(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${extra}Content-Length: 100\r\n\r\n{"a"`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 400 [^]*did not arrive in time/);
  });
  it('in the middle of a file is told 400, and leaves nothing of it behind', async () => {
    const before = (await uploads()).length;
    const reply = await quick.send(
      `POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-Session: ${tokens.reader}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
        'Content-Length: 1000\r\n\r\n--b\r\nContent-Disposition: form-data; name="files[]"; filename="a"\r\n\r\nhalf',
    );
    expect(reply).toMatch(/^HTTP\/1.1 400 [^]*did not arrive in time/);
    await expect.poll(async () => (await uploads()).length).toBe(before);
  });
  it.each([
    ['/json', ''],
    ['/raw', `X-Service-Session: ${tokens.reader}\r\n`],
    ['/upload', `X-Service-Session: ${tokens.reader}\r\nContent-Type: multipart/form-data; boundary=b\r\n`],
  ])('with a half-sent body of %s does no harm', async (path, extra) => {
    const warnings = server.logged.length;
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${extra}Content-Length: 100\r\n\r\n--b\r\n`, () =>
          socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    expect((await server.fetch('/form', { method: 'POST' })).status).toBe(200);
    expect(server.logged.length).toBe(warnings);
  });
  it('aborts the signal of the handler', async () => {
    arrived.length = 0;
    const controller = new AbortController();
    const gone = server.fetch('/wait', { signal: controller.signal }).catch(() => 'aborted');
    await expect.poll(() => arrived).toEqual(['wait']);
    controller.abort();
    expect(await gone).toBe('aborted');
    await expect.poll(() => arrived).toEqual(['wait', 'client gone']);
  });
});

describe('closing', () => {
  it('lets a waiting request answer and takes no new one', async () => {
    arrived.length = 0;
    const own = await startServer(routes, small);
    const waiting = own.fetch('/wait');
    await expect.poll(() => arrived).toEqual(['wait']);
    await own.close();
    expect(await (await waiting).json()).toBe('closing');
    await expect(own.fetch('/form')).rejects.toThrow();
  });
  it('waits for nobody who has opened a connection and sent nothing', async () => {
    // Longer than the limit of any test.
    const own = await startServer(routes, { ...small, limits: { ...patient, closeMs: 86_400_000 } });
    const silent = connect(own.port, '127.0.0.1');
    await once(silent, 'connect');
    const cut = once(silent, 'close');
    await own.close();
    await cut;
  });
});
