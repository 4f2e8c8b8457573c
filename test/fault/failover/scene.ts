// A loaded service on a cluster of PostgreSQL: an API and two workers, who may not end, and what must hold of them after each blow.
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { presenceClass } from '#store/queue/presence.ts';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { processState } from '#store/embedded/postmaster.ts';
import { seededRandom } from '#test/support/random.ts';
import type { Service } from '#test/support/service.ts';
import { ask, login, makeDataDir, startService } from '#test/support/service.ts';
import { z } from 'zod';
import type { Actor } from '../schedule/actor.ts';
import { castOf, Crew } from '../schedule/cast.ts';
import { Client } from '../schedule/client.ts';
import { password } from '../schedule/deployment.ts';
import { Stored } from '../schedule/stored.ts';
import { PatroniCluster } from './cluster.ts';
import { Probe } from '#test/support/probe.ts';

const FeedRow = z.strictObject({ gaps: column.int, doubled: column.int });
const SignsRow = z.strictObject({ workers: column.int, listeners: column.int });

/** All of it. Dispose to end it. */
export class Scene implements AsyncDisposable {
  readonly cluster: PatroniCluster;
  readonly client: Client;
  readonly probe: Probe;
  readonly #services: readonly Service[];
  readonly #cast: readonly Actor[];
  readonly #crew: Crew;
  readonly #opened: AsyncDisposableStack;

  private constructor(
    cluster: PatroniCluster,
    parts: { client: Client; probe: Probe; services: readonly Service[]; cast: readonly Actor[]; crew: Crew },
    opened: AsyncDisposableStack,
  ) {
    this.cluster = cluster;
    this.client = parts.client;
    this.probe = parts.probe;
    this.#services = parts.services;
    this.#cast = parts.cast;
    this.#crew = parts.crew;
    this.#opened = opened;
  }

  /** Starts all. */
  static async open(seed: number): Promise<Scene> {
    await using opened = new AsyncDisposableStack();
    const cluster = opened.use(await PatroniCluster.open());
    const data = opened.use(makeDataDir());
    const variables = {
      DATABASE_URL: cluster.url,
      // All of them: whoever is the primary is none, and is left out.
      DATABASE_REPLICA_URL: cluster.names.map((name) => cluster.urlOf(name)).join(','),
      MUNIMENT_DATA_DIR: data.path,
      MUNIMENT_ADMIN_PASSWORD: password,
      MUNIMENT_LOGIN_RATE_LIMIT: '0',
      MUNIMENT_WORKER_THREADS: '1',
    };
    const services: Service[] = [];
    for (const program of ['apps/api/main.ts', 'apps/worker/main.ts', 'apps/worker/main.ts'])
      services.push(opened.use(await startService(variables, program)));
    // This process is the network between all of them, and a busy machine must not slow it down more than them.
    setPriority(-10);
    const [api] = services;
    if (api === undefined) throw new Error('no API');
    const client = new Client(() => [api.url], seededRandom(seed));
    await client.login();
    const cast = await castOf(client, seed, ['zqa', 'components', 'moves', 'merges', 'batches']);
    const crew = new Crew(cast, (text) => client.faults.push(text));
    opened.defer(() => crew.end());
    const repository = String(
      (await client.certain('/repositories', { json: { repo_code: 'probe', name: 'Probe' } }))['uri'],
    );
    const probe = opened.use(new Probe(api.url, await login(api, password), repository));
    return new Scene(cluster, { client, probe, services, cast, crew }, opened.move());
  }

  goOn(): void {
    this.#crew.goOn();
  }

  /** What does not hold while nobody acts. */
  async faults(): Promise<readonly string[]> {
    await this.#crew.pause();
    await this.probe.untilWritten();
    // Before the database comes to rest the probe must.
    const resume = await this.probe.pause();
    try {
      await using database = new Database({ url: this.cluster.url, poolSize: 2 });
      const stored = new Stored(database, this.client);
      const unrest = await stored.rest();
      if (unrest.length > 0) return unrest;
      const faults = [...this.client.faults, ...(await stored.violations())];
      for (const actor of this.#cast) faults.push(...(await actor.verify(stored)));
      faults.push(...(await this.#probeFaults(stored)), ...(await this.#feedFaults(database)));
      faults.push(...(await this.#signFaults(database)), ...(await this.#sessionFaults()), ...this.#ended());
      return faults;
    } finally {
      resume();
    }
  }

  /** How many writes were acknowledged by now. */
  acknowledged(): number {
    return this.#cast.reduce((sum, actor) => sum + actor.acknowledged(), this.probe.acknowledged.size);
  }

  /** What the processes of the service wrote. */
  output(): string {
    return this.#services.map((service) => service.output()).join('');
  }

  async #probeFaults(stored: Stored): Promise<readonly string[]> {
    const there = new Map(
      (await stored.all(`${this.probe.repository}/accessions`)).map((one) => [String(one['uri']), one['title']]),
    );
    return [...this.probe.acknowledged].flatMap(([uri, title]) =>
      there.get(uri) === title ? [] : [`${uri} was acknowledged as ${title} and is ${String(there.get(uri))}`],
    );
  }

  /** Two sequencers would number twice, and one that lost its place would leave numbers or changes out. */
  async #feedFaults(database: Database): Promise<readonly string[]> {
    const { gaps, doubled } = await database.reader.one(sql.type(FeedRow)`
      SELECT (max(n) - min(n) + 1 - count(*))::int AS gaps, (count(*) - count(DISTINCT seq))::int AS doubled FROM feed`);
    return gaps === 0 && doubled === 0 ? [] : [`the feed has ${gaps} gaps, and ${doubled} changes twice`];
  }

  /** Each worker has its sign of life, and each process listens, on this primary. */
  async #signFaults(database: Database): Promise<readonly string[]> {
    for (let tries = 0; ; tries++) {
      const { workers, listeners } = await database.reader.one(sql.type(SignsRow)`
        SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${presenceClass} AND granted)::int AS workers,
          (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'muniment listener')::int AS listeners`);
      if (workers === 2 && listeners === this.#services.length) return [];
      if (tries > 100) return [`${workers} workers show that they live, and ${listeners} processes listen`];
      await sleep(100);
    }
  }

  /** A session that was ended is over at once, whatever a process remembers. */
  async #sessionFaults(): Promise<readonly string[]> {
    const [api] = this.#services;
    if (api === undefined) return ['no API'];
    const session = await login(api, password);
    const before = await ask(api, '/users/current-user', session);
    const end = await ask(api, '/logout', session, {});
    const after = await ask(api, '/users/current-user', session);
    const statuses = [before, end, after].map(({ status }) => status);
    return statuses.join() === '200,200,412' ? [] : [`a session that is ended answers ${statuses.join(', ')}`];
  }

  #ended(): readonly string[] {
    return this.#services
      .filter(({ pid }) => processState(pid) !== 'running')
      .map(({ pid, output }) => `process ${pid} of the service ended: ${output().slice(-2000)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
