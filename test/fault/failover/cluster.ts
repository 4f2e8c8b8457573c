// Three machines with PostgreSQL under Patroni, etcd on each, and haproxy before them, on one machine: with the settings of deploy/patroni but for addresses
// and folders. Every machine is reached through networks of its own, which can be silent.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { processState } from '#store/embedded/postmaster.ts';
import type { Network } from '#test/support/network.ts';
import { openNetwork } from '#test/support/network.ts';
import { freePort } from '#test/support/proxies.ts';
import { runSql } from '#test/support/run-sql.ts';
import { childrenOf, projectRoot } from '#test/support/service.ts';
import type { Program } from './programs.ts';
import { pidIn, Room } from './programs.ts';

const names = ['db1', 'db2', 'db3'] as const;
/** A machine. */
export type Name = (typeof names)[number];

const Member = z.object({
  name: z.enum(names),
  role: z.string(),
  state: z.string(),
  timeline: z.union([z.number(), z.string()]).optional(),
  lag: z.union([z.number(), z.string()]).optional(),
});
/** A machine as Patroni tells of it. */
export type Member = z.infer<typeof Member>;

type Machine = {
  readonly name: Name;
  readonly address: string;
  readonly ports: { readonly postgres: number; readonly rest: number; readonly etcd: number; readonly peer: number };
  readonly postgres: Network;
  readonly rest: Network;
  /** The way of the other two to its Patroni. */
  readonly fromPeers: Network;
  /** Its ways to the three etcd. */
  readonly toEtcd: readonly Network[];
};

const sample = (file: string): string => readFileSync(join(projectRoot, 'deploy/patroni', file), 'utf8');
const superuserPassword = 'change-me-1';
const userPassword = 'muniment-1';
const patienceMs = 300_000;

/** The cluster. Dispose to end it. */
export class PatroniCluster implements AsyncDisposable {
  readonly #room: Room;
  readonly #machines: readonly Machine[];
  readonly #patronis = new Map<Name, Program>();
  readonly #etcds = new Map<Name, Program>();
  readonly #proxy: Program;
  readonly #proxyPort: number;

  private constructor(room: Room, machines: readonly Machine[], proxyPort: number) {
    this.#room = room;
    this.#machines = machines;
    this.#proxyPort = proxyPort;
    for (const machine of machines) this.#etcds.set(machine.name, this.#startEtcd(machine));
    for (const machine of machines) this.#writeSettings(machine);
    this.#proxy = this.#startProxy();
  }

