// How this process and the installation were over the last hour, a sample a minute, kept in memory for GET /system/figures: what an operator wants
// to see at a glance where nothing gathers /metrics.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Database } from '#store/connection/database.ts';
import { readFreeBytes } from '#store/files/disk-space.ts';
import { readQueueDepth } from '#store/queue/depth.ts';
import { readIndexLag } from '#store/search/lag.ts';

const lookEveryMs = 20;
const mebibyte = 2 ** 20;

/** A sample: of the process since the one before, and of the installation as it was; what the database did not tell is null. */
export type Sample = {
  /** ISO 8601. */
  readonly at: string;
  readonly requests: number;
  /** Of them those answered with 5xx. */
  readonly failed: number;
  /** 99th percentile of the delay of the event loop. */
  readonly event_loop_ms: number;
  readonly memory_mib: number;
  /** Of one processor. */
  readonly processor_percent: number;
  readonly connections: number;
  readonly connections_awaited: number;
  readonly jobs_queued: number | null;
  readonly jobs_running: number | null;
  readonly jobs_waiting_seconds: number | null;
  readonly index_records: number | null;
  readonly index_waiting_seconds: number | null;
  /** Free on the disk of the database; null where that is none of this machine. */
  readonly disk_free_mib: number | null;
};

/** How long requests of a route took since the process began, in milliseconds. */
export type RouteTimes = {
  readonly method: string;
  readonly route: string;
  readonly requests: number;
  readonly mean_ms: number;
  readonly longest_ms: number;
  /** The mean of each minute whose sample is kept, oldest first; null: nobody asked for it. */
  readonly minutes_ms: readonly (number | null)[];
};

/** Requests of a route, and the seconds that they took together. */
type Total = { readonly requests: number; readonly seconds: number };
const nothing: Total = { requests: 0, seconds: 0 };

type Counted = {
  method: string;
  route: string | null;
  status: number;
  requests: number;
  seconds: number;
  longest: number;
};

/** Keeps the samples of the last hour. Dispose to end. */
export class RecentFigures implements Disposable {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #most: number;
  readonly #delay = monitorEventLoopDelay({ resolution: lookEveryMs });
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #counted: Counted[] = [];
  #samples: Sample[] = [];
  // What was counted of each route, since the process began, when each of these samples was taken.
  #totals: ReadonlyMap<string, Total>[] = [new Map()];
  #before = { at: performance.now(), cpu: process.cpuUsage(), requests: 0, failed: 0 };

  /** `onError` hears where the database could not be asked. */
  constructor(database: Database, onError: (error: unknown) => void, { everyMs = 60_000, most = 60 } = {}) {
    this.#database = database;
    this.#onError = onError;
    this.#most = most;
    this.#everyMs = everyMs;
  }

  /** Begins to keep samples: for a server that listens, since others have nobody who asks for them. */
  begin(): void {
    this.#delay.enable();
    this.#wait();
  }

  /** Counts the requests of a route with a status; made once for each of them. Null: what is no route of the interface, as files of pages are. */
  series(method: string, route: string | null, status: number): { observe(seconds: number): void } {
    const counted: Counted = { method, route, status, requests: 0, seconds: 0, longest: 0 };
    this.#counted.push(counted);
    return {
      observe: (seconds) => {
        counted.requests += 1;
        counted.seconds += seconds;
        counted.longest = Math.max(counted.longest, seconds);
      },
    };
  }

