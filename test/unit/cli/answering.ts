// A service of a few answers for one command: what the command asks, and what it makes of replies, without a database.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from '#domain/json.ts';
import type { Run, RunOptions } from '../../integration/cli/run-cli.ts';
import { runCli } from '../../integration/cli/run-cli.ts';

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

/** What is answered to each method and address. Of several answers, one after the other, the last again and again. */
export type Answers = { readonly [request: string]: Json | Answer | readonly Answer[] };

/** A run, and what it asked: method, address, and body where there was one. */
export type Answered = Run & { readonly asked: readonly string[] };

/** Runs a command with a session at a service that gives these answers, and 404 to all else. */
export async function answering(
  answers: Answers,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Answered> {
  const asked: string[] = [];
  const given = new Map<string, number>();
  const answerTo = (request: string): Answer => {
    const found = answers[request];
    if (found === undefined) return new Answer(404, { error: 'Not here' });
    const all = Array.isArray(found) && found[0] instanceof Answer ? found : [found];
    const turn = given.get(request) ?? 0;
    given.set(request, turn + 1);
    const answer: unknown = all[Math.min(turn, all.length - 1)];
    return answer instanceof Answer ? answer : new Answer(200, found as Json);
  };
  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      const name = `${request.method} ${decodeURIComponent((request.url ?? '').replaceAll('+', ' '))}`;
      asked.push(body === '' ? name : `${name} ${body}`);
      const { status, headers, body: answer } = answerTo(name);
      reply.writeHead(status, headers).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  try {
    const run = await runCli([...args, '--url', url, '--session', 'x'], options);
    const anywhere = (words: string): string => words.replaceAll(url, 'http://service');
    return { code: run.code, stdout: anywhere(run.stdout), stderr: anywhere(run.stderr), asked };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
