// Waiting for what other writers hold. An API process gives such a wait little time on a connection and much beside it: the connection goes
// to others meanwhile, and the transaction is begun anew. So however many wait for one record, they do not take the connections of all.
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { z } from 'zod';
import { Failure, fail } from '#domain/errors.ts';
import { column } from './columns.ts';
import { givenUp } from './pg-errors.ts';
import type { Reader } from './reader.ts';
import { sql } from './sql.ts';
import type { Turns } from './turns.ts';

/** How long writers wait for locks: at a time on a connection, and in all. Milliseconds. */
export type LockPatience = { readonly atOnceMs: number; readonly wholeMs: number };

/** What requests have: connections are lent for moments, and a client is told after a while that somebody is in its way. */
export const patienceOfRequests: LockPatience = { atOnceMs: 250, wholeMs: 20_000 };

/** Pauses between two tries: growing, so that many who wait take a small part of the connections. */
const shortestPauseMs = 50;
const longestPauseMs = 1000;

const signals = new AsyncLocalStorage<() => AbortSignal>();

/** Runs work whose writers give up waiting, for a connection or a lock, where the signal is aborted. What they have begun goes on. */
export function heedingWhileWaiting<T>(signal: () => AbortSignal, work: () => T): T {
  return signals.run(signal, work);
}

/** Runs work that waits whatever has become of the client: what is to be done since it has gone. */
export const heedingNobody = <T>(work: () => T): T => signals.exit(work);

/** The signal that whoever waits now heeds. */
export const waitingSignal = (): AbortSignal | undefined => signals.getStore()?.();

/** Whether a statement ended because it waited longer for a lock than it may. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === '55P03';
}

/**
 * So many times as long as at once somebody waits who has waited before, and may keep its connection meanwhile. It keeps other locks too: less than a second in all (PostgreSQL's
 * deadlock_timeout), or a job that wants one of these could be what PostgreSQL ends.
 */
const longerBy = 3;

/** One writer's waiting, from its first try to its last. */
export class LockWait {
  readonly #patience: LockPatience;
  readonly #beganAt = performance.now();
  #tries = 0;
  #stands = false;
  #holder: string | null = null;

  constructor(patience: LockPatience) {
    this.#patience = patience;
  }

  /** What a transaction is begun with. */
  get setting(): string {
    return `; SET LOCAL lock_timeout = ${Math.floor(this.#patience.atOnceMs * (this.#stands ? longerBy : 1))}`;
  }

  /** Stands in line with the next try, where this is not the first and one of the turns may: who does is served when the lock is free, and not after a pause. Gives what ends it. */
  standIn(turns: Turns | null): (() => void) | null {
    const leave = this.#tries === 0 ? null : (turns?.stand() ?? null);
    this.#stands = leave !== null;
    return leave;
  }

  /** Looks who holds up a connection's statement, while it waits; the function ends the looking. */
  watch(reader: Reader, client: pg.PoolClient): () => void {
    // In a first try nobody needs to know: it is over, or tried again.
    if (this.#tries === 0) return () => undefined;
    const timer = setTimeout(() => {
      holderOf(reader, client).then(
        (holder) => (this.#holder = holder ?? this.#holder),
        // Only what the failure would say.
        () => undefined,
      );
    }, this.#patience.atOnceMs / 2);
    return () => clearTimeout(timer);
  }

  /** Waits beside the connections before another try. Throws `unavailable`, which says who is in the way, where it was long enough. */
  async pause(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const waitedMs = performance.now() - this.#beganAt;
    if (waitedMs > this.#patience.wholeMs)
      throw fail(
        'unavailable',
        `${this.#holder ?? 'Another writer'} holds what this request would change, and did so for all of the ${Math.round(waitedMs / 1000)} seconds that it was waited for; nothing was changed, try again`,
        {},
        error,
      );
    this.#tries += 1;
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** this.#tries) * (0.5 + Math.random() / 2);
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        reject(givenUp(signal?.reason));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, pauseMs);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
  }
}

const HolderRow = z.strictObject({ name: column.maybeText, seconds: column.maybeInt });

/** Who a connection waits for, in words: by the name that its holder gave itself. Null where nobody is found, as behind a pooler of connections. */
async function holderOf(reader: Reader, client: pg.PoolClient): Promise<string | null> {
  // A field of node-postgres that its types leave out.
  const { processID } = client as unknown as { readonly processID: number };
  const row = await reader.maybeOne(sql.type(HolderRow)`
    SELECT application_name AS name, round(extract(epoch FROM clock_timestamp() - xact_start))::int AS seconds
    FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids(${processID}::int)) ORDER BY xact_start LIMIT 1`);
  // Who may not see the work of other users is told neither.
  if (row === null || row.name === null || row.seconds === null) return null;
  return `${names.get(row.name) ?? `The program '${row.name}'`}, at work for ${row.seconds} s,`;
}

const names: ReadonlyMap<string, string> = new Map([
  ['muniment-api', 'Another request'],
  ['muniment-large-bodies', 'Another request'],
  ['muniment-worker', 'A job'],
]);
