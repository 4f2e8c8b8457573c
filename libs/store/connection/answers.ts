// The end of waiting for a server that is gone without a word: its machine, or the network before it. The server's own limit of a statement ends one that
// runs; where nothing comes back TCP gives up after a quarter of an hour, and never where a proxy or a pooler keeps its side of the connection.
import pg from 'pg';
import { dropClient } from './end-client.ts';

/** How long after the server should have given a statement up its answer may still be on its way; and what a process that stood still itself gets to read what came meanwhile. */
const graceMs = 15_000;
const secondLookMs = 2000;

/** What statements of lent connections may take, where that is not what the connection has. */
const limits = new WeakMap<pg.PoolClient, number>();

/** Says how long each statement on the connection may take from now on (0: any time), as its lender sets it in the server; undefined: what is usual there. */
export function limitAnswers(client: pg.PoolClient, ms: number | undefined): void {
  if (ms === undefined) limits.delete(client);
  else limits.set(client, ms);
}

// As node-postgres has it: text or config, values, and a callback where no promise is wanted.
type Send = (config: unknown, ...more: readonly unknown[]) => unknown;

/**
 * Ends the connection where a statement on it has no answer `graceMs` after the time that the server gives it (`usualMs`, 0: any; limitAnswers); its statements fail then
 * as where the server ended it. Streams (COPY) are not watched.
 */
export function watchAnswers(client: pg.PoolClient, usualMs: number, grace = graceMs): void {
  // Looked up at each call: what observes statements may take the place of node-postgres's own while connections are open.
  const send: Send = (...given) => Reflect.apply(pg.Client.prototype.query, client, given);
  let unanswered = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
    timer.unref();
  };
  // Statements of a connection run one after another: each has its time once the one before it was answered.
  const next = (): void => {
    clearTimeout(timer);
    const limit = limits.get(client) ?? usualMs;
    if (unanswered === 0 || limit === 0) return;
    wait(limit + grace, () => wait(Math.min(grace, secondLookMs), () => dropClient(client)));
  };
  const answered = (): void => {
    unanswered -= 1;
    next();
  };
  const watched: Send = (config, ...more) => {
    if (typeof config === 'object' && config !== null && 'submit' in config) return send(config, ...more);
    const place = more.findIndex((each) => typeof each === 'function');
    const callback = more[place];
    unanswered += 1;
    if (unanswered === 1) next();
    if (typeof callback !== 'function') return (send(config, ...more) as Promise<unknown>).finally(answered);
    const told = (...result: readonly unknown[]): void => {
      answered();
      callback(...result);
    };
    return send(config, ...more.with(place, told));
  };
  Object.assign(client, { query: watched });
}
