// The replicas of an installation: watched, and chosen for reads that may be theirs (docs/decisions/0040).
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { column } from '../columns.ts';
import type { Database } from '../database.ts';
import type { Prepared } from '../sql.ts';
import { sql } from '../sql.ts';
import type { Lsn, Moment } from './moments.ts';
import { Moments, toLsn } from './moments.ts';
import type { Primary, Standing } from './replica.ts';
import { Replica } from './replica.ts';

/** `urls`: where they are. `lagMs`: how far one may be behind to be in use. `poolSize`: connections to each. `onChange` hears of each that is left out or taken back. */
export type ReplicasSettings = {
  readonly urls: readonly string[];
  readonly lagMs: number;
  readonly poolSize: number;
  readonly onChange?: (name: string, standing: Standing) => void;
};

/**
 * How fresh a read must be. `own`: it shows what the caller wrote and nothing that was hidden, and of what others wrote all but the last moments;
 * `all`: everything that was committed when it was asked for, as whoever asks "what is new since" must be shown.
 */
export type Freshness = 'own' | 'all';

/** What became of a read: answered by a replica, or by the primary, and why. */
export type Served = 'replica' | 'none_in_use' | 'too_new' | 'refused';

const PrimaryRow = z.strictObject({
  snapshot: column.text,
  lsn: column.text,
  cluster: column.text,
  timeline: column.text,
  started: column.text,
});
const SinceRow = z.strictObject({
  timeline: column.text,
  snapshot: column.text,
  lsn: column.text,
  hidden: column.bool,
  writers: column.texts,
});

// What a moment does not show: transactions that had not begun, and those that were under way. By indexes alone, however many changes the log holds.
const since: Prepared<z.infer<typeof SinceRow>> = {
  name: 'written_since_moment',
  text: `SELECT pg_current_snapshot()::text AS snapshot, pg_current_wal_insert_lsn()::text AS lsn, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
  EXISTS (SELECT FROM search_hiding h WHERE h.xid >= pg_snapshot_xmax($1::pg_snapshot))
    OR EXISTS (SELECT FROM pg_snapshot_xip($1::pg_snapshot) x JOIN search_hiding h ON h.xid = x) AS hidden,
  ARRAY(SELECT DISTINCT c.actor FROM change c WHERE c.xid >= pg_snapshot_xmax($1::pg_snapshot) AND c.actor = ANY($2::text[])
    UNION SELECT c.actor FROM pg_snapshot_xip($1::pg_snapshot) x CROSS JOIN LATERAL
      (SELECT c.actor FROM change c WHERE c.xid = x AND c.actor = ANY($2::text[])) AS c) AS writers`,
  parser: SinceRow,
};

type Since = { readonly lsn: Lsn; readonly hidden: boolean; readonly writers: ReadonlySet<string> };
type Question = { readonly actors: Set<string>; readonly answer: Promise<Since> };

// The name of the file that is written begins with the timeline, in eight digits.
const toTimeline = (digits: string): number => Number.parseInt(digits, 16);

const watchEveryMs = 200;
const awaitsMs = 40;

/** The replicas of a process. Watched from the start on; dispose to end. */
export class Replicas implements AsyncDisposable {
  readonly all: readonly Replica[];
  /** How many reads that might have been a replica's were served by what. */
  readonly served: Record<Served, number> = { replica: 0, none_in_use: 0, too_new: 0, refused: 0 };
  readonly #primary: Database;
  readonly #settings: ReplicasSettings;
  readonly #moments = new Moments();
  readonly #ending = new AbortController();
  readonly #watching: Promise<void>;
  readonly #questions = new Map<Moment, Question>();
  #turn = 0;
  #known: Primary | null = null;
  /** Which start of which primary the moments are of. */
  #life: string | null = null;

  constructor(primary: Database, settings: ReplicasSettings) {
    this.#primary = primary;
    this.#settings = settings;
    const { rowsChecked, keptOpen, applicationName = 'muniment' } = primary.settings;
    this.all = settings.urls.map(
      (url) =>
        new Replica(
          {
            url,
            poolSize: settings.poolSize,
            applicationName,
            ...(rowsChecked === undefined ? {} : { rowsChecked }),
            ...(keptOpen === undefined ? {} : { keptOpen }),
          },
          settings.lagMs,
        ),
    );
    this.#watching = this.#watch();
  }

  /** The database as a replica shows it to a caller (null: one who writes nothing), or null: the primary must answer. Writing through it ends it: then the primary answers. */
  async viewFor(actor: string | null, freshness: Freshness): Promise<{ replica: Replica; database: Database } | null> {
    const replica = await this.#choose(actor, freshness);
    return replica === null ? null : { replica, database: this.lasting(replica) };
  }

