// What checking rows costs, as a part of the statement that gives them: both in processor time of this process, where the driver and the checks
// run (PostgreSQL's own is not in it). And the same read through slonik's own pool with a result parser.
import { createPgDriverFactory } from '@slonik/pg-driver';
import type { DatabasePool, QueryResultRow } from 'slonik';
import { createPool, sql as slonikSql } from 'slonik';
import { IdRow, StoredRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { checkRows } from '#store/connection/row-checks.ts';
import type { RowQuery } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { RecordRow } from '#store/records/reading/row.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 21);
const inProduction = 2;
const atOnce = 8;

const record = sql.fragment`SELECT kind, id, repo_id, lock_version, publish, suppressed, label, created_by, last_modified_by,
  create_time, system_mtime, user_mtime, body FROM bench_row`;
const one = (n: number): RowQuery<RecordRow> => sql.type(RecordRow)`${record} WHERE id = ${n}`;

/** Measures; some two minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await using unchecked = new Database({ url, poolSize: atOnce, rowsChecked: 0 });
    await using checked = new Database({ url, poolSize: atOnce });
    await layOut(checked);
    const share = <Row>(name: string, times: number, query: (n: number) => RowQuery<Row>) =>
      shareOf(unchecked, name, times, query);
    const shares = [
      await share('an id', 1500, (n) => sql.type(IdRow)`SELECT id FROM bench_row WHERE id = ${n}`),
      await share('a record of 13 columns', 1200, one),
      // The worst case: no row is left unchecked.
      await share(
        `${inProduction} records of 13 columns`,
        800,
        (n) => sql.type(RecordRow)`${record} WHERE id BETWEEN ${n} AND ${n + inProduction - 1}`,
      ),
      await share(
        '25 records of 13 columns',
        250,
        (n) => sql.type(RecordRow)`${record} WHERE id BETWEEN ${n} AND ${n + 24}`,
      ),
      await share(
        '1000 bodies',
        24,
        (n) => sql.type(StoredRow)`SELECT id, body FROM bench_row WHERE id BETWEEN ${n} AND ${n + 999}`,
      ),
      await share(
        '5000 ids',
        16,
        (n) => sql.type(IdRow)`SELECT id FROM bench_row WHERE id BETWEEN ${n} AND ${n + 4999}`,
      ),
    ];
    const pool = await slonikPool(url);
    try {
      const [theirs = 0, ours = 0] = await inTurn([
        () => spell(1200, (n) => pool.one(slonikSql.type(RecordRow)`${record} WHERE id = ${n}`)),
        () => spell(1200, (n) => checked.reader.one(one(n))),
      ]);
      return [
        ...shares.flat(),
        row("a record of 13 columns, checked, through slonik's pool against ours", theirs, ours),
      ];
    } finally {
      await pool.end();
    }
  });
}

async function layOut(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`CREATE TABLE bench_row AS SELECT i::int AS id, 'archival_object'::text AS kind, 2 AS repo_id, 3 AS lock_version, true AS publish, false AS suppressed,
      'Letters of the year ' || i AS label, 'admin'::text AS created_by, 'admin'::text AS last_modified_by, now() AS create_time, now() AS system_mtime, now() AS user_mtime,
      json_build_object('title', repeat('Letters ', 40), 'ref_id', md5(i::text)) AS body FROM generate_series(1, 20000) AS i`);
    await tx.run(sql`ALTER TABLE bench_row ADD PRIMARY KEY (id)`);
    await tx.run(sql`ANALYZE bench_row`);
  });
}

/** The time of checking a statement's first rows, and of all, against the time of the statement. Measured apart: of the whole it is lost in the noise. */
async function shareOf<Row>(
  database: Database,
  name: string,
  times: number,
  query: (n: number) => RowQuery<Row>,
): Promise<readonly BenchRow[]> {
  const { parser } = query(1);
  const rows = await database.reader.any(query(1));
  const check = (most: number): Promise<number> =>
    Promise.resolve(timed(Math.ceil(20_000 / Math.min(most, rows.length)), () => checkRows(parser, rows, most, name)));
  const [statement = 0, first = 0, every = 0] = await inTurn([
    () => spell(times, (n) => database.reader.any(query(n))),
    () => check(inProduction),
    () => check(Infinity),
  ]);
  return [
    row(`${name}: checking the first ${inProduction} rows, against the statement`, first, statement, 0.02),
    row(`${name}: checking all rows, against the statement`, every, statement),
  ];
}

/** A pool of slonik that gives times and json as ours does, with the result parser that its documentation recommends. */
function slonikPool(url: string): Promise<DatabasePool> {
  return createPool(url, {
    driverFactory: createPgDriverFactory(),
    maximumPoolSize: atOnce,
    typeParsers: [
      { name: 'timestamptz', parse: (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}Z` },
      { name: 'json', parse: (text: string) => text },
    ],
    interceptors: [
      {
        name: 'result parser',
        transformRow: (context, _query, given): QueryResultRow => {
          const result = context.resultParser?.['~standard'].validate(given);
          if (result === undefined || result instanceof Promise || result.issues !== undefined)
            throw new Error('a row is otherwise');
          return given;
        },
      },
    ],
  });
}

/** The medians of some measurements, taken turn about so that whatever else the machine does meets all alike. */
async function inTurn(measure: readonly (() => Promise<number>)[]): Promise<readonly number[]> {
  for (const each of measure) await each();
  const taken = measure.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, each] of measure.entries()) taken[index]?.push(await each());
  return taken.map(medianOf);
}

/** Processor time of a statement in µs, over so many of them, some at once. */
async function spell(times: number, ask: (n: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  let n = 0;
  const asking = async (): Promise<void> => {
    while (n < times) await ask(((n++ * 7919) % 14_000) + 1);
  };
  await Promise.all(Array.from({ length: atOnce }, asking));
  return microsSince(before) / times;
}

function timed(times: number, work: () => void): number {
  const before = process.cpuUsage();
  for (let n = 0; n < times; n++) work();
  return microsSince(before) / times;
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function row(name: string, value: number, baseline: number, target?: number): BenchRow {
  const ratio = value / baseline;
  return {
    name,
    value: rounded(value),
    unit: 'µs',
    baseline: rounded(baseline),
    ratio: Math.round(ratio * 10_000) / 10_000,
    ...(target === undefined ? {} : { target, pass: ratio <= target }),
  };
}

if (import.meta.main) console.table(await run());
