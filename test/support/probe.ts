// One who writes and one who reads, again and again, so that it is known when the service answered and what it acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const everyMs = 50;
const patienceMs = 2000;
const Created = z.object({ uri: z.string() });

/** How long nothing was answered, in seconds. */
export type Silence = { readonly writes: number; readonly reads: number };

/** The two. Dispose to end them. */
export class Probe implements AsyncDisposable {
  readonly #url: string;
  readonly #session: string;
  readonly repository: string;
  readonly #ending = new AbortController();
  readonly #running: readonly Promise<void>[];
  /** Titles of records that were acknowledged, by uri. */
  readonly acknowledged = new Map<string, string>();
  readonly #written: number[] = [];
  readonly #readAt: number[] = [];
  #sent = 0;
  #isPaused = false;
  #busy = 0;

  constructor(url: string, session: string, repository: string) {
    this.#url = url;
    this.#session = session;
    this.repository = repository;
    this.#running = [this.#again(() => this.#write()), this.#again(() => this.#read())];
  }

  /** The longest times without an answer since a moment (performance.now()). */
  silenceSince(at: number): Silence {
    return { writes: longestGap(this.#written, at), reads: longestGap(this.#readAt, at) };
  }

  /** Resolves once a write that was begun after the call is acknowledged. */
  async untilWritten(): Promise<void> {
    const before = this.#written.length;
    while (this.#written.length < before + 2) await sleep(everyMs);
  }

  /** Lets them rest, and waits until they do; what it gives sets them to work again. */
  async pause(): Promise<() => void> {
    this.#isPaused = true;
    while (this.#busy > 0) await sleep(everyMs);
    return () => {
      this.#isPaused = false;
    };
  }

  async #again(work: () => Promise<void>): Promise<void> {
    while (!this.#ending.signal.aborted) {
      if (!this.#isPaused) {
        this.#busy += 1;
        await work().catch(() => undefined);
        this.#busy -= 1;
      }
      await sleep(everyMs);
    }
  }

  async #write(): Promise<void> {
    const title = `probe ${(this.#sent += 1)}`;
    const reply = await this.#ask(`${this.repository}/accessions`, {
      method: 'POST',
      body: JSON.stringify({ id_0: title, title, accession_date: '2026-01-01' }),
    });
    if (reply.status !== 200) return;
    this.acknowledged.set(Created.parse(await reply.json()).uri, title);
    this.#written.push(performance.now());
  }

  async #read(): Promise<void> {
    const reply = await this.#ask(this.repository, {});
    await reply.arrayBuffer();
    if (reply.status === 200) this.#readAt.push(performance.now());
  }

  #ask(path: string, init: RequestInit): Promise<Response> {
    const headers = { 'x-service-session': this.#session, 'content-type': 'application/json' };
    return fetch(this.#url + path, { ...init, headers, signal: AbortSignal.timeout(patienceMs) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#running);
  }
}

function longestGap(times: readonly number[], since: number): number {
  let longest = 0;
  let before = since;
  for (const at of times) {
    if (at <= since) continue;
    longest = Math.max(longest, at - before);
    before = at;
  }
  return Math.round(longest / 100) / 10;
}