  /** The database as one replica shows it while it is in use; the caller sees to it that that is enough. */
  lasting(replica: Replica): Database {
    return this.#primary.readingFrom(replica, () => void (this.served.refused += 1));
  }

  /**
   * Resolves when every replica in use shows what is committed now, so that what the primary tells of is found by the next read; one that does not come
   * so far is left out before long. At most `lagMs` and a moment.
   */
  async settled(): Promise<void> {
    if (this.#known === null) return;
    const { lsn } = await this.#sample();
    const end = performance.now() + this.#settings.lagMs + 2 * watchEveryMs;
    while (performance.now() < end && this.all.some((one) => one.isInUse && !one.hasReplayed(lsn))) {
      await this.#lookAt(this.all);
      await sleep(5);
    }
  }

  async #choose(actor: string | null, freshness: Freshness): Promise<Replica | null> {
    const replica = this.#leastBusy();
    const moment = replica?.shows(this.#moments, performance.now()) ?? null;
    if (replica === null || moment === null) {
      this.served.none_in_use += 1;
      return null;
    }
    const told = await this.#since(moment, actor);
    const isEnough = freshness === 'own' && !told.hidden && (actor === null || !told.writers.has(actor));
    if (isEnough || (await this.#comesTo(replica, told.lsn, freshness === 'all' ? awaitsMs : 0))) {
      this.served.replica += 1;
      return replica;
    }
    this.served.too_new += 1;
    return null;
  }

  #leastBusy(): Replica | null {
    const inUse = this.all.filter((one) => one.isInUse);
    const least = Math.min(...inUse.map((one) => one.busy));
    const equal = inUse.filter((one) => one.busy === least);
    return equal[this.#turn++ % Math.max(1, equal.length)] ?? null;
  }

  /** Whether a replica has replayed the log up to a position, or does so in the time. */
  async #comesTo(replica: Replica, lsn: Lsn, withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    while (!replica.hasReplayed(lsn)) {
      await this.#lookAt([replica]);
      if (!replica.isInUse || (performance.now() >= end && !replica.hasReplayed(lsn))) return false;
    }
    return true;
  }

  /** Whether anything was hidden since a moment, and the caller wrote. One statement of the primary, begun after the call and shared with others of the same turn of the event loop. */
  #since(moment: Moment, actor: string | null): Promise<Since> {
    let question = this.#questions.get(moment);
    if (question === undefined) {
      const actors = new Set<string>();
      question = { actors, answer: this.#ask(moment, actors) };
      this.#questions.set(moment, question);
    }
    if (actor !== null) question.actors.add(actor);
    return question.answer;
  }

  async #ask(moment: Moment, actors: ReadonlySet<string>): Promise<Since> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#questions.delete(moment);
    const at = performance.now();
    const [row] = await this.#primary.reader.named(since, [moment.snapshot, [...actors]]);
    if (row === undefined) throw new Error('no row');
    const lsn = toLsn(row.lsn);
    // Another server is the primary now, and the moment is none of its own.
    if (toTimeline(row.timeline) !== this.#known?.timeline) return { lsn, hidden: true, writers: new Set() };
    this.#moments.add({ snapshot: row.snapshot, lsn, at });
    return { lsn, hidden: row.hidden, writers: new Set(row.writers) };
  }

  async #sample(): Promise<Moment> {
    const at = performance.now();
    const row = await this.#primary.reader.one(sql.type(PrimaryRow)`
      SELECT pg_current_snapshot()::text AS snapshot, pg_current_wal_insert_lsn()::text AS lsn, c.system_identifier::text AS cluster,
        left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline, pg_postmaster_start_time()::text AS started FROM pg_control_system() AS c`);
    const moment = { snapshot: row.snapshot, lsn: toLsn(row.lsn), at };
    const known = { cluster: row.cluster, timeline: toTimeline(row.timeline) };
    // One that started anew has lost what was not on its disk: positions, and numbers of transactions that left nothing, come again.
    const life = `${row.cluster} ${row.timeline} ${row.started}`;
    if (life !== this.#life) this.#moments.clear();
    this.#life = life;
    this.#known = known;
    this.#moments.add(moment);
    return moment;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      // Where the primary does not answer, reads fail anyway, and what is known of it stays.
      await this.#sample().catch(() => undefined);
      if (signal.aborted) return;
      await this.#lookAt(this.all);
      await sleep(watchEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #lookAt(some: readonly Replica[]): Promise<void> {
    const known = this.#known;
    if (known === null) return;
    await Promise.all(
      some.map(async (one) => {
        const before = one.standing;
        await one.look(known, this.#moments);
        if (one.standing !== before) this.#settings.onChange?.(one.name, one.standing);
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#watching;
    await Promise.all(this.all.map((one) => one[Symbol.asyncDispose]()));
  }
}
