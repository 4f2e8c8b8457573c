// One LISTEN connection of a process: subscriptions by channel, reconnected for ever. NOTIFY only saves waiting; whoever subscribes
// also polls, so a lost notification costs time and nothing else. LISTEN does not pass a transaction pooler: give the direct URL.
import pg from 'pg';
import { endClient } from './end-client.ts';

/** Told of each notification. The payload is null after a reconnect: anything may have been missed, look for yourself. */
export type OnNotification = (payload: string | null) => void;

/** Settings of a listener; `onError` hears of lost connections, for the log. */
export type ListenerSettings = {
  readonly url: string;
  readonly onError?: (error: Error) => void;
  readonly heartbeatMs?: number;
};

/** How long the server may take to connect and to answer: what is lost before the heartbeat watches would be waited for without an end. */
const answerMs = 5000;

/** The LISTEN connection of a process. Connects at the first subscription; dispose to end. */
export class Listener implements AsyncDisposable {
  readonly #settings: ListenerSettings;
  readonly #channels = new Map<string, Set<OnNotification>>();
  #client: pg.Client | undefined;
  #connecting: Promise<void> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isClosed = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(settings: ListenerSettings) {
    this.#settings = settings;
  }

  /**
   * Calls `onNotification` for each NOTIFY on the channel from the moment the promise resolves until the returned function is
   * called. Waits at most two seconds for the connection; where the database is away it is made later, and null is delivered then.
   */
  async subscribe(channel: string, onNotification: OnNotification): Promise<() => void> {
    const known = this.#channels.get(channel);
    const subscribers = known ?? new Set();
    this.#channels.set(channel, subscribers.add(onNotification));
    if (this.#client !== undefined && known === undefined)
      await this.#send(this.#client, `LISTEN ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
    else if (this.#client === undefined)
      await Promise.race([this.#connect(), new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
    return () => {
      subscribers.delete(onNotification);
    };
  }

  /** One statement after the other: a connection does not take a second one while it has a first. */
  async #send(client: pg.Client, text: string): Promise<void> {
    const sent = this.#sent.then(() => client.query(text));
    this.#sent = sent.then(
      () => undefined,
      () => undefined,
    );
    await sent;
  }

  #connect(): Promise<void> {
    return (this.#connecting ??= this.#connectUntilDone().finally(() => {
      this.#connecting = undefined;
    }));
  }

  async #connectUntilDone(): Promise<void> {
    for (let waitMs = 50; !this.#isClosed; waitMs = Math.min(2000, waitMs * 2)) {
      const client = new pg.Client({
        connectionString: this.#settings.url,
        application_name: 'muniment listener',
        keepAlive: true,
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
      });
      try {
        // Before the connection is up, so that an early end is heard too.
        client.on('error', (error) => this.#settings.onError?.(error));
        await client.connect();
        client.on('notification', (message) => this.#deliver(message.channel, message.payload ?? ''));
        client.on('end', () => this.#lost(client));
        await client.query(
          [...this.#channels.keys()].map((channel) => `LISTEN ${pg.escapeIdentifier(channel)};`).join(''),
        );
        if (this.#isClosed) return await endClient(client);
        this.#client = client;
        // Channels that were added while the statement above was under way.
        await client.query(
          [...this.#channels.keys()].map((channel) => `LISTEN ${pg.escapeIdentifier(channel)};`).join(''),
        );
        this.#watch(client);
        for (const channel of this.#channels.keys()) this.#deliver(channel, null);
        return;
      } catch (error) {
        this.#client = undefined;
        await endClient(client);
        if (error instanceof Error) this.#settings.onError?.(error);
        await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
      }
    }
  }

  /** A connection may die without a word (a firewall, a host that is gone): ask now and then, and drop it where no answer comes. */
  #watch(client: pg.Client): void {
    const everyMs = this.#settings.heartbeatMs ?? 10_000;
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => {
      const silence = setTimeout(() => this.#lost(client), everyMs / 2);
      this.#send(client, 'SELECT 1').then(
        () => clearTimeout(silence),
        () => clearTimeout(silence),
      );
    }, everyMs);
    this.#heartbeat.unref();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearInterval(this.#heartbeat);
    client.removeAllListeners('notification');
    void endClient(client);
    if (!this.#isClosed) void this.#connect();
  }

  #deliver(channel: string, payload: string | null): void {
    for (const onNotification of this.#channels.get(channel) ?? []) onNotification(payload);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await endClient(client);
    await this.#connecting;
  }
}

/** Waits for the wake function to be called, for the time, or for the signal; whichever is first. */
export type Waker = { readonly wake: () => void; wait(timeoutMs: number, signal?: AbortSignal): Promise<void> };

/** A bell for one waiter: a wake that comes while nobody waits ends the next wait at once, so none is lost. */
export function createWaker(): Waker {
  let isRung = false;
  let ring: (() => void) | undefined;
  return {
    wake: () => {
      isRung = true;
      ring?.();
    },
    wait: async (timeoutMs, signal) => {
      if (!isRung && signal?.aborted !== true) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', done);
            resolve();
          };
          const timer = setTimeout(done, timeoutMs);
          ring = done;
          signal?.addEventListener('abort', done, { once: true });
        });
      }
      ring = undefined;
      isRung = false;
    },
  };
}
