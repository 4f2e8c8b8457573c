// Connections, and the two things one may do with them: read (Reader) and write in a transaction (Transaction).
// A write without a transaction fails: connections are read-only (default_transaction_read_only) but for the transactions that
// Database.transaction and Database.write begin. Neither a setting nor a round trip is spent on a read for that.
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { changeChannel, sequencerWaker } from '../change-log/wake-sequencer.ts';
import { endWith } from './cancellation.ts';
import { dropClient } from './end-client.ts';
import { limitAnswers } from './answers.ts';
import { Gather } from './batched-reads.ts';
import type { LockPatience } from './lock-waits.ts';
import type { PoolSettings } from './pool.ts';
import { openPool } from './pool.ts';
import { LockWait, isLockTimeout, waitingSignal } from './lock-waits.ts';
import { givenUp, isRetryable, toFailure } from './pg-errors.ts';
import type { Reader } from './reader.ts';
import { readerOn, rowsOn } from './reader.ts';
import { UnreadRow } from './columns.ts';
import { checkRows } from './row-checks.ts';
import type { Query, RowQuery } from './sql.ts';
import { sql } from './sql.ts';
import type { Transaction, TransactionOptions } from './transaction.ts';
import { beginning, ofOneStatement, transactionOn } from './transaction.ts';
import { Turns, writersAmong } from './turns.ts';
import type { Reads, ReadSource } from './replicas/replica-reader.ts';
import { isOnReplica, onEither, readerOnEither } from './replicas/replica-reader.ts';
import { observed } from '../observing/statements.ts';
import type { FileStorage } from '../files/storage.ts';
import { ListMemory } from '../records/reading/list-memory.ts';
import { ResolvedTexts } from '../records/reading/resolved-texts.ts';
import { PositionMemory } from '../trees/position-memory.ts';

export type { Reader } from './reader.ts';
export type { Transaction } from './transaction.ts';

/** Settings of a database: of its connections, of which some are for reads alone (writersAmong), and what is done with them; times in milliseconds.
 * `rowsChecked`: how many rows of each statement are checked against its row type; all, where it is absent. */
export type DatabaseSettings = PoolSettings & {
  /** How long transactions that write wait for locks; absent: as long as a statement may take. */
  readonly lockPatience?: LockPatience;
  readonly rowsChecked?: number;
  /** What keeps files of this database outside of it (libs/store/files); absent or null: nothing does. */
  readonly files?: FileStorage | null;
};

/** Whose connections a database shares; `to`: until when; `from`: which replica answers its reads. */
type Bound = { readonly of: Database; readonly to?: AbortSignal; readonly from?: Pick<Reads, 'replica' | 'onRefused'> };

const commit = { text: 'COMMIT', values: [] };

/** The database of the service: a pool of connections of one process. Close it to end. */
export class Database implements AsyncDisposable {
  readonly reader: Reader;
  readonly settings: DatabaseSettings;
  /** The same without the end that `until` gave it, for what is tidied up after that end; itself where it has none. */
  readonly unbound: Database;
  readonly #pool: pg.Pool;
  readonly #writers: Turns;
  readonly #inside: AsyncLocalStorage<true>;
  readonly #wakeSequencer: () => void;
  readonly #signal: AbortSignal | undefined;
  readonly #rowsChecked: number;
  /** The clients of the pool, where they may have to be cut off. */
  readonly #open = new Set<pg.PoolClient>();
  readonly #reads: Reads | undefined;
  #hasWritten = false;

