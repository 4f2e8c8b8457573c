// Migrations that are killed in their middle: a lock of ours holds one of them up, and then the process that runs it is killed, or PostgreSQL too.
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { keepEmbedded } from '#store/embedded/keeper.ts';
import { cleanEnvironment, projectRoot } from '#test/support/service.ts';

/** How a kill went: migrations that had run before the start, at the kill, and what was held. */
export type Kill = {
  readonly before: number;
  readonly at: number;
  readonly held: string;
  readonly waited: string | null;
};

/**
 * Starts the program of this tree on a data folder, holds up the first migration that wants one of these tables (null: any), and kills the program there. The server
 * goes on, as where a process alone is killed; `withServer` kills it, too.
 */
export async function killInMigration(
  dataDir: string,
  tables: readonly string[] | null,
  withServer: boolean,
): Promise<Kill> {
  const server = await keepEmbedded({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: server.url });
  // What a transaction has seen of the others' activity it goes on seeing: who looks on has a connection of its own.
  const watcher = new pg.Client({ connectionString: server.url });
  for (const each of [client, watcher]) each.on('error', () => undefined);
  try {
    await client.connect();
    await watcher.connect();
    const count = async (): Promise<number> =>
      Number((await client.query('SELECT count(*) AS n FROM migration')).rows[0].n);
    const before = await count();
    const { rows } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'",
    );
    const held = tables?.map((name) => `public.${name}`) ?? rows.map(({ name }) => name);
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${held.join(', ')} IN ACCESS SHARE MODE`);
    const program = spawn(process.execPath, ['scripts/start.mjs', 'scripts/migrate.ts'], {
      cwd: projectRoot,
      env: cleanEnvironment({ MUNIMENT_DATA_DIR: dataDir }),
      stdio: 'ignore',
    });
    const ended = once(program, 'exit').then(() => true);
    let waited: string | null = null;
    while (waited === null && !(await Promise.race([ended, sleep(20, false)]))) {
      const { rows: waiting } = await watcher.query<{ query: string }>(
        "SELECT left(query, 80) AS query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      waited = waiting[0]?.query ?? null;
    }
    const at = await count();
    program.kill('SIGKILL');
    await ended;
    if (withServer) {
      const { rows: main } = await client.query<{ pid: number }>(
        "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid",
      );
      process.kill(main[0]?.pid ?? 0, 'SIGKILL');
    } else await client.query('ROLLBACK');
    return { before, at, held: tables?.join(', ') ?? 'any table', waited };
  } finally {
    for (const each of [client, watcher]) await each.end().catch(() => undefined);
    await server[Symbol.asyncDispose]();
  }
}
