// A client of either API that remembers what it was told. A reply of 2xx is a promise; one of 4xx says that nothing was done; anything else, and
// silence, says nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { password } from './deployment.ts';

/** What came of a request. `unknown`: it may have been done, or not, or be done yet. */
export type Outcome =
  | { readonly is: 'done'; readonly body: JsonObject; readonly text: string }
  | { readonly is: 'refused'; readonly status: number; readonly text: string }
  | { readonly is: 'unknown'; readonly why: string };

/** What a request may have besides its path. With `json`, `body` or `form` it is a POST. */
export type Sending = {
  readonly method?: string;
  readonly json?: object;
  readonly body?: string;
  readonly form?: FormData;
  readonly key?: string;
};

const patienceMs = 20_000;

/** The client of all who load the service, and its tally. */
export class Client {
  /** Replies by status, and requests without one. */
  readonly tally = new Map<string, number>();
  /** What the service must not say, whatever is killed. */
  readonly faults: string[] = [];
  #session = '';
  #certain = 0;
  readonly #urls: () => readonly string[];
  readonly #random: () => number;

  constructor(urls: () => readonly string[], random: () => number) {
    this.#urls = urls;
    this.#random = random;
  }

  /** Makes the session, which is valid at both APIs and outlives them. */
  async login(): Promise<void> {
    const reply = await this.certain('/users/admin/login', { form: formOf({ password, expiring: 'false' }) });
    this.#session = String(reply['session']);
  }

  /** Sends one request to one of the APIs. */
  async ask(path: string, { method, json, body, form, key }: Sending = {}): Promise<Outcome> {
    const urls = this.#urls();
    const url = urls[Math.floor(this.#random() * urls.length)] ?? '';
    const payload = json === undefined ? (form ?? body) : JSON.stringify(json);
    const outcome = await this.#send(`${url}${path}`, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        ...(this.#session === '' ? {} : { 'x-service-session': this.#session }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const told = outcome.is === 'refused' ? String(outcome.status) : outcome.is === 'done' ? '2xx' : outcome.why;
    this.tally.set(told, (this.tally.get(told) ?? 0) + 1);
    return outcome;
  }

  /** Sends until it is done, for what prepares and what checks; fails where it is refused. */
  async certain(path: string, sending: Sending = {}): Promise<JsonObject> {
    // What was done and not answered is not done twice.
    const key = sending.json === undefined ? undefined : `certain-${(this.#certain += 1)}`;
    for (let tries = 0; tries < 100; tries++) {
      const outcome = await this.ask(path, { ...(key === undefined ? {} : { key }), ...sending });
      if (outcome.is === 'done') return outcome.body;
      if (outcome.is === 'refused') throw new Error(`${path}: ${outcome.status} ${outcome.text}`);
      await sleep(100);
    }
    throw new Error(`${path} is never answered`);
  }

  /** A record, or null where it is not there. */
  async read(uri: string): Promise<JsonObject | null> {
    for (let tries = 0; tries < 100; tries++) {
      const outcome = await this.ask(uri);
      if (outcome.is === 'done') return outcome.body;
      if (outcome.is === 'refused' && (outcome.status === 404 || outcome.status === 301)) return null;
      if (outcome.is === 'refused') throw new Error(`${uri}: ${outcome.status} ${outcome.text}`);
      await sleep(100);
    }
    throw new Error(`${uri} is never answered`);
  }

  async #send(url: string, init: RequestInit): Promise<Outcome> {
    try {
      const reply = await fetch(url, init);
      const text = await reply.text();
      const { status } = reply;
      if (status === 500) this.faults.push(`${init.method} ${new URL(url).pathname}: 500 ${text.slice(0, 500)}`);
      if (status >= 500) return { is: 'unknown', why: String(status) };
      if (status >= 300) return { is: 'refused', status, text };
      const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
      return { is: 'done', body: isObject(body) ? body : {}, text };
    } catch (error) {
      // Refused, reset, cut in the middle, or silent for too long.
      return { is: 'unknown', why: error instanceof Error && error.name === 'TimeoutError' ? 'silence' : 'no reply' };
    }
  }
}

const formOf = (values: { readonly [name: string]: string }): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};