  constructor(settings: DatabaseSettings, bound?: Bound) {
    this.settings = settings;
    this.unbound = bound?.of.unbound ?? this;
    this.#signal = bound?.to;
    this.#rowsChecked = settings.rowsChecked ?? Infinity;
    if (bound !== undefined) {
      const { of: origin } = bound;
      this.#pool = origin.#pool;
      this.#writers = origin.#writers;
      this.#inside = origin.#inside;
      this.#wakeSequencer = origin.#wakeSequencer;
      if (bound.from !== undefined) {
        this.#reads = { ...bound.from, isOver: () => this.#hasWritten };
        this.reader = readerOnEither(this.#reads, origin.reader);
        return;
      }
      this.reader = {
        ...readerOn({ query: (config) => this.withClient((client) => client.query(config)) }, this.#rowsChecked),
        ...(origin.reader.positions === undefined ? {} : { positions: origin.reader.positions }),
        ...(origin.reader.resolved === undefined ? {} : { resolved: origin.reader.resolved }),
        ...(origin.reader.lists === undefined ? {} : { lists: origin.reader.lists }),
      };
      return;
    }
    this.#inside = new AsyncLocalStorage<true>();
    this.#writers = new Turns(writersAmong(settings.poolSize));
    this.#pool = openPool(settings, () => this.#forget());
    if (settings.isReplica === true) this.#pool.on('connect', (client) => this.#open.add(client));
    this.#pool.on('remove', (client) => this.#open.delete(client));
    const gather = new Gather((name, text, ids) => rowsOn(this.#pool, { name, text, values: [ids] }));
    const reader = readerOn(this.#pool, this.#rowsChecked);
    this.reader = {
      ...reader,
      byId: async ({ name, text, parser }, id) => {
        // Each read by itself: the statement that they share is no one's alone.
        const row = await observed({ name, text, values: [[id]] }, () => gather.row(name, text, id));
        if (row === undefined) return undefined;
        const rows: readonly unknown[] = [row];
        checkRows(parser, rows, this.#rowsChecked, name);
        return rows[0];
      },
      positions: new PositionMemory(),
      // A snapshot that is taken on a replica does not tell which transactions were under way: what came of them would never be missed.
      ...(settings.isReplica === true ? {} : { resolved: new ResolvedTexts(reader.named), lists: new ListMemory() }),
    };
    this.#wakeSequencer = sequencerWaker(() =>
      this.reader.any(sql.type(UnreadRow)`SELECT pg_notify(${changeChannel}, '')`),
    );
  }

  /**
   * The same connections for work that ends with the signal: then the statement that runs is canceled in the server, none is begun, no
   * transaction commits, and the signal's reason is thrown. It is not closed by itself.
   */
  until(signal: AbortSignal): Database {
    return new Database(this.settings, { to: signal, of: this.unbound });
  }

  /**
   * The same database, whose reads and read-only transactions a replica answers while it is in use, until something is written through it: what
   * follows may be meant to show that. `onRefused`: called for each that the replica gave up and the primary answered.
   */
  readingFrom(replica: ReadSource, onRefused: () => void): Database {
    return new Database(this.settings, { of: this.unbound, from: { replica, onRefused } });
  }

  /**
   * Runs `work` in one transaction and commits; any exception rolls back and is thrown on. Deadlocks and
   * serialization failures are tried again up to five times, so `work` must have no effect outside the database. `readOnly`: all
   * statements see one snapshot; `tables`: it is taken once these are there to be read, and none of them is replaced until the end.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.#inside.getStore() === true)
      throw new Error('a transaction inside a transaction would wait for itself when the pool is empty');
    const here = (): Promise<T> =>
      this.#inside.run(true, () => this.#attempts(work, options, options.readOnly === true ? null : this.#writers));
    const reads = this.#reads;
    if (reads === undefined) return here();
    if (options.readOnly === true)
      return onEither(reads, (where) => (where === 'replica' ? reads.replica.transaction(work, options) : here()));
    this.#hasWritten = true;
    return here();
  }

  /**
   * Runs one statement that writes, commits it by itself and gives its rows, or how many it changed where it gives none. Unlike transaction() it may be called while a transaction of
   * the caller's is open, which it neither sees nor waits for: it then takes a connection beside that one.
   */
  async write<Row>(query: RowQuery<Row>): Promise<readonly Row[]>;
  async write(query: Query): Promise<number>;
  async write<Row>(query: Query | RowQuery<Row>): Promise<readonly Row[] | number> {
    // Beside a transaction without a turn of its own, which could be the one that this statement holds up.
    const turns = this.#inside.getStore() === true ? null : this.#writers;
    this.#hasWritten = true;
    return 'parser' in query
      ? this.#attempts((tx) => tx.any(query), ofOneStatement, turns)
      : this.#attempts((tx) => tx.run(query), ofOneStatement, turns);
  }

  /**
   * The same for what a transaction waits for that may have begun after it: it takes no turn, of which that transaction, and others that wait like it,
   * may have the last. Of such statements there are a few at a time, and each is short.
   */
  async writeBeside(query: Query): Promise<number> {
    this.#hasWritten = true;
    return this.#attempts((tx) => tx.run(query), ofOneStatement, null);
  }

  async #attempts<T>(
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
    turns: Turns | null,
  ): Promise<T> {
    const { lockPatience } = this.settings;
    // Who says how long its statements may take waits for that long, too.
    const isPatient = options.readOnly === true || options.statementTimeoutMs !== undefined;
    const wait = lockPatience === undefined || isPatient ? null : new LockWait(lockPatience);
    const signal = waitingSignal();
    for (let attempt = 1; ;) {
      const endTurn = await turns?.take(signal).catch((reason: unknown) => {
        throw givenUp(reason);
      });
      const leave = wait?.standIn(turns);
      let inTheWay: unknown = null;
      try {
        return await this.#attempt(work, options, wait);
      } catch (error) {
        if (wait !== null && isLockTimeout(error)) inTheWay = error;
        // What a replica gives up the primary does: it is not tried there again.
        else if (attempt >= 6 || !isRetryable(error) || this.settings.isReplica === true) throw toFailure(error);
      } finally {
        leave?.();
        endTurn?.();
      }
      if (inTheWay !== null) await wait?.pause(inTheWay, signal);
      else await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt++ * Math.random()));
    }
  }

  async #attempt<T>(
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
    wait: LockWait | null,
  ): Promise<T> {
    this.#signal?.throwIfAborted();
    const client = await this.#pool.connect();
    limitAnswers(client, options.statementTimeoutMs);
    const endWatch = wait?.watch(this.unbound.reader, client);
    let broken: Error | undefined;
    try {
      await client.query(beginning(options, wait?.setting));
      const effects = new Set<() => void>();
      const value = await endWith(client, this.#signal, () =>
        work(transactionOn(client, effects, this.#wakeSequencer, this.#signal, this.#rowsChecked)),
      );
      const { command } = await observed(commit, () => client.query(commit.text));
      // So PostgreSQL ends one of which a statement failed, without an error of its own.
      if (command !== 'COMMIT')
        throw new Error('a statement of the transaction failed, its work went on, and nothing of it is stored');
      for (const effect of effects) effect();
      return value;
    } catch (error) {
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      endWatch?.();
      limitAnswers(client, undefined);
      client.release(broken ?? this.#signal?.aborted);
    }
  }

  /**
   * Lends a connection outside any transaction, for LISTEN-free session work such as streaming reads; always released. It is read-only but in BEGIN READ WRITE.
   * `statementTimeoutMs`: what the work sets for its statements (0: nothing ends them), where that is not what the connection has.
   */
  async withClient<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    { statementTimeoutMs }: Pick<TransactionOptions, 'statementTimeoutMs'> = {},
  ): Promise<T> {
    this.#signal?.throwIfAborted();
    const client = await this.#pool.connect();
    limitAnswers(client, statementTimeoutMs);
    try {
      return await endWith(client, this.#signal, () => work(client));
    } finally {
      limitAnswers(client, undefined);
      client.release(this.#signal?.aborted);
    }
  }

  /** What is remembered of a server that ended a connection may be the past of another one, or of itself before it recovered. */
  #forget(): void {
    this.reader.positions?.forget();
    this.reader.resolved?.forget();
  }

  /** Ends all connections of a replica's pool at once, whatever they do: statements fail as where the server is gone. Later ones make new connections. */
  cut(): void {
    for (const client of this.#open) dropClient(client);
  }

  /** Where its reads are answered at this moment. */
  get readsFrom(): Pick<DatabaseSettings, 'url' | 'isReplica'> {
    return this.#reads === undefined || !isOnReplica(this.#reads)
      ? { url: this.settings.url }
      : { url: this.#reads.replica.url, isReplica: true };
  }

  /** Whether the database answers a statement. */
  async isReachable(): Promise<boolean> {
    return this.#pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  /** Connections now open, idle and waited for, by writers whose turn it is not yet too. */
  get poolUse(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount + this.#writers.waiting };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}
