// The service as it runs on two machines, on one: `npm start` (API, worker, PostgreSQL), and beside it an API and a worker of their own that reach
// the same PostgreSQL through a network. Whoever ends is started again, as a supervisor does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '#store/connection/database.ts';
import { socketUrl } from '#store/embedded/connection.ts';
import { processState, readPostmaster } from '#store/embedded/postmaster.ts';
import { childrenOf, launch } from '#test/support/service.ts';
import type { Service } from '#test/support/service.ts';
import { runSql } from '#test/support/run-sql.ts';
import type { Disk } from './disk.ts';
import { makeDisk } from './disk.ts';
import type { Network } from '#test/support/network.ts';
import { openNetwork } from '#test/support/network.ts';
import { patience } from '#test/support/patience.ts';
import type { Disturbance, Victim } from './plan.ts';

/** The administrator's password. */
export const password = 'fault-schedule';

type Name = 'main' | 'other API' | 'other worker';
const programs: { readonly [name in Name]: string } = {
  main: 'apps/main.ts',
  'other API': 'apps/api/main.ts',
  'other worker': 'apps/worker/main.ts',
};
const patienceMs = 600_000;

/** The processes, and what can be done to them. */
export class Deployment implements AsyncDisposable {
  readonly #disk: Disk;
  readonly #running = new Map<Name, Service>();
  readonly #urls = new Map<Name, string>();
  readonly #logs: string[] = [];
  readonly #network: Network;
  readonly #stopping = new AbortController();
  #kept: readonly Promise<void>[] = [];

  private constructor(disk: Disk, network: Network) {
    this.#disk = disk;
    this.#network = network;
  }

  /** Starts all. `fill` puts what was started before into the data folder; without it the first start makes all. */
  static async open(random: () => number, fill?: (folder: string) => Promise<void>): Promise<Deployment> {
    const disk = makeDisk();
    await fill?.(disk.path);
    const network = await openNetwork({ path: join(disk.path, 'run', '.s.PGSQL.5432') }, random);
    const deployment = new Deployment(disk, network);
    deployment.#kept = [deployment.#keep('main')];
    await deployment.#until('the first start', async () => deployment.#running.has('main'));
    deployment.#kept = [...deployment.#kept, deployment.#keep('other API'), deployment.#keep('other worker')];
    await deployment.ready();
    return deployment;
  }

