// Migrations that are killed in their middle: a lock of ours holds one of them up, and then the process that runs it is killed, or PostgreSQL too.
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { keepEmbedded } from '#store/embedded/keeper.ts';
import { cleanEnvironment, projectRoot } from '#test/support/service.ts';

const migrations = join(projectRoot, 'db/migrations');

/** Of these tables those that the last of some migrations names and no earlier one does; all where there is none. */
export function tablesOfLast(texts: readonly string[], tables: readonly string[]): readonly string[] {
  const named = texts.map((text) => {
    const words = new Set(text.replaceAll(/--.*$/gm, '').match(/\w+/g));
    return tables.filter((table) => words.has(table));
  });
  const fresh = named.map((own, at) =>
    own.filter((table) => !named.slice(0, at).some((before) => before.includes(table))),
  );
  return fresh.findLast((own) => own.length > 0) ?? tables;
}

/** How a kill went: migrations that had run before the start, at the kill, and what was held. */
export type Kill = {
  readonly before: number;
  readonly at: number;
  readonly held: string;
  readonly waited: string | null;
};

/**
 * Starts the program of this tree on a data folder, holds up the first migration that changes any table, or the `last` that changes one which none before it
 * does, or else the end of the last of all, and kills the program there. The server goes on, as where a process alone is killed; `withServer` kills it, too.
 */
export async function killInMigration(dataDir: string, which: 'first' | 'last', withServer: boolean): Promise<Kill> {
  const server = await keepEmbedded({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: server.url });
  // What a transaction has seen of the others' activity it goes on seeing: who looks on has a connection of its own.
  const watcher = new pg.Client({ connectionString: server.url });
  for (const each of [client, watcher]) each.on('error', () => undefined);
  try {
    await client.connect();
    await watcher.connect();
    const count = async (): Promise<number> =>
      Number((await watcher.query('SELECT count(*) AS n FROM migration')).rows[0].n);
    const before = await count();
    const { rows } = await client.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'",
    );
    const { rows: applied } = await client.query<{ name: string }>('SELECT name FROM migration');
    const done = new Set(applied.map(({ name }) => name));
    const names = readdirSync(migrations)
      .toSorted()
      .filter((name) => !done.has(name));
    const pending = names.map((name) => readFileSync(join(migrations, name), 'utf8'));
    const all = rows.map(({ name }) => name);
    const held = which === 'first' ? all : tablesOfLast(pending, all);
    await client.query('BEGIN');
    // Functions name tables, and take no lock of them: where the rest is of such alone, the last one is held up at its end, by its own row.
    await client.query("INSERT INTO migration (name, sha256) SELECT $1, '' WHERE $1 <> ''", [names.at(-1) ?? '']);
    // Against everything that writes or changes a table; the reads by which a start looks about go on.
    await client.query(`LOCK TABLE ${held.map((name) => `public.${name}`).join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
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
    return { before, at, held: which === 'first' ? 'any table' : held.join(', '), waited };
  } finally {
    for (const each of [client, watcher]) await each.end().catch(() => undefined);
    await server[Symbol.asyncDispose]();
  }
}