  /** Makes it, with a database and a user of the service's. */
  static async open(): Promise<PatroniCluster> {
    const room = new Room();
    const ports = await Promise.all(
      names.map(async () => ({
        postgres: await freePort(),
        rest: await freePort(),
        etcd: await freePort(),
        peer: await freePort(),
      })),
    );
    const to = (port: number): Promise<Network> => openNetwork({ host: '127.0.0.1', port });
    const machines = await Promise.all(
      names.map(async (name, at): Promise<Machine> => {
        const own = ports[at];
        if (own === undefined) throw new Error('no ports');
        const toEtcd = await Promise.all(ports.map(({ etcd }) => to(etcd)));
        const address = `10.0.0.1${at + 1}`;
        const [postgres, rest, fromPeers] = [await to(own.postgres), await to(own.rest), await to(own.rest)];
        return { name, address, ports: own, postgres, rest, fromPeers, toEtcd };
      }),
    );
    const cluster = new PatroniCluster(room, machines, await freePort());
    try {
      await cluster.#etcdDecided();
      // The first makes the data, the others copy it.
      for (const name of names) cluster.startNode(name);
      await cluster.settled();
      for (const statement of [
        `CREATE ROLE muniment LOGIN PASSWORD '${userPassword}' IN ROLE pg_monitor`,
        'CREATE DATABASE muniment OWNER muniment',
      ])
        await runSql(cluster.#superuserUrl, statement);
      return cluster;
    } catch (error) {
      process.stderr.write(cluster.output());
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The address of whoever is the primary. */
  get url(): string {
    return `postgresql://muniment:${userPassword}@127.0.0.1:${this.#proxyPort}/muniment`;
  }

  /** The address of one machine, by its network. */
  urlOf(name: Name): string {
    return `postgresql://muniment:${userPassword}@127.0.0.1:${this.#machine(name).postgres.port}/muniment`;
  }

  /** The address of one machine, past its network: as somebody reaches it who is cut off with it. */
  urlBeside(name: Name): string {
    return `postgresql://muniment:${userPassword}@127.0.0.1:${this.#machine(name).ports.postgres}/muniment`;
  }

  get names(): readonly Name[] {
    return names;
  }

  /** What Patroni tells of the machines, by whichever answers. */
  async members(): Promise<readonly Member[]> {
    for (const { ports, name } of this.#machines) {
      if (this.#patronis.get(name)?.isOver !== false) continue;
      const reply = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, { signal: AbortSignal.timeout(3000) })
        .then(async (answer) => z.object({ members: z.array(Member) }).parse(await answer.json()).members)
        .catch(() => null);
      if (reply !== null) return reply;
    }
    return [];
  }

  /** The primary, as its own Patroni says: asked of each machine by itself. */
  async leader(): Promise<Name> {
    for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(100)) {
      for (const { ports, name } of this.#machines) {
        const isPrimary = await fetch(`http://127.0.0.1:${ports.rest}/primary`, { signal: AbortSignal.timeout(2000) })
          .then(async (answer) => (await answer.arrayBuffer(), answer.status === 200))
          .catch(() => false);
        if (isPrimary) return name;
      }
    }
    throw new Error(`nobody becomes the primary\n${this.output()}`);
  }

  /** Resolves once there are a primary, a synchronous replica and another one, all on one timeline. */
  async settled(): Promise<void> {
    let found: readonly Member[] = [];
    for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(200)) {
      found = await this.members();
      const isLeader = ({ role, state }: Member): boolean => role === 'leader' && state === 'running';
      const follows = ({ role, state }: Member): boolean =>
        (role === 'replica' || role === 'sync_standby') && state === 'streaming';
      const isWhole =
        found.filter(isLeader).length === 1 &&
        found.filter(follows).length === names.length - 1 &&
        found.filter(({ role }) => role === 'sync_standby').length === 1 &&
        new Set(found.map(({ timeline }) => timeline)).size === 1;
      if (isWhole) return;
    }
    throw new Error(`the cluster does not come to rest: ${JSON.stringify(found)}\n${this.output()}`);
  }

  /** Starts Patroni on a machine, which starts PostgreSQL. */
  startNode(name: Name): void {
    this.#patronis.set(name, this.#room.start(['patroni', `${this.#room.path}/${name}.yaml`]));
  }

  /** kill -9 of Patroni and PostgreSQL's main process: the others of PostgreSQL end by themselves. */
  async killNode(name: Name): Promise<void> {
    const processes = this.#processesOf(name);
    for (const pid of processes) signal(pid, 'SIGKILL');
    await this.#patronis.get(name)?.end('SIGKILL');
    for (const pid of processes) while (processState(pid) === 'running') await sleep(20);
  }

  /** kill -9 of PostgreSQL's main process alone. */
  killServer(name: Name): void {
    signal(this.#postmaster(name) ?? 0, 'SIGKILL');
  }

  /** The machine stands still, PostgreSQL and Patroni, and goes on as if nothing had been. `only`: Patroni alone. */
  freeze(name: Name, only?: 'patroni'): () => void {
    const pids = only === undefined ? this.#processesOf(name) : [this.#patronis.get(name)?.pid ?? 0];
    const stopped = pids.filter((pid) => signal(pid, 'SIGSTOP'));
    return () => stopped.forEach((pid) => signal(pid, 'SIGCONT'));
  }

  /** Nothing that is sent to the machine, or by it to etcd and the others, arrives; it does when the network is back. */
  isolate(name: Name): () => void {
    const { postgres, rest, toEtcd } = this.#machine(name);
    // Patroni asks the others whether it may stay the primary without etcd (failsafe_mode). Who asks whom cannot be told apart here, so none of the three hears another; the two find
    // each other by etcd.
    const all = [postgres, rest, ...toEtcd, ...this.#machines.map(({ fromPeers }) => fromPeers)];
    for (const network of all) network.silence();
    return () => all.forEach((network) => network.heal());
  }

  /** Gives the lead to another one in order. */
  switchover(from: Name, to: Name): Promise<string> {
    const file = `${this.#room.path}/${from}.yaml`;
    return this.#room.run(['patronictl', '-c', file, 'switchover', '--leader', from, '--candidate', to, '--force']);
  }

  /** Ends two of the three etcd; what it gives starts them again. */
  async etcdAway(): Promise<() => void> {
    const gone = this.#machines.slice(0, 2);
    await Promise.all(gone.map(async ({ name }) => this.#etcds.get(name)?.end('SIGKILL')));
    return () => gone.forEach((machine) => this.#etcds.set(machine.name, this.#startEtcd(machine)));
  }

  /** The versions of what runs. */
  async versions(): Promise<string> {
    const said = await Promise.all(
      ['/usr/lib/postgresql/17/bin/postgres', 'patroni', 'etcd', 'haproxy'].map((program) =>
        this.#room.run([program, program === 'haproxy' ? '-v' : '--version']),
      ),
    );
    return said.map((text) => text.split('\n')[0]).join(', ');
  }

  /** What the programs wrote. */
  output(): string {
    return [...this.#etcds, ...this.#patronis, ['haproxy', this.#proxy] as const]
      .map(([name, { output }]) => `--- ${name}\n${output.slice(-20_000)}`)
      .join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pids = names.flatMap((name) => this.#processesOf(name));
    for (const pid of pids) signal(pid, 'SIGKILL');
    await Promise.all(
      [...this.#patronis.values(), ...this.#etcds.values(), this.#proxy].map((one) => one.end('SIGKILL')),
    );
    for (const pid of pids) while (processState(pid) === 'running') await sleep(20);
    const networks = this.#machines.flatMap((each) => [each.postgres, each.rest, each.fromPeers, ...each.toEtcd]);
    await Promise.all(networks.map((network) => network[Symbol.asyncDispose]()));
    this.#room[Symbol.dispose]();
  }

  get #superuserUrl(): string {
    return `postgresql://postgres:${superuserPassword}@127.0.0.1:${this.#proxyPort}/postgres`;
  }

  #machine(name: Name): Machine {
    const found = this.#machines.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no machine ${name}`);
    return found;
  }

  #postmaster(name: Name): number | null {
    return pidIn(this.#room.outside(`${name}-data/postmaster.pid`));
  }

  #processesOf(name: Name): readonly number[] {
    const server = this.#postmaster(name);
    const patroni = this.#patronis.get(name);
    return [
      ...(patroni === undefined || patroni.isOver ? [] : [patroni.pid]),
      ...(server === null ? [] : [server, ...childrenOf(server)]),
    ];
  }

  /** Resolves once each etcd knows the version of all: a Patroni that asks before ends with an error, and is started again by systemd alone. */
  async #etcdDecided(): Promise<void> {
    const Version = z.object({ etcdcluster: z.string() });
    for (const { ports } of this.#machines)
      for (let version = ''; !/^\d/.test(version); await sleep(100))
        version = await fetch(`http://127.0.0.1:${ports.etcd}/version`)
          .then(async (answer) => Version.parse(await answer.json()).etcdcluster)
          .catch(() => '');
  }

  #startEtcd({ name, ports }: Machine): Program {
    const members = this.#machines.map((each) => `${each.name}=http://127.0.0.1:${each.ports.peer}`).join(',');
    const client = `http://127.0.0.1:${ports.etcd}`;
    const peer = `http://127.0.0.1:${ports.peer}`;
    return this.#room.start([
      'etcd',
      ...['--name', name, '--data-dir', `${this.#room.path}/${name}-etcd`, '--logger', 'zap', '--log-level', 'error'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', members, '--heartbeat-interval', '200', '--election-timeout', '2000'],
      // Nothing here outlives the run.
      '--unsafe-no-fsync',
    ]);
  }

  #writeSettings({ name, ports, postgres, fromPeers, toEtcd }: Machine): void {
    const { path } = this.#room;
    const settings = parse(sample('patroni.yaml').replaceAll('10.0.0.0/24', '127.0.0.1/32'));
    const own = {
      ...settings,
      name,
      restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${fromPeers.port}` },
      // Through the networks, and not by the addresses that etcd tells.
      etcd3: { hosts: toEtcd.map(({ port }) => `127.0.0.1:${port}`), use_proxies: true },
      postgresql: {
        ...settings.postgresql,
        listen: `127.0.0.1:${ports.postgres}`,
        connect_address: `127.0.0.1:${postgres.port}`,
        data_dir: `${path}/${name}-data`,
        pgpass: `${path}/${name}-pgpass`,
        parameters: { ...settings.postgresql.parameters, unix_socket_directories: path, shared_buffers: '64MB' },
      },
      watchdog: { mode: 'off' },
    };
    // JSON is YAML, too.
    writeFileSync(this.#room.outside(`${name}.yaml`), JSON.stringify(own));
  }

  #startProxy(): Program {
    const settings = this.#machines.reduce(
      (text, { address, postgres, rest }) =>
        text.replace(`${address}:5432 check port 8008`, `127.0.0.1:${postgres.port} check port ${rest.port}`),
      sample('haproxy.cfg').replaceAll('127.0.0.1:5000', `127.0.0.1:${this.#proxyPort}`),
    );
    writeFileSync(this.#room.outside('haproxy.cfg'), settings);
    return this.#room.start(['haproxy', '-db', '-f', `${this.#room.path}/haproxy.cfg`]);
  }
}

/** Sends a signal; false where the process has gone already. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  if (pid <= 0) return false;
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
