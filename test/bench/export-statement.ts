// What PostgreSQL's processor does for a component of an export: the statement that blocks are read with, against the bare bodies by a cursor, and
// against the same with the places of components, which exports do not show. In processor time of the backend, which Linux tells.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { kindNamed } from '#domain/addresses.ts';
import { bucketsOf, readStatement } from '#store/records/reading/statements.ts';
import { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { prepareTemplate } from '../support/template.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { plant } from './planted.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const block = 64;

const kind = kindNamed('archival_object');
const viewer = { seesSuppressed: false, seesPlain: true };
const statements = {
  plain: [readStatement([kind], viewer).text],
  places: [readStatement([kind], viewer, 'tree versions').text, bucketsOf(kind, kind.tree?.code ?? 0).text],
};

/** Measures on a PostgreSQL of its own; some minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await prepareTemplate(url);
    const database = new Database({ url, poolSize: 4, statementTimeoutMs: 600_000 });
    const { repoId } = await plant(database, components, 'read');
    await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE)`);
    await database[Symbol.asyncDispose]();
    const client = new pg.Client({ connectionString: url, options: '-c random_page_cost=1.1' });
    await client.connect();
    try {
      const spent = await backendOf(client);
      const { rows } = await client.query<{ id: number }>(
        `SELECT id FROM record WHERE kind = '${kind.name}' AND repo_id = ${repoId} ORDER BY id`,
      );
      const ids = rows.map(({ id }) => id);
      const took = { bodies: [] as number[], plain: [] as number[], places: [] as number[] };
      const measure = async (side: keyof typeof took, work: () => Promise<void>): Promise<void> => {
        const before = spent();
        await work();
        took[side].push((spent() - before) / ids.length);
      };
      for (let round = 0; round <= rounds; round++) {
        await measure('bodies', () => readBodies(client, repoId));
        for (const side of ['plain', 'places'] as const)
          await measure(side, () => readBlocks(client, side, statements[side], ids));
      }
      // The first round warms.
      const [bodies, plain, places] = [took.bodies, took.plain, took.places].map((all) => medianOf(all.slice(1)));
      return [
        row('reading bare bodies against reading components', bodies, plain),
        row('reading components against the same with their places', plain, places),
      ];
    } finally {
      await client.end();
    }
  });
}

async function readBodies(client: pg.Client, repoId: number): Promise<void> {
  await client.query('BEGIN READ ONLY');
  await client.query(
    `DECLARE bodies NO SCROLL CURSOR FOR SELECT body FROM record WHERE kind = '${kind.name}' AND repo_id = ${repoId} ORDER BY id`,
  );
  for (;;) if ((await client.query(`FETCH ${block} FROM bodies`)).rows.length === 0) break;
  await client.query('COMMIT');
}

async function readBlocks(
  client: pg.Client,
  side: string,
  texts: readonly string[],
  ids: readonly number[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += block)
    for (const [index, text] of texts.entries())
      await client.query({ name: `${side} ${index}`, text, values: [ids.slice(at, at + block)] });
}

/** Gives a function that tells the processor time of the connection's backend so far, in µs. */
async function backendOf(client: pg.Client): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const stat = `/proc/${rows[0]?.pid}/stat`;
  return () => {
    const fields = readFileSync(stat, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // utime and stime, in ticks of 10 ms.
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  };
}

const row = (name: string, value = Number.NaN, baseline = Number.NaN): BenchRow => ({
  name: `${name}, processor time of PostgreSQL a component`,
  value: rounded(value),
  unit: 'µs',
  baseline: rounded(baseline),
  ratio: rounded(value / baseline),
});

if (import.meta.main) console.table(await run());
