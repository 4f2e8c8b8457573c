// Sessions: made at login, found by token at each request, marked used in batches (contract 2.1). Only a digest of a token is
// stored. What a token stands for is remembered for a few seconds, so that reading a record costs one round trip.
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '#domain/access/caller.ts';
import { anonymous } from '#domain/access/caller.ts';
import { column } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { announceAccessChange, grantsText, parseGrants } from './grants.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** Idle limit of expirable sessions in seconds; `now` is a clock in epoch milliseconds. Removing idle sessions is expire.ts's. */
export type SessionSettings = {
  readonly idleSeconds: number;
  /** How long after its login a session ends however much it is used, in seconds, and one that is not expirable; 0: never. Default 0. */
  readonly lifetimeSeconds?: number;
  readonly longLifetimeSeconds?: number;
  readonly now?: () => number;
  /** How long what was read is trusted. Default 2 seconds. */
  readonly rememberMs?: number;
  /** How often use is written. Default 5 seconds, and a quarter of the idle limit where that is less: other processes would take a session in use for an idle one. */
  readonly writeEveryMs?: number;
  /** Hears of failed writes of the batch, for the log. */
  readonly onError?: (error: unknown) => void;
};

/** What a token stands for; `digest` is for hold(). `gone` is an unknown token, `expired` one that was idle for too long, or is too old; it is deleted by that. */
export type SessionFound =
  | {
      readonly kind: 'ok';
      readonly caller: Caller;
      readonly digest: string;
      readonly session: { readonly token: string; readonly expirable: boolean };
    }
  | { readonly kind: 'gone' }
  | { readonly kind: 'expired' };

const SessionRow = z.strictObject({
  user_id: column.int,
  expirable: column.bool,
  used_ms: column.number,
  created_ms: column.number,
  username: column.maybeText,
  agent_uri: column.maybeText,
  grants: column.text,
});
type SessionRow = z.infer<typeof SessionRow>;
type Remembered = {
  readonly caller: Caller;
  readonly expirable: boolean;
  readonly createdAt: number;
  readonly readAt: number;
  usedAt: number;
  /** The last use that other processes know of. */
  writtenAt: number;
};

// Above this the memory is emptied: sessions of this many users in two seconds are a flood of made-up tokens.
const mostRemembered = 20_000;
const longestToken = 512;

/** The sessions of the service, as one process sees them. Dispose it to write the last uses. */
export class Sessions implements AsyncDisposable {
  readonly #database: Database;
  readonly #settings: SessionSettings;
  readonly #now: () => number;
  readonly #rememberMs: number;
  /** How old the last written use may be so that the next batch is written before the session is over to others. */
  readonly #safeMs: number;
  readonly #remembered = new Map<string, Remembered>();
  readonly #reading = new Map<string, Promise<SessionRow | null>>();
  readonly #used = new Map<string, number>();
  /** Requests in flight by digest: a session is in use for as long as one of them lasts. */
  readonly #held = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #generation = 0;

