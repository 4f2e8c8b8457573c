// The statements of one transaction on its connection, with savepoints and what is done after the commit.
import type pg from 'pg';
import { toFailure } from './pg-errors.ts';
import type { Reader } from './reader.ts';
import { readerOn } from './reader.ts';
import type { Query } from './sql.ts';
import { toStatement } from './sql.ts';
import type { Together } from './together.ts';
import { sendTogether } from './together.ts';
import { observed } from '../observing/statements.ts';

/** Runs statements that write, in one transaction. */
export type Transaction = Reader & {
  /** The number of rows changed. */
  run(query: Query): Promise<number>;
  /** Sends the first statements of several works at once (sendTogether). */
  readonly together: Together;
  /** Runs `work` in a savepoint: its failure undoes `work` alone. */
  nested<T>(work: () => Promise<T>): Promise<T>;
  /** Called once after the commit; never where the transaction rolls back. */
  afterCommit(effect: () => void): void;
  /** Says that changes were appended, so that the sequencer is woken after the commit. */
  changed(): void;
  /** The connection itself, for COPY streams alone. */
  readonly client: pg.PoolClient;
};

/**
 * How a transaction is run. `readOnly`: all statements see one snapshot; `tables`: it is taken once these are there to be read; `idleTimeoutMs`: how long
 * it may rest between two statements before the server ends it with its locks, for a process that is frozen keeps its connections; times in milliseconds.
 */
export type TransactionOptions = {
  readonly statementTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly readOnly?: boolean;
  readonly tables?: readonly string[];
};

/** Between a statement that is a transaction by itself and its COMMIT lies nothing: who takes this long is frozen, and may hold what everybody waits for, as the sequencer's lease. */
export const ofOneStatement: TransactionOptions = { idleTimeoutMs: 15_000 };

const toTime = (setting: string, ms: number | undefined): string =>
  ms === undefined ? '' : `; SET LOCAL ${setting} = ${Math.floor(ms)}`;
const toLock = (tables: readonly string[]): string =>
  tables.length === 0 ? '' : `; LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`;

/** The statements that begin a transaction; `lockSetting` follows where it writes. */
export function beginning(options: TransactionOptions, lockSetting = ''): string {
  const begin =
    options.readOnly === true
      ? `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${toLock(options.tables ?? [])}`
      : `BEGIN READ WRITE${lockSetting}`;
  const idle = toTime('idle_in_transaction_session_timeout', options.idleTimeoutMs);
  return `${begin}${toTime('statement_timeout', options.statementTimeoutMs)}${idle}`;
}

/** A transaction that was begun on the connection. `wake` wakes the sequencer; what is to be done after the commit is collected in `effects`; `rowsChecked` as for readers. */
export function transactionOn(
  client: pg.PoolClient,
  effects: Set<() => void>,
  wake: () => void,
  signal: AbortSignal | undefined,
  rowsChecked: number,
): Transaction {
  let depth = 0;
  const query = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    signal?.throwIfAborted();
    return client.query(config);
  };
  return {
    ...readerOn({ query }, rowsChecked),
    client,
    run: async (query) => {
      signal?.throwIfAborted();
      try {
        const statement = { text: toStatement(query), values: [...query.values] };
        return (await observed(statement, () => client.query(statement))).rowCount ?? 0;
      } catch (error) {
        throw toFailure(error);
      }
    },
    together: (works) => sendTogether(client, works),
    nested: async (work) => {
      const name = `nested_${++depth}`;
      await client.query(`SAVEPOINT ${name}`);
      try {
        const value = await work();
        await client.query(`RELEASE SAVEPOINT ${name}`);
        return value;
      } catch (error) {
        // Where the connection is gone the whole transaction ends; the error of the work is the one to tell.
        await client.query(`ROLLBACK TO SAVEPOINT ${name}`).catch(() => undefined);
        throw error;
      }
    },
    afterCommit: (effect) => {
      effects.add(effect);
    },
    changed: () => {
      effects.add(wake);
    },
  };
}