  /** The samples, oldest first, the last one of now. */
  async samples(): Promise<readonly Sample[]> {
    return [...this.#samples, await this.#sample()];
  }

  /** The routes that were slowest on the average, slowest first. Requests that wait for a change count with their wait. */
  slowest(most: number): readonly RouteTimes[] {
    const routes = new Map<string, RouteTimes>();
    for (const { method, route, requests, seconds, longest } of this.#counted) {
      if (requests === 0 || route === null) continue;
      const name = `${method} ${route}`;
      const known = routes.get(name) ?? { method, route, requests: 0, mean_ms: 0, longest_ms: 0, minutes_ms: [] };
      const all = known.requests + requests;
      routes.set(name, {
        ...known,
        requests: all,
        mean_ms: (known.mean_ms * known.requests + seconds * 1000) / all,
        longest_ms: Math.max(known.longest_ms, longest * 1000),
      });
    }
    return [...routes.values()]
      .toSorted((one, other) => other.mean_ms - one.mean_ms)
      .slice(0, most)
      .map((each) => ({
        ...each,
        mean_ms: rounded(each.mean_ms),
        longest_ms: rounded(each.longest_ms),
        minutes_ms: this.#minutesOf(`${each.method} ${each.route}`),
      }));
  }

  /** The means of a route between one sample and the next. */
  #minutesOf(name: string): readonly (number | null)[] {
    const totals = this.#totals.map((each) => each.get(name) ?? nothing);
    return totals.slice(1).map(({ requests, seconds }, index) => {
      const before = totals[index] ?? nothing;
      return requests === before.requests
        ? null
        : rounded(((seconds - before.seconds) * 1000) / (requests - before.requests));
    });
  }

  /** What was counted of each route until now. */
  #total(): ReadonlyMap<string, Total> {
    const totals = new Map<string, Total>();
    for (const { method, route, requests, seconds } of this.#counted) {
      if (requests === 0 || route === null) continue;
      const known = totals.get(`${method} ${route}`) ?? nothing;
      totals.set(`${method} ${route}`, { requests: known.requests + requests, seconds: known.seconds + seconds });
    }
    return totals;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#delay.disable();
  }

  // One after another, however slow the database is.
  #wait(): void {
    if (!this.#isClosed)
      this.#timer = setTimeout(() => void this.#keep().finally(() => this.#wait()), this.#everyMs).unref();
  }

  async #keep(): Promise<void> {
    const sampling = this.#sample();
    // Before the database has answered, which may take a while: what comes meanwhile is of the next sample.
    this.#before = { at: performance.now(), cpu: process.cpuUsage(), ...this.#requests() };
    this.#delay.reset();
    const total = this.#total();
    this.#samples = [...this.#samples, await sampling].slice(-this.#most);
    // One more than samples: the first says what was before.
    this.#totals = [...this.#totals, total].slice(-this.#most - 1);
  }

  async #sample(): Promise<Sample> {
    const { at, cpu, ...before } = this.#before;
    const { requests, failed } = this.#requests();
    const used = process.cpuUsage(cpu);
    const { total, waiting } = this.#database.poolUse;
    const sample = {
      at: new Date().toISOString(),
      requests: requests - before.requests,
      failed: failed - before.failed,
      // Node's readings contain the time between two looks.
      event_loop_ms: rounded(Math.max(0, this.#delay.percentile(99) / 1e6 - lookEveryMs) || 0),
      memory_mib: rounded(process.memoryUsage.rss() / mebibyte),
      processor_percent: rounded((used.user + used.system) / 10 / Math.max(1, performance.now() - at)),
      connections: total,
      connections_awaited: waiting,
    };
    return { ...sample, ...(await this.#installation()) };
  }

  async #installation(): Promise<
    Pick<
      Sample,
      | 'jobs_queued'
      | 'jobs_running'
      | 'jobs_waiting_seconds'
      | 'index_records'
      | 'index_waiting_seconds'
      | 'disk_free_mib'
    >
  > {
    try {
      const { reader } = this.#database;
      const [jobs, index, free] = await Promise.all([
        readQueueDepth(reader),
        readIndexLag(this.#database),
        readFreeBytes(reader),
      ]);
      return {
        jobs_queued: jobs.queued,
        jobs_running: jobs.running,
        jobs_waiting_seconds: rounded(jobs.waitingSeconds),
        index_records: index.records,
        index_waiting_seconds: rounded(index.waitingSeconds),
        disk_free_mib: free === null ? null : rounded(free / mebibyte),
      };
    } catch (error) {
      this.#onError(error);
      return {
        jobs_queued: null,
        jobs_running: null,
        jobs_waiting_seconds: null,
        index_records: null,
        index_waiting_seconds: null,
        disk_free_mib: null,
      };
    }
  }

  #requests(): { readonly requests: number; readonly failed: number } {
    let [requests, failed] = [0, 0];
    for (const counted of this.#counted) {
      requests += counted.requests;
      if (counted.status >= 500) failed += counted.requests;
    }
    return { requests, failed };
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
