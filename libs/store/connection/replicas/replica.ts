// One replica: where it is, how far it has replayed, and whether it may answer reads now.
import pg from 'pg';
import { z } from 'zod';
import { column } from '../columns.ts';
import { Database } from '../database.ts';
import type { DatabaseSettings } from '../database.ts';
import { endClient } from '../end-client.ts';
import type { Reader } from '../reader.ts';
import type { Transaction, TransactionOptions } from '../transaction.ts';
import { readOn } from '../reader.ts';
import { sql } from '../sql.ts';
import type { Lsn, Moment, Moments } from './moments.ts';
import { toLsn } from './moments.ts';
import type { ReadSource } from './replica-reader.ts';

/**
 * Whether a replica is in use, or why not: not asked yet; no answer; it takes writes, so it is nobody's replica; a copy of other data; it follows
 * another primary than this one, as after a failover that it has not heard of; it lags.
 */
export type Standing =
  | 'new'
  | 'in_use'
  | 'unreachable'
  | 'not_a_replica'
  | 'other_cluster'
  | 'other_timeline'
  | 'behind';

/** What a primary says of itself, for a replica to be held against. */
export type Primary = { readonly cluster: string; readonly timeline: number };

const ReplicaRow = z.strictObject({
  standby: column.bool,
  lsn: column.maybeText,
  cluster: column.text,
  timeline: column.int,
});

// What the connection receives is known at once to those who may see it (pg_monitor); else it is told by the last restart point.
const position = sql.type(ReplicaRow)`
  SELECT pg_is_in_recovery() AS standby, pg_last_wal_replay_lsn()::text AS lsn, c.system_identifier::text AS cluster,
    greatest((SELECT received_tli FROM pg_stat_wal_receiver), k.timeline_id) AS timeline
  FROM pg_control_system() AS c, pg_control_checkpoint() AS k`;

const connectMs = 1000;
const answerMs = 500;

/** A replica and the connections to it. Nothing is asked before the first look(). Dispose to end. */
export class Replica implements AsyncDisposable, ReadSource {
  /** Host, port and database: no name, no password. */
  readonly name: string;
  readonly url: string;
  readonly #database: Database;
  readonly #lagMs: number;
  #client: pg.Client | null = null;
  #looking: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #isClosed = false;
  #standing: Standing = 'new';
  #replayed: Lsn | null = null;
  #behindMs = 0;

  /** `lagMs`: how far it may be behind to be in use. */
  constructor(settings: DatabaseSettings, lagMs: number) {
    const { hostname, port, pathname } = new URL(settings.url);
    this.name = `${decodeURIComponent(hostname)}:${port === '' ? '5432' : port}${pathname}`;
    this.#database = new Database({ ...settings, isReplica: true });
    this.url = settings.url;
    this.#lagMs = lagMs;
  }

  get reader(): Reader {
    return this.#database.reader;
  }

  /** Runs `work` in a transaction of the replica, which must be read-only. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
    return this.#database.transaction(work, options);
  }

  get standing(): Standing {
    return this.#standing;
  }

  /** Whether it answers reads at this moment. */
  get isInUse(): boolean {
    return this.#standing === 'in_use';
  }

  /** How far it is behind, in milliseconds, as of the last look. */
  get behindMs(): number {
    return this.#behindMs;
  }

  /** Statements that it has at work. */
  get busy(): number {
    const { total, idle, waiting } = this.#database.poolUse;
    return total - idle + waiting;
  }

  /** The latest moment of the primary that it shows for certain. */
  shows(moments: Moments, now: number): Moment | null {
    return this.#replayed === null ? null : moments.replayedAt(this.#replayed, now);
  }

  /** Whether it has replayed the log up to a position, as of the last look. */
  hasReplayed(lsn: Lsn): boolean {
    return this.#replayed !== null && this.#replayed >= lsn;
  }

  /** Asks where it stands; the answer is of after the call, and shared by those who ask meanwhile. Never fails. */
  look(primary: Primary, moments: Moments): Promise<void> {
    this.#next ??= (this.#looking ?? Promise.resolve()).then(() => {
      this.#next = null;
      this.#looking = this.#look(primary, moments).finally(() => {
        this.#looking = null;
      });
      return this.#looking;
    });
    return this.#next;
  }

  /** Leaves it out until it has answered again: a statement was refused in a way that tells that the server is away. */
  leaveOut(): void {
    this.#lost();
  }

  async #look(primary: Primary, moments: Moments): Promise<void> {
    try {
      const [found] = await readOn(await this.#connected(), position);
      if (found === undefined) throw new Error('no row');
      this.#replayed = found.lsn === null ? null : toLsn(found.lsn);
      this.#standing = this.#judge(found, primary, moments);
    } catch {
      this.#lost();
      // What is under way there would wait for as long as the network is silent; it is asked again of the primary.
      this.#database.cut();
    }
  }

  #judge(found: z.infer<typeof ReplicaRow>, primary: Primary, moments: Moments): Standing {
    if (!found.standby || this.#replayed === null) return 'not_a_replica';
    if (found.cluster !== primary.cluster) return 'other_cluster';
    if (found.timeline !== primary.timeline) return 'other_timeline';
    this.#behindMs = moments.behindAt(this.#replayed, performance.now());
    // One that was left out comes back when it is well within the bound, so that it does not come and go.
    const mostMs = this.#standing === 'in_use' ? this.#lagMs : this.#lagMs / 2;
    const isKnown = this.shows(moments, performance.now()) !== null;
    return isKnown && this.#behindMs <= mostMs ? 'in_use' : 'behind';
  }

  /** A connection of its own: those of the pool may all be at work, which is no reason to leave it out. */
  async #connected(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'muniment replica watch',
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
    });
    client.on('error', () => this.#lost());
    this.#client = client;
    await client.connect();
    if (this.#isClosed) throw new Error('closed');
    return client;
  }

  /** A server that comes back may show an earlier state than before: nothing that was known of it counts. */
  #lost(): void {
    this.#standing = 'unreachable';
    this.#replayed = null;
    this.#drop();
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) void endClient(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    this.#drop();
    await this.#database[Symbol.asyncDispose]();
  }
}