  /** Addresses of the APIs that were there last. */
  urls(): readonly string[] {
    return [...this.#urls.values()];
  }

  /** Resolves once every process is there and both APIs say that they are ready. */
  ready(): Promise<void> {
    return this.#until('everything is ready', async () => {
      const services = [...this.#running.values()];
      if (services.length < 3 || services.some(({ pid }) => processState(pid) !== 'running')) return false;
      const states = await Promise.all(
        this.urls().map((url) => fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) })),
      );
      await Promise.all(states.map((state) => state.arrayBuffer()));
      return states.every(({ status }) => status === 200);
    });
  }

  /** The database itself, beside the service. */
  database(): Database {
    return new Database({ url: this.#databaseUrl(), poolSize: 2 });
  }

  /** Kills; says whom it hit, null where nobody was there. */
  kill(victim: Victim, choice: number): string | null {
    const server = this.#postmaster();
    const processes = childrenOf(server);
    const pids: { readonly [each in Victim]: readonly number[] } = {
      worker: this.#innerWorker(),
      'other worker': this.#pidOf('other worker'),
      API: this.#pidOf('main'),
      'other API': this.#pidOf('other API'),
      database: server > 0 ? [server] : [],
      'database process': processes.slice(Math.floor(choice * processes.length)).slice(0, 1),
      everything: [
        ...this.#pidOf('main'),
        ...this.#innerWorker(),
        ...this.#pidOf('other API'),
        ...this.#pidOf('other worker'),
        ...(server > 0 ? [server] : []),
        ...processes,
      ],
    };
    const titles = pids[victim].map(titleOf);
    const hit = pids[victim].filter((pid) => signal(pid, 'SIGKILL'));
    return hit.length === 0 ? null : victim === 'database process' ? `${victim} (${roleOf(titles[0] ?? '')})` : victim;
  }

  /** Begins a disturbance; what it gives ends it. */
  async disturb(disturbance: Disturbance, choice: number, tell: (text: string) => void): Promise<() => void> {
    const network = this.#network;
    const stop = (pids: readonly number[]): (() => void) => {
      const stopped = pids.filter((pid) => signal(pid, 'SIGSTOP'));
      return () => stopped.forEach((pid) => signal(pid, 'SIGCONT'));
    };
    switch (disturbance) {
      case 'connections dropped':
        await this.#dropConnections().catch((error: unknown) => tell(`connections were not dropped: ${String(error)}`));
        return () => undefined;
      case 'network cut':
        network.cut();
        return () => undefined;
      case 'network slow':
        network.slow(20 + choice * 200);
        return () => {
          network.heal();
          if (choice < 0.5) network.cut();
        };
      case 'network silent':
        network.silence();
        return () => {
          // As a router that comes back: in half of the cases it remembers its connections.
          if (choice < 0.5) network.cut();
          network.heal();
        };
      case 'worker stopped':
        return stop(choice < 0.5 ? this.#innerWorker() : this.#pidOf('other worker'));
      case 'worker overtaken': {
        // Its connections end while it stands still: others take its jobs, and it goes on as if nothing had been.
        const goOn = stop(this.#pidOf('other worker'));
        network.cut();
        return goOn;
      }
      case 'disk full':
        if (this.#disk.fill === null)
          tell('SKIPPED: the disk is not filled, since none can be mounted here (Linux, as root)');
        this.#disk.fill?.();
        return () => this.#disk.empty();
    }
  }

  /** What the processes wrote, those that ended too. */
  output(): string {
    return [...this.#logs, ...[...this.#running.values()].map((service) => service.output())].join('');
  }

  /** Ends all in order; gives what ended otherwise than it should. */
  async stop(): Promise<readonly string[]> {
    this.#stopping.abort();
    await Promise.all(this.#kept);
    const faults: string[] = [];
    for (const name of ['other worker', 'other API', 'main'] as const) {
      const code = await this.#running.get(name)?.stop();
      if (code !== 0) faults.push(`${name} ended with ${code}`);
    }
    if (this.#postmaster() !== 0) faults.push('PostgreSQL was left behind');
    return faults;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#disk.empty();
    await Promise.all(this.#kept);
    await Promise.all([...this.#running.values()].map((service) => service.kill()));
    for (const pid of this.#innerWorker()) signal(pid, 'SIGKILL');
    await this.#network[Symbol.asyncDispose]();
    await this.#disk[Symbol.asyncDispose]();
  }

  /** Starts a program whenever it is not there, until all are told to stop. */
  async #keep(name: Name): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const service = this.#running.get(name);
      if (service !== undefined && processState(service.pid) === 'running') {
        await sleep(50);
        continue;
      }
      if (service !== undefined) this.#logs.push(service.output());
      // Those of the other machine are started when there is a server, if only one that recovers: else they would end at once, again and again.
      this.#running.delete(name);
      while (name !== 'main' && this.#postmaster() === 0 && !this.#stopping.signal.aborted) await sleep(50);
      if (this.#stopping.signal.aborted) return;
      const started = await launch(programs[name], this.#variables(name));
      if ('url' in started) {
        this.#running.set(name, started);
        if (name !== 'other worker') this.#urls.set(name, started.url);
        continue;
      }
      // It could not reach the database, which others bring back.
      this.#logs.push(started.output);
      await sleep(300);
    }
  }

  #variables(name: Name): { readonly [name: string]: string } {
    return {
      MUNIMENT_DATA_DIR: this.#disk.path,
      MUNIMENT_ADMIN_PASSWORD: password,
      MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'true',
      MUNIMENT_LOGIN_RATE_LIMIT: '0',
      MUNIMENT_WORKER_THREADS: '1',
      MUNIMENT_DISK_RESERVE_MB: '32',
      ...(name === 'main' ? {} : { DATABASE_URL: `postgresql://muniment@127.0.0.1:${this.#network.port}/muniment` }),
    };
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const pause = patience();
    for (const end = performance.now() + patienceMs; performance.now() < end; await pause())
      if (await holds().catch(() => false)) return;
    throw new Error(`after ${patienceMs / 1000} s it does not come to this: ${what}`);
  }

  #postmaster(): number {
    const pid = readPostmaster(join(this.#disk.path, 'pg'))?.pid ?? 0;
    return pid > 0 && processState(pid) === 'running' ? pid : 0;
  }
  #databaseUrl(): string {
    return socketUrl(join(this.#disk.path, 'run'), 5432, 'muniment');
  }
  #pidOf(name: Name): readonly number[] {
    const pid = this.#running.get(name)?.pid;
    return pid === undefined || processState(pid) !== 'running' ? [] : [pid];
  }
  #innerWorker(): readonly number[] {
    return childrenOf(this.#running.get('main')?.pid ?? -1).filter((pid) => titleOf(pid).includes('worker/main.ts'));
  }
  async #dropConnections(): Promise<void> {
    await runSql(
      this.#databaseUrl(),
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }
}

/** Sends a signal; false where the process has gone already. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** The command line of a process; PostgreSQL's use it to say what they do. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return ''; // It ended meanwhile.
  }
}

/** What a process of PostgreSQL's does by its title; one that has just begun has the command line of the first. */
const roleOf = (title: string): string => (title.startsWith('postgres: ') ? title : 'just begun');
