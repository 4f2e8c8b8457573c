// A PostgreSQL of its own with the tables of the project, and streaming replicas of it: made of the embedded programs, which have no pg_basebackup, by a
// copy of the files between pg_backup_start and pg_backup_stop.
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { giveTo } from '#store/embedded/account.ts';
import { processState, readPostmaster, stopServer } from '#store/embedded/postmaster.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { runSql } from './run-sql.ts';
import { prepareTemplate } from './template.ts';

/** A server of its own with the tables and reference data; `crash` ends it at once and starts it anew, without what it had not yet written of its log. Dispose to end it. */
export type Primary = AsyncDisposable & { readonly url: string; readonly folder: string; crash(): Promise<void> };

/** A replica. `pause` stops its replay, so that it shows what it shows; `kill` ends it at once, as a machine fails. */
export type Standby = AsyncDisposable & {
  readonly url: string;
  pause(): Promise<void>;
  resume(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
};

const quick = { fsync: 'off', synchronous_commit: 'on', shared_buffers: '64MB', max_connections: '100' };

// In the form of those of cluster.ts, which removes what a killed run leaves.
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `muniment-test-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Starts a primary. `settings` are further ones of its server; `fill` puts a database into its folder in place of one of its own, which no other cluster has. */
export async function startPrimary(
  settings: Readonly<Record<string, string>> = {},
  fill?: (folder: string) => Promise<void>,
): Promise<Primary> {
  const folder = makeFolder();
  await fill?.(folder);
  const options = {
    dataDir: folder,
    log: () => undefined,
    settings: { ...quick, wal_keep_size: '1GB', ...settings },
  };
  let server = await startEmbedded(options);
  if (fill === undefined) await prepareTemplate(server.url);
  return {
    url: server.url,
    folder,
    crash: async () => {
      await killServer(join(folder, 'pg'));
      server = await startEmbedded(options);
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function killServer(cluster: string): Promise<void> {
  const pid = readPostmaster(cluster)?.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  while (processState(pid) === 'running') await sleep(10);
}

/** Makes a replica and starts it; it answers when this returns. `settings` are further ones of its server. */
export async function startStandby(
  primary: Primary,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const folder = makeFolder();
  const cluster = join(folder, 'pg');
  await baseBackup(primary, cluster);
  follow(primary, cluster);
  const options = { dataDir: folder, log: () => undefined, settings: { ...quick, ...settings } };
  let server = await startEmbedded(options);
  const { url } = server;
  return {
    url,
    pause: async () => {
      await runSql(url, 'SELECT pg_wal_replay_pause()');
      // It is asked for, and takes effect at the next record.
      await until(url, "SELECT pg_get_wal_replay_pause_state() = 'paused'");
    },
    resume: () => runSql(url, 'SELECT pg_wal_replay_resume()'),
    kill: () => killServer(cluster),
    restart: async () => {
      server = await startEmbedded(options);
      // The socket's folder is another one now; the address stays.
    },
    [Symbol.asyncDispose]: async () => {
      await stopServer(cluster, 5000).catch(() => undefined);
      await server.stop().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A copy of a primary's files while it runs, which becomes whole with the log that was written meanwhile. Whoever starts it must own it. */
export async function baseBackup({ url, folder }: Primary, to: string): Promise<void> {
  const from = join(folder, 'pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('replica', fast => true)");
    await cp(from, to, {
      recursive: true,
      filter: (path) =>
        !/postmaster\.(pid|opts)$|\/pg_wal\/.*[0-9A-F]{24}|\/pg_replslot\/.|\/pg_dynshmem\/.|pgsql_tmp/.test(path),
    });
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)');
    writeFileSync(join(to, 'backup_label'), String(rows[0]?.labelfile));
  } finally {
    await client.end();
  }
  chmodSync(to, 0o700);
}

function follow({ url, folder }: Primary, to: string): void {
  const { hostname, port, username } = new URL(url);
  writeFileSync(join(to, 'standby.signal'), '');
  writeFileSync(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${decodeURIComponent(hostname)} port=${port} user=${username} application_name=standby'\nwal_retrieve_retry_interval = '200ms'\n`,
  );
  const { uid, gid } = statSync(join(folder, 'pg'));
  if (process.geteuid?.() === 0) giveTo(to, { uid, gid });
}

async function until(url: string, question: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query({ text: question, rowMode: 'array' });
      if (rows[0]?.[0] === true) return;
      await sleep(10);
    }
  } finally {
    await client.end();
  }
}
