// The connections of a database: what they are set to, and what is heard of those that break.
import pg from 'pg';
import { watchAnswers } from './answers.ts';
import { onlyToPrimary } from './primary-alone.ts';
import { types } from './reader.ts';

/** Settings of the connections; times in milliseconds. `poolSize`: how many at most. */
export type PoolSettings = {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs?: number;
  readonly applicationName?: string;
  /** How many stay open however long nobody asks (`keptForPeople`); others are closed when they were idle for `idleMs`, a minute unless it is given. */
  readonly keptOpen?: number;
  readonly idleMs?: number;
  /** How long after its time limit a statement may be without an answer before its connection is ended (answers.ts); tests shorten it. */
  readonly answerGraceMs?: number;
  /** How long a connection may take to come up: a server that accepts it and says nothing more would be waited for without an end. */
  readonly connectMs?: number;
  /** A replica of another database, that nothing is written to. */
  readonly isReplica?: true;
  /** Whoever answers will do, a replica too: for what only looks. */
  readonly anyServer?: true;
};

/**
 * Connections that stay open where people wait: as many as a browser sends requests at once. A new one knows no table and has no plan, so that the
 * first reading of a record takes it some twenty times as long, and the next ones four times: without these, whoever looks again after a minute waits for that.
 */
export const keptForPeople = 6;

/** Clients that give up connecting after a time. The pool's own setting of this name would also end the waiting of whoever stands in line for a connection. */
const clientWithin = (connectMs: number): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: config?.connectionTimeoutMillis ?? connectMs });
    }
  };

/** Opens a pool. `onBroken` hears of each connection that breaks. */
export function openPool(settings: PoolSettings, onBroken: () => void): pg.Pool {
  const {
    isReplica = false,
    statementTimeoutMs = 60_000,
    connectMs = 30_000,
    keptOpen = 0,
    idleMs = 60_000,
  } = settings;
  const pool = new pg.Pool({
    Client: clientWithin(connectMs),
    connectionString: settings.url,
    max: settings.poolSize,
    types,
    application_name: settings.applicationName ?? 'muniment',
    // On the default of 4 a database of few, huge lists gets sequential scans for child counts (decision 0006).
    options: `-c default_transaction_read_only=on -c timezone=UTC -c random_page_cost=1.1 -c statement_timeout=${statementTimeoutMs}`,
    min: keptOpen,
    idleTimeoutMillis: idleMs,
    // A replica that does not answer is left out; whoever waits for a connection to it goes to the primary.
    ...(isReplica ? { connectionTimeoutMillis: 2000 } : {}),
    ...(isReplica || settings.anyServer === true ? {} : { verify: onlyToPrimary }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // An idle connection that the server ends is replaced at the next query; without a listener it would end the process.
  pool.on('error', onBroken);
  // The same for one that is lent out and breaks between two statements: the next statement fails, and that is told.
  pool.on('connect', (client) => {
    client.on('error', onBroken);
    watchAnswers(client, statementTimeoutMs, settings.answerGraceMs);
  });
  return pool;
}
