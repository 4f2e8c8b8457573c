// The scripts by which deploy/compose.yaml makes a replica, with the PostgreSQL 17 of a Debian 13 (failover/make-root.sh): a copy that could not be made is made
// later, one that broke off is begun anew, and a replica that ended goes on where it was.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { freePort } from '#test/support/proxies.ts';
import { runSql } from '#test/support/run-sql.ts';
import { projectRoot } from '#test/support/service.ts';
import type { Program } from './failover/programs.ts';
import { cannotRun, Room } from './failover/programs.ts';

const missing = cannotRun();
if (missing !== null) console.warn(`SKIPPED: the replica of compose.yaml is not tried, since ${missing}.`);

const bin = '/usr/lib/postgresql/17/bin';

/** The two containers, as programs in a folder of the other Debian. */
class Containers implements Disposable {
  readonly #room = new Room();
  readonly #secrets = join(process.env['MUNIMENT_PATRONI_ROOT'] ?? '', 'run/secrets');
  readonly ports: { readonly primary: number; readonly replica: number };

  constructor(ports: Containers['ports']) {
    this.ports = ports;
    mkdirSync(this.#secrets, { recursive: true });
    writeFileSync(join(this.#secrets, 'replication_password'), 'of the replica\n');
    writeFileSync(this.#room.outside('password'), 'secret\n', { mode: 0o644 });
    for (const name of ['primary.sh', 'replica.sh'])
      copyFileSync(join(projectRoot, 'deploy/postgres', name), this.#room.outside(name));
  }

  url(which: 'primary' | 'replica'): string {
    return `postgresql://muniment:secret@127.0.0.1:${this.ports[which]}/postgres`;
  }

  place(name: string): string {
    return `${this.#room.path}/${name}`;
  }

  #with(name: 'primary' | 'replica', command: readonly string[]): string[] {
    const { primary, replica } = this.ports;
    return [
      ...[
        'env',
        `PATH=${bin}:/usr/bin:/bin`,
        `PGDATA=${this.place(name)}`,
        `PGPORT=${name === 'primary' ? primary : replica}`,
      ],
      ...[
        'POSTGRES_USER=muniment',
        'POSTGRES_DB=postgres',
        `PRIMARY=127.0.0.1:${primary}`,
        `PGHOST=${this.#room.path}`,
      ],
      ...command,
    ];
  }

  run(command: readonly string[]): Promise<string> {
    return this.#room.run(this.#with('primary', command));
  }

  start(name: 'primary' | 'replica', command: readonly string[]): Program {
    return this.#room.start(this.#with(name, command));
  }

  [Symbol.dispose](): void {
    this.#room[Symbol.dispose]();
    rmSync(this.#secrets, { recursive: true, force: true });
  }
}

/** Resolves once a database takes a statement. */
const asked = (url: string, statement: string): Promise<void> =>
  expect
    .poll(() =>
      runSql(url, statement).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);

const isRow = (table: string): string => `SELECT 1 / (SELECT count(*) FROM ${table})::int`;

it.skipIf(missing !== null)(
  'a replica of compose.yaml waits for its primary, copies it, follows it, and goes on where it was',
  { timeout: 300_000 },
  async () => {
    using containers = new Containers({ primary: await freePort(), replica: await freePort() });
    const socket = ['-k', containers.place('')];
    // The primary is not there yet, and an earlier copy broke off.
    await containers.run(['mkdir', '-p', containers.place('replica.copy/base')]);
    const follow = (): Program => containers.start('replica', ['bash', containers.place('replica.sh'), ...socket]);
    const early = follow();
    await sleep(3000);

    const initdb = ['initdb', '-U', 'muniment', '--auth-local=trust', '--auth-host=scram-sha-256'];
    await containers.run([...initdb, `--pwfile=${containers.place('password')}`, '-D', containers.place('primary')]);
    const primary = containers.start('primary', ['postgres', ...socket, '-c', 'listen_addresses=127.0.0.1']);
    try {
      await asked(containers.url('primary'), 'SELECT 1');
      await runSql(containers.url('primary'), 'CREATE TABLE before AS SELECT 1 AS n');
      // Twice: as on a database that was made without it.
      await containers.run(['bash', containers.place('primary.sh')]);
      await containers.run(['bash', containers.place('primary.sh')]);
      await asked(containers.url('replica'), isRow('before'));
      await expect(runSql(containers.url('replica'), 'CREATE TABLE beside ()')).rejects.toThrow(/read-only/);

      await early.end('SIGINT');
      await runSql(containers.url('primary'), 'CREATE TABLE after AS SELECT 1 AS n');
      const again = follow();
      await asked(containers.url('replica'), isRow('after'));
      expect(again.output).not.toMatch(/pg_basebackup|cannot be copied/);
      await again.end('SIGINT');
    } finally {
      await primary.end('SIGINT');
    }
  },
);
