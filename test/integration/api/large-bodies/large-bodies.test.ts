// Large bodies: another thread answers them, and who may not send them is refused before they are read.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';

const bodyBytes = 4_000_000;
let api: TestApi;
let repoId: number;
let clerk: string;

beforeAll(async () => {
  api = await startTestApi({
    worker: false,
    environment: { MUNIMENT_MAX_BODY_BYTES: String(bodyBytes), MUNIMENT_MAX_BODIES_BYTES: String(bodyBytes) },
  });
  repoId = await api.repository();
  clerk = await api.userWith(['view_repository'], repoId);
});
afterAll(() => api[Symbol.asyncDispose]());

/** A request whose body is sent by the test, piece by piece; `reply` is all that came back once the connection ended. */
function open(
  path: string,
  headers: { readonly [name: string]: string },
): {
  readonly send: (piece: string) => void;
  readonly reply: Promise<string>;
  readonly close: () => void;
} {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (piece: string) => (received += piece));
  const lines = Object.entries({ host: 'x', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    send: (piece) => void socket.write(piece),
    reply: once(socket, 'close').then(() => received),
    close: () => void socket.destroy(),
  };
}

const note = (length: number): object => ({
  jsonmodel_type: 'note_multipart',
  type: 'scopecontent',
  subnotes: [{ jsonmodel_type: 'note_text', content: 'é'.repeat(length) }],
});
const resource = (id: string): object => ({
  title: 'R',
  id_0: id,
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  lang_materials: [{ language_and_script: { language: 'eng' } }],
  dates: [{ label: 'creation', date_type: 'single', begin: '1900' }],
  extents: [{ portion: 'whole', number: '1', extent_type: 'volumes' }],
  notes: Array.from({ length: 40 }, () => note(5000)),
});

describe('a large body', () => {
  it('is stored as a small one is, and answered with the same headers', async () => {
    const made = await api.post(`/repositories/${repoId}/resources`, resource('L1'));
    expect(made.status, made.text.slice(0, 500)).toBe(200);
    expect([made.headers.get('content-type'), made.headers.get('x-content-type-options')]).toEqual([
      'application/json',
      'nosniff',
    ]);
    const read = ok(await api.get(made.json.uri));
    expect(read.notes).toHaveLength(40);
    expect(read.notes[39].subnotes[0].content).toBe('é'.repeat(5000));
    expect(read).toMatchObject({ created_by: 'admin', lock_version: 0 });
    // An update with the body as it was read, and its refusal the second time.
    expect((await api.post(made.json.uri, read)).status).toBe(200);
    expect((await api.post(made.json.uri, read)).status).toBe(409);
  });

  it('that does not say how long it is, is read all the same', async () => {
    const text = JSON.stringify(resource('L2'));
    const half = Math.floor(text.length / 2);
    const request = open(`/repositories/${repoId}/resources`, {
      'transfer-encoding': 'chunked',
      'x-service-session': api.session,
    });
    for (const piece of [text.slice(0, half), text.slice(half)])
      request.send(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
    request.send('0\r\n\r\n');
    expect(await request.reply).toMatch(/^HTTP\/1.1 200 [^]*"status":"Created"/);
  });

  it('is told of its faults, of which the first thousand count', async () => {
    const reply = await api.post('/agents/people', { names: Array.from({ length: 100_000 }, () => []) });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json.error)).toHaveLength(1001);
    expect(reply.json.error['names/0']).toEqual(['Must be a JSONModel(:name_person) object (you provided a Array)']);
    expect(reply.json.error.record).toEqual(['Only the first 1000 problems are told']);
    expect(reply.json.invalid_object.length).toBeLessThanOrEqual(20_000);
  });

  it('of too many values, or above the limit, is a 413', async () => {
    const reply = await api.ask('/agents/people', { body: `{"names":[${'[],'.repeat(1_100_000)}[]]}` });
    expect([reply.status, reply.json.error]).toEqual([413, 'The body holds more than the 2000000 values allowed']);
    expect((await api.ask('/agents/people', { body: 'x'.repeat(bodyBytes + 1) })).status).toBe(413);
  });

  it('is refused before it is read where the caller may not send it', async () => {
    const refusals = async (path: string, session: string): Promise<string> => {
      // Nothing of the body is ever sent.
      const request = open(path, {
        'content-length': '1000000',
        ...(session === '' ? {} : { 'x-service-session': session }),
      });
      const timer = setTimeout(request.close, 60_000);
      for (let sent = 0; sent < 100; sent += 1) request.send('x'.repeat(10_000));
      const reply = await request.reply;
      clearTimeout(timer);
      return reply.slice(9, 12);
    };
    expect(await refusals('/agents/people', '')).toBe('403');
    expect(await refusals(`/repositories/${repoId}/resources`, '')).toBe('403');
    expect(await refusals('/users/admin/login', '')).toBe('413');
    expect(await refusals('/users', '')).toBe('413');
    expect(await refusals(`/repositories/${repoId}/resources`, clerk)).toBe('403');
    expect(await refusals('/repositories/99/resources', clerk)).toBe('400');
  });

  it('waits for its memory: what others hold is not given twice', async () => {
    const holding = open('/agents/people', { 'content-length': String(bodyBytes), 'x-service-session': api.session });
    holding.send('x'.repeat(bodyBytes - 100_000));
    const send = (): Promise<Reply> => api.ask('/subjects', { body: JSON.stringify({ title: 'x'.repeat(200_000) }) });
    await expect.poll(async () => (await send()).status).toBe(503);
    expect((await send()).headers.get('retry-after')).toBe('1');
    // Ordinary bodies are not concerned.
    expect((await api.post('/subjects', { title: 'beside a large one' })).status).toBe(400);
    holding.close();
    await expect.poll(async () => (await send()).status).toBe(400);
  });

  it('is answered again after the thread could not be started, as where the disk was full', async () => {
    await using other = await startTestApi({ worker: false });
    const send = (): Promise<Reply> => other.ask('/subjects', { body: JSON.stringify({ title: 'x'.repeat(200_000) }) });
    const { TMPDIR: folder } = process.env;
    try {
      process.env['TMPDIR'] = '/nowhere';
      expect((await send()).status).toBe(503);
    } finally {
      if (folder === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = folder;
    }
    expect((await send()).status).toBe(400);
  });
});
