// What refs were resolved to, kept by a process for all its requests while nothing changes: the same repositories, agents and boxes are embedded
// in thousands of replies. Before each use the change log is asked what was committed since; one change of any record empties the memory,
// since what a record shows hangs on its links, its tree and more. Every write leaves its change in its own transaction (decision 0005), so
// a reader sees everything that was committed before it asked.
import { z } from 'zod';
import { column } from '../../connection/columns.ts';
import type { Prepared } from '../../connection/sql.ts';
import type { ResolveTree } from './resolve-tree.ts';

/** A ref in a text: whose record stands beside it, and by what that is kept. */
export type TextRef = { readonly uri: string; readonly below: ResolveTree; readonly key: string };

/** The text of a record, cut where `_resolved` of its refs comes in: one piece more than refs. */
export type Template = { readonly pieces: readonly string[]; readonly refs: readonly TextRef[] };

const State = z.strictObject({ snapshot: column.text, server: column.text, changed: column.bool });

// By the index alone, however many changes the log holds: the last one that is visible, and those that were under way. Numbers of transactions that left
// nothing in the log come again on a server that recovered or took the lead: what is remembered counts for one timeline of one start.
const changesSince: Prepared<z.infer<typeof State>> = {
  name: 'changes_since_snapshot',
  text: `SELECT pg_current_snapshot()::text AS snapshot, left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || pg_postmaster_start_time() AS server, $1::pg_snapshot IS NULL
  OR coalesce((SELECT xid FROM change ORDER BY xid DESC LIMIT 1) >= pg_snapshot_xmax($1::pg_snapshot), false)
  OR EXISTS (SELECT FROM pg_snapshot_xip($1::pg_snapshot) x CROSS JOIN LATERAL (SELECT seq FROM change c WHERE c.xid = x ORDER BY seq LIMIT 1) c) AS changed`,
  parser: State,
};

/** Runs the statement of this file. */
type Ask = <Row>(statement: Prepared<Row>, values: readonly unknown[]) => Promise<readonly Row[]>;

const mostCharacters = 24_000_000;
// The log keeps changes for an hour.
const mostIdleMs = 600_000;

/** The memory of one process. For readers outside transactions alone: what a transaction sees may be rolled back. */
export class ResolvedTexts {
  readonly #ask: Ask;
  readonly #now: () => number;
  readonly #kept = new Map<string, Template>();
  #characters = 0;
  #generation = 0;
  #snapshot: string | null = null;
  #server: string | null = null;
  #askedAt = 0;
  #running: Promise<number> | null = null;
  #next: Promise<number> | null = null;

  constructor(ask: Ask, now: () => number = performance.now.bind(performance)) {
    this.#ask = ask;
    this.#now = now;
  }

  /**
   * Forgets what may have changed, and gives the generation of what is left, under which what is read from now on may be kept. One statement,
   * begun after the call and shared by those that call meanwhile.
   */
  current(): Promise<number> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<number> | null): Promise<number> {
    // With those that arrive in the same turn of the event loop, or while the last statement runs.
    await (running === null ? new Promise((resolve) => setImmediate(resolve)) : running.catch(() => undefined));
    const own = this.#check();
    this.#running = own;
    this.#next = null;
    try {
      return await own;
    } finally {
      if (this.#running === own) this.#running = null;
    }
  }

  async #check(): Promise<number> {
    const [state] = await this.#ask(changesSince, [this.#snapshot]);
    const now = this.#now();
    const isOther = state?.server !== this.#server;
    if (state === undefined || state.changed || isOther || now - this.#askedAt > mostIdleMs) this.#clear();
    this.#snapshot = state?.snapshot ?? null;
    this.#server = state?.server ?? null;
    this.#askedAt = now;
    return this.#generation;
  }

  #clear(): void {
    this.#kept.clear();
    this.#characters = 0;
    this.#generation += 1;
  }

  /** Forgets all. */
  forget(): void {
    this.#clear();
    this.#snapshot = null;
  }

  find(key: string): Template | undefined {
    return this.#kept.get(key);
  }

  /** Keeps what was read under a generation, unless that has gone by; the oldest go for it. */
  keep(key: string, template: Template, generation: number): void {
    if (generation !== this.#generation || this.#kept.has(key)) return;
    this.#kept.set(key, template);
    this.#characters += sizeOf(template);
    for (const [old, dropped] of this.#kept) {
      if (this.#characters <= mostCharacters) break;
      this.#kept.delete(old);
      this.#characters -= sizeOf(dropped);
    }
  }
}

const sizeOf = ({ pieces }: Template): number => pieces.reduce((sum, piece) => sum + piece.length, 0);