  constructor(database: Database, settings: SessionSettings) {
    this.#database = database;
    this.#settings = settings;
    this.#now = settings.now ?? Date.now;
    this.#rememberMs = settings.rememberMs ?? 2000;
    const idleMs = settings.idleSeconds * 1000;
    const writeEveryMs = settings.writeEveryMs ?? Math.min(5000, idleMs / 4);
    this.#safeMs = Math.max(idleMs / 2, idleMs - 2 * writeEveryMs);
    this.#timer = setInterval(() => {
      this.writeUses().catch((error: unknown) => settings.onError?.(error));
    }, writeEveryMs).unref();
  }

  /** Finds who a token belongs to and marks it used. A session whose user is gone gives an anonymous caller. */
  async read(token: string): Promise<SessionFound> {
    if (token.length > longestToken) return { kind: 'gone' };
    const digest = digestOf(token);
    const remembered = this.#fresh(digest);
    // What is remembered does not know what another process saw since.
    const found =
      remembered === undefined || this.#isIdle(remembered, this.#now()) ? await this.#load(digest) : remembered;
    if (found === null) return { kind: 'gone' };
    const now = this.#now();
    const isIdle = this.#isIdle(found, now);
    if ((isIdle && !this.#held.has(digest)) || this.#isTooOld(found, now)) {
      await this.end(token);
      return { kind: 'expired' };
    }
    found.usedAt = now;
    this.#used.set(digest, now);
    if (found.expirable && now - found.writtenAt > this.#safeMs) {
      // To another process, the thread for large bodies among them, the session would be over before the next batch is written.
      found.writtenAt = now;
      await this.writeUses().catch((error: unknown) => this.#settings.onError?.(error));
    }
    return { kind: 'ok', caller: found.caller, digest, session: { token, expirable: found.expirable } };
  }

  #isIdle({ expirable, usedAt }: Remembered, now: number): boolean {
    return expirable && now - usedAt > this.#settings.idleSeconds * 1000;
  }

  #isTooOld({ expirable, createdAt }: Remembered, now: number): boolean {
    const { lifetimeSeconds = 0, longLifetimeSeconds = 0 } = this.#settings;
    const lifetime = expirable ? lifetimeSeconds : longLifetimeSeconds;
    return lifetime > 0 && now - createdAt > lifetime * 1000;
  }

  /**
   * Keeps a session, by the digest that read() gave, in use until the function that is given back is called (once): a request that lasts
   * for longer than the idle limit, such as a large import, still has its session afterwards. Another process learns of it with the next
   * writeUses().
   */
  hold(digest: string): () => void {
    this.#held.set(digest, (this.#held.get(digest) ?? 0) + 1);
    return () => {
      const others = (this.#held.get(digest) ?? 1) - 1;
      if (others > 0) this.#held.set(digest, others);
      else this.#held.delete(digest);
      const now = this.#now();
      const remembered = this.#remembered.get(digest);
      if (remembered !== undefined) remembered.usedAt = now;
      this.#used.set(digest, now);
    };
  }

  #fresh(digest: string): Remembered | undefined {
    const known = this.#remembered.get(digest);
    return known !== undefined && this.#now() - known.readAt <= this.#rememberMs ? known : undefined;
  }

  /** Reads a session; requests that come together share one statement. What was forgotten meanwhile is not remembered. */
  async #load(digest: string): Promise<Remembered | null> {
    const generation = this.#generation;
    let reading = this.#reading.get(digest);
    if (reading === undefined) {
      reading = this.#select(digest);
      this.#reading.set(digest, reading);
    }
    try {
      const row = await reading;
      if (row === null) return null;
      // Uses that are not written yet count: the database is up to writeEveryMs behind.
      const usedAt = Math.max(row.used_ms, this.#used.get(digest) ?? 0);
      const caller: Caller =
        row.username === null
          ? anonymous
          : { userId: row.user_id, username: row.username, agentUri: row.agent_uri, grants: parseGrants(row.grants) };
      const remembered: Remembered = {
        caller,
        expirable: row.expirable,
        createdAt: row.created_ms,
        readAt: this.#now(),
        usedAt,
        writtenAt: row.used_ms,
      };
      if (generation === this.#generation) this.#remember(digest, remembered);
      return remembered;
    } finally {
      if (this.#reading.get(digest) === reading) this.#reading.delete(digest);
    }
  }

  #remember(digest: string, remembered: Remembered): void {
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear();
    this.#remembered.set(digest, remembered);
  }

  async #select(digest: string): Promise<SessionRow | null> {
    const [row] = await this.#database.reader.named(sessionStatement, [Buffer.from(digest, 'hex')]);
    return row ?? null;
  }

  /** Makes a session, which is there where the transaction commits, and gives its token: 64 hexadecimal characters, never shown again. */
  async start(tx: Transaction, userId: number, expirable: boolean): Promise<string> {
    const token = newToken();
    const now = sql.fragment`to_timestamp(${this.#now() / 1000}::float8)`;
    await tx.run(sql`
      INSERT INTO session (token_hash, user_id, expirable, create_time, last_used)
      VALUES (${hashOf(digestOf(token))}, ${userId}, ${expirable}, ${now}, ${now})`);
    return token;
  }

  /** Ends a session; true where there was one. `also` is done in the same transaction. */
  async end(token: string, also?: (tx: Transaction) => Promise<void>): Promise<boolean> {
    const digest = digestOf(token);
    const count = await this.#database.transaction(async (tx) => {
      const deleted = await tx.run(sql`DELETE FROM session WHERE token_hash = ${hashOf(digest)}`);
      if (deleted > 0) {
        await announceAccessChange(tx);
        await also?.(tx);
      }
      return deleted;
    });
    this.forget();
    this.#used.delete(digest);
    return count > 0;
  }

  /** Ends the sessions of a user, but the one of `exceptToken`, where the transaction commits. */
  async endAllOf(tx: Transaction, userId: number, exceptToken: string | null): Promise<void> {
    const kept = hashOf(exceptToken === null ? '' : digestOf(exceptToken));
    const deleted = await tx.run(sql`DELETE FROM session WHERE user_id = ${userId} AND token_hash <> ${kept}`);
    if (deleted > 0) await announceAccessChange(tx);
    tx.afterCommit(() => this.forget());
  }

  /**
   * Makes a session that of another user (contract 2.1 become-user) and gives its new token: the old one, which others may know, is gone from
   * the commit on. There is no way back. Its age stays, and it is used by that. Null where the session ended meanwhile, or another request made it that of a user.
   */
  async become(tx: Transaction, token: string, userId: number): Promise<string | null> {
    const next = newToken();
    const changed = await tx.run(sql`
      UPDATE session SET user_id = ${userId}, token_hash = ${hashOf(digestOf(next))}, last_used = to_timestamp(${this.#now() / 1000}::float8) WHERE token_hash = ${hashOf(digestOf(token))}`);
    if (changed === 0) return null;
    await announceAccessChange(tx);
    tx.afterCommit(() => {
      this.#used.delete(digestOf(token));
      this.forget();
    });
    return next;
  }

  /** Drops what is remembered: the next request of each session reads it anew. */
  forget(): void {
    this.#generation += 1;
    this.#remembered.clear();
    this.#reading.clear();
  }

  /** Writes the uses that are not written yet, and those of requests in flight. One statement. */
  async writeUses(): Promise<void> {
    const now = this.#now();
    for (const digest of this.#held.keys()) this.#used.set(digest, now);
    const uses = [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1));
    if (uses.length === 0) return;
    this.#used.clear();
    try {
      await this.#database.transaction(async (tx) =>
        tx.run(sql`
        UPDATE session s SET last_used = greatest(s.last_used, to_timestamp(u.used_ms / 1000))
        FROM ${sql.unnest(uses, ['text', 'float8'])} AS u (digest, used_ms) WHERE s.token_hash = decode(u.digest, 'hex')`),
      );
    } catch (error) {
      // Kept for the next batch, unless the session was used again meanwhile.
      for (const [digest, usedAt] of uses) if (!this.#used.has(digest)) this.#used.set(digest, usedAt);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    // The database may be gone already; a lost mark only makes a session look older.
    await this.writeUses().catch((error: unknown) => this.#settings.onError?.(error));
  }
}

const newToken = (): string => randomBytes(32).toString('hex');
const hashOf = (digest: string): Fragment => sql.fragment`decode(${digest}, 'hex')`;
const digestOf = (token: string): string => hash('sha256', token, 'hex');

// The statement of every request that is not remembered: three primary keys and group_member_user_idx.
const sessionStatement = {
  name: 'session_read',
  parser: SessionRow,
  text: `SELECT s.user_id, s.expirable, extract(epoch FROM s.last_used)::float8 * 1000 AS used_ms, extract(epoch FROM s.create_time)::float8 * 1000 AS created_ms,
  u.label AS username, u.body #>> '{agent_record,ref}' AS agent_uri, ${grantsText(sql.fragment`s.user_id`).sql} AS grants
FROM session s LEFT JOIN record u ON u.kind = 'user' AND u.id = s.user_id WHERE s.token_hash = $1`,
};
