// Requests with large bodies are answered by a thread that has a server of its own: parsing, checking and storing megabytes takes the event
// loop for seconds, and nobody else is to wait for that. What it costs in memory is that thread's too, and ends with it.
// They reach it over a socket in a folder of this process's own, as they came but for the headers of the connection.
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.ts';
import type { Config } from '#domain/config.ts';
import { traceHeaders } from '#store/observing/tracing.ts';
import { drain } from '../request/bytes.ts';
import type { Incoming } from '../request/incoming.ts';
import type { Logger } from '../services.ts';

/** What the thread is started with; it is copied into it. */
export type ThreadSettings = {
  readonly config: Config;
  readonly url: string;
  readonly directUrl: string;
  readonly socketPath: string;
};

/** What the thread says: that it listens, or a line for the log. */
export type FromThread = { readonly ready: true } | { readonly line: string };

/** What it is told: to end what waits, and then to end. */
type ToThread = { readonly close: true };

/** Where the thread finds the database, and how this is told to others. `idleMs`: how long it is kept where nobody needs it; half an hour unless it is given. */
export type LargeBodiesSettings = {
  readonly config: Config;
  readonly url: string;
  readonly directUrl: string;
  readonly log: Logger;
  readonly idleMs?: number;
};

/** As long as somebody may think about a record that they have read, before they save it. */
const idleMs = 1_800_000;

/** A heap that a few bodies of the largest size fit into; a body that needs more ends the thread, and not the process. */
const heapMb = 2048;

/** Headers of one connection, which the next one makes for itself (RFC 9110 7.6.1), and the date, which every server sets. */
const ownOfConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'date',
]);

type Running = { readonly socketPath: string; readonly worker: Worker; readonly ended: Promise<void> };

/** The thread for large bodies of a server. It is started with the first of them, or when one is expected, and ended when it had none for a while. */
export class LargeBodies {
  readonly #settings: LargeBodiesSettings;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  #running: Promise<Running> | undefined;
  #underWay = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(settings: LargeBodiesSettings) {
    this.#settings = settings;
  }

  /** Has a request answered by the thread; returns when the reply begins. `done` is called when it has ended. Throws `unavailable`. */
  async forward(incoming: Incoming, reply: FastifyReply, done: () => void): Promise<void> {
    const { request, limits } = incoming;
    this.#underWay += 1;
    clearTimeout(this.#idle);
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      this.#underWay -= 1;
      this.#keepForAWhile();
      done();
    };
    try {
      const { socketPath } = await this.#thread();
      const response = await this.#send(socketPath, incoming, reply);
      for (const [name, value] of Object.entries(response.headers))
        if (value !== undefined && !ownOfConnection.has(name)) reply.header(name, value);
      if (reply.raw.closed) over();
      else reply.raw.once('close', over);
      reply.code(response.statusCode ?? 502).send(response);
    } catch (error) {
      over();
      drain(request.raw, limits);
      throw fail('unavailable', 'The request could not be answered to its end; look whether it was done', {}, error);
    }
  }

  /** Has the thread ready for a large body that is likely to come, since whoever sends it would wait for its start. */
  expect(): void {
    // A start that fails is told by whom it fails, and tried again with the body.
    this.#thread().catch(ignore);
    this.#keepForAWhile();
  }

  #keepForAWhile(): void {
    if (this.#underWay > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#endIdle(), this.#settings.idleMs ?? idleMs).unref();
  }

  async #send(socketPath: string, { request, limits, head }: Incoming, reply: FastifyReply): Promise<IncomingMessage> {
    const { raw } = request;
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const onward = httpRequest({
      socketPath,
      agent: this.#agent,
      method: raw.method ?? 'POST',
      path: request.url,
      headers: headersFor(request),
    });
    // After the answer there is nobody to tell: what is left of a refused body is dropped on both sides.
    onward.on('error', reject).once('response', resolve);
    const onGone = (): void => {
      if (!reply.raw.writableFinished || !raw.complete) onward.destroy(new Error('the client has gone'));
    };
    reply.raw.once('close', onGone);
    if (reply.raw.destroyed) onGone();
    for (const chunk of head) onward.write(chunk);
    raw.pipe(onward);
    // After the pipe's own listener, which stops the reading: the rest of a refused body would lie there, and nobody would see the end.
    onward.once('close', () => {
      raw.unpipe(onward);
      drain(raw, limits);
    });
    return promise;
  }

  #thread(): Promise<Running> {
    if (this.#running !== undefined) return this.#running;
    const forget = (): void => {
      if (this.#running === started) this.#running = undefined;
    };
    const started = this.#start(forget);
    this.#running = started;
    // One that never began to run does not end either: whoever comes next tries again.
    started.catch(forget);
    return started;
  }

  async #start(onEnd: () => void): Promise<Running> {
    const { config, url, directUrl, log } = this.#settings;
    const folder = await mkdtemp(join(tmpdir(), 'muniment-bodies-'));
    const socketPath = join(folder, 'socket');
    const settings: ThreadSettings = { config, url, directUrl, socketPath };
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      workerData: settings,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const ready = Promise.withResolvers<void>();
    // The thread says nothing else.
    worker.on('message', (message: FromThread) => {
      if ('ready' in message) ready.resolve();
      else relay(log, message.line);
    });
    worker.on('error', (error) => log.error({ event: 'large_bodies_failed', err: error }));
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', (code) => {
        onEnd();
        ready.reject(new Error(`the thread for large bodies ended with ${code}`));
        void rm(folder, { recursive: true, force: true }).finally(resolve);
      });
    });
    await ready.promise;
    log.info({ event: 'large_bodies_ready' });
    return { socketPath, worker, ended };
  }

  /** Ends the thread that nobody needs; whoever comes from now on starts another. */
  #endIdle(): void {
    const running = this.#running;
    if (this.#underWay > 0 || running === undefined) return;
    this.#running = undefined;
    void running.then(({ worker }) => tellToClose(worker), ignore);
  }

  /** Has what waits there, such as for a job, answered now, and the thread ended when all is answered. */
  beginClose(): void {
    void this.#running?.then(({ worker }) => tellToClose(worker), ignore);
  }

  /** Ends the thread after the requests that it has. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.beginClose();
    const running = await this.#running?.catch(ignore);
    await running?.ended;
    this.#agent.destroy();
  }
}

const tellToClose = (worker: Worker): void => worker.postMessage({ close: true } satisfies ToThread);

// Its failure was told where it happened.
const ignore = (): undefined => undefined;

/** The headers as the client sent them, but for those of the connection; the address that counts as the client's goes along. */
function headersFor(request: FastifyRequest): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(request.raw.headers))
    if (value !== undefined && !ownOfConnection.has(name)) headers[name] = value;
  // The one that the client sent, which reading bodies of any type changed (plugins/headers.ts).
  if (request.sentContentType !== '') headers['content-type'] = request.sentContentType;
  return { ...headers, ...traceHeaders(), 'x-forwarded-for': request.ip, 'x-request-id': request.id };
}

/** A line of the thread's log as one of this process's. */
function relay(log: Logger, line: string): void {
  // As pino writes it.
  const {
    level,
    time: _time,
    pid: _pid,
    process: _process,
    msg,
    ...fields
  } = JSON.parse(line) as {
    readonly [name: string]: unknown;
  };
  const write = Number(level) >= 50 ? log.error.bind(log) : log.warn.bind(log);
  write(fields, typeof msg === 'string' ? msg : undefined);
}
