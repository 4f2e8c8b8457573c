// What may stand between a command and its service: a proxy that passes on what it is not told to answer itself, and a server
// that is no Muniment at all. What a Muniment answers, tests ask one (startTestApi).
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Json } from '#domain/json.ts';
import type { Run, RunOptions } from './run-cli.ts';
import { runCli } from './run-cli.ts';

/** An answer that is not plain JSON with 200. */
export class Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  constructor(status: number, body: Json, headers: { readonly [name: string]: string } = {}) {
    this.status = status;
    this.body = typeof body === 'string' ? body : JSON.stringify(body);
    this.headers = headers;
  }
}

/** What is answered to each method and address. */
export type Answers = { readonly [request: string]: Json | Answer };

/** A run, and what it asked: method, address, and body where there was one. */
export type Asked = Run & { readonly asked: readonly string[] };

/** The service behind it, and a session there. */
export type Behind = { readonly url: string; readonly session: string };

type Reply = (request: IncomingMessage, body: Buffer, reply: ServerResponse) => Promise<void> | void;

/** Runs a command at a server that gives these answers, and 404 to all else. */
export function atForeignServer(answers: Answers, args: readonly string[], options: RunOptions = {}): Promise<Asked> {
  return runAt(answers, [...args, '--session', 'x'], options, (_request, _body, reply) => {
    reply.writeHead(404).end('{"error":"Not here"}');
  });
}

/** Runs a command through a proxy before the service, which gives these answers itself, and passes on all else. */
export function throughProxy(
  behind: Behind,
  args: readonly string[],
  { answers = {}, ...options }: RunOptions & { readonly answers?: Answers } = {},
): Promise<Asked> {
  return runAt(answers, [...args, '--session', behind.session], options, async (request, body, reply) => {
    const { method = 'GET', url = '', headers } = request;
    const passed = ['x-service-session', 'content-type', 'accept'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await fetch(`${behind.url}${url}`, {
      method,
      headers: Object.fromEntries(passed),
      redirect: 'manual',
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const given = [...answer.headers].filter(([name]) => /^(content-(type|disposition)|location)$/.test(name));
    reply.writeHead(answer.status, Object.fromEntries(given)).end(Buffer.from(await answer.arrayBuffer()));
  });
}

async function runAt(answers: Answers, args: readonly string[], options: RunOptions, otherwise: Reply): Promise<Asked> {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    void buffer(request).then((body) => {
      const name = `${request.method} ${decodeURIComponent((request.url ?? '').replaceAll('+', ' '))}`;
      asked.push(body.length === 0 ? name : `${name} ${body.toString()}`);
      const found = answers[name];
      if (found === undefined) return otherwise(request, body, reply);
      const { status, headers, body: text } = found instanceof Answer ? found : new Answer(200, found);
      reply.writeHead(status, headers).end(text);
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on TCP, so its address is no text.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  try {
    const run = await runCli([...args, '--url', url], options);
    const anywhere = (words: string): string => words.replaceAll(url, 'http://service');
    return { code: run.code, stdout: anywhere(run.stdout), stderr: anywhere(run.stderr), asked };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
