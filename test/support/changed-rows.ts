// What a piece of work does to a database as a whole: which rows of which tables come, go, or say something else. The work is taken back.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { column } from '#store/connection/columns.ts';
import type { Database, Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';

const TableRow = z.strictObject({ name: column.text, keys: column.texts });
const StoredRow = z.strictObject({ name: column.text, key: column.text, row: column.text.nullable() });
const NowRow = z.strictObject({ now: column.text, xid: column.text });
const WrittenRow = z.strictObject({ name: column.text });

type Rows = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

// As JSON tells times of columns.
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

// Since then databases of tests are made: what is of an earlier time is of a fixture.
const made = '2026';

/** A time of the work as `now`, one of the making of the database as `before`; what else there is as it is. */
function toldTime(value: unknown, now: string): unknown {
  if (typeof value !== 'string' || !moment.test(value) || value < made) return value;
  return value >= now ? 'now' : 'before';
}

interface Found {
  readonly tables: readonly z.infer<typeof TableRow>[];
  readonly rows: Rows;
  readonly bodies: ReadonlyMap<string, string>;
}

// All work is taken back, so that each finds what the first one found.
const found = new WeakMap<Database, Found>();

class Undone extends Error {}

/** Does the work in a transaction that is taken back; between two works nothing else is written. Gives its value or failure as `gave`, and the changes of rows by table: of those that stay only what is another. Times are told as toldTime does. */
export async function changedRows(database: Database, work: (tx: Transaction) => Promise<unknown>): Promise<unknown> {
  let changes: unknown;
  await database
    .transaction(async (tx) => {
      await fromNumber(tx, 5000);
      const { now, xid } = await tx.one(
        sql.type(NowRow)`SELECT to_jsonb(now()) #>> '{}' AS now, pg_current_xact_id()::text AS xid`,
      );
      const before = found.get(database) ?? (await find(tx));
      found.set(database, before);
      const gave = await work(tx);
      const written = await writtenTables(tx);
      const after = await readRows(
        tx,
        before.tables.filter(({ name }) => written.has(name)),
        { xid, rows: before.rows },
      );
      const text = JSON.stringify({ ...(gave === undefined ? {} : { gave }), ...compared(before, after) });
      changes = JSON.parse(text, (_, value: unknown) => toldTime(value, now));
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return changes;
}

/** Sequences are not taken back with what drew from them: each work finds them alike. */
async function fromNumber(tx: Transaction, first: number): Promise<void> {
  await tx.run(
    sql`SELECT setval(c.oid, s.seqmin + ${first}) FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.relnamespace = 'public'::regnamespace`,
  );
}

async function find(tx: Transaction): Promise<Found> {
  const tables = await tx.any(sql.type(TableRow)`
    SELECT c.relname AS name, ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey) WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY a.attname) AS keys
    FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname`);
  const rows = await readRows(tx, tables);
  const bodies = [...(rows.get('record') ?? [])].map(
    ([key, { body }]) => [JSON.stringify(body), `the body of ${key}`] as const,
  );
  return { tables, rows, bodies: new Map(bodies) };
}

/** Tables that the transaction wrote to, by PostgreSQL's counts, or one before it on this connection of which these tell still; of a partition its table. */
async function writtenTables(tx: Transaction): Promise<ReadonlySet<string>> {
  const rows = await tx.any(sql.type(WrittenRow)`
    SELECT DISTINCT c.relname AS name FROM pg_stat_xact_user_tables s JOIN pg_class c ON c.oid = coalesce(pg_partition_root(s.relid), s.relid)
    WHERE s.schemaname = 'public' AND s.n_tup_ins + s.n_tup_upd + s.n_tup_del > 0`);
  return new Set(rows.map(({ name }) => name));
}

/** All rows by table and primary key, those of `since` where no transaction from that one on wrote them. Numbers of transactions are no facts. */
async function readRows(
  tx: Transaction,
  tables: Found['tables'],
  since: { readonly xid: string; readonly rows: Rows } = { xid: '0', rows: new Map() },
): Promise<Rows> {
  const all = new Map(tables.map(({ name }) => [name, new Map<string, JsonObject>()]));
  if (tables.length === 0) return all;
  const rows = await tx.any(
    sql.type(StoredRow)`${sql.join(
      tables.map(({ name, keys }) => {
        const key = keys.map((one) =>
          one === 'xid' ? sql.fragment`NULL` : sql.fragment`to_jsonb(t.${sql.identifier([one])})`,
        );
        const isRead =
          keys.length === 0 || keys.includes('xid')
            ? sql.fragment`true`
            : sql.fragment`t.xmin::text::bigint >= ${since.xid}::bigint`;
        return sql.fragment`
          SELECT ${name}::text AS name, ${key.length === 0 ? sql.fragment`'[]'` : sql.fragment`jsonb_build_array(${sql.join(key, sql.fragment`, `)})::text`} AS key,
            CASE WHEN ${isRead} THEN to_jsonb(t)::text END AS row
          FROM ${sql.identifier([name])} AS t`;
      }),
      sql.fragment` UNION ALL `,
    )}`,
  );
  for (const { name, key: keys, row } of rows) {
    const key = JSON.stringify(JSON.parse(keys));
    if (row === null) {
      all.get(name)?.set(key, since.rows.get(name)?.get(key) ?? {});
      continue;
    }
    const { xid: _, ...stored }: JsonObject = JSON.parse(row);
    all.get(name)?.set(key === '[]' ? JSON.stringify(stored) : key, stored);
  }
  return all;
}

/** How tables that were read again differ from what they held. */
function compared({ rows: before, bodies }: Found, after: Rows): JsonObject {
  return Object.fromEntries(
    [...after].flatMap(([name, now]) => {
      const old = before.get(name) ?? new Map<string, JsonObject>();
      const gone = [...old.keys()].filter((key) => !now.has(key));
      const come = [...now].flatMap(([key, row]) => (old.has(key) ? [] : [named(row, bodies)]));
      const changed = [...now].flatMap(([key, row]) => {
        const was = old.get(key);
        return was === undefined || isDeepStrictEqual(was, row) ? [] : [[key, differing(was, row)] as const];
      });
      const parts = {
        ...(gone.length === 0 ? {} : { gone: gone.toSorted() }),
        ...(come.length === 0 ? {} : { come: sorted(come) }),
        ...(changed.length === 0
          ? {}
          : { changed: Object.fromEntries(changed.toSorted(([a], [b]) => (a < b ? -1 : 1))) }),
      };
      return Object.keys(parts).length === 0 ? [] : [[name, parts] as const];
    }),
  );
}

const sorted = (rows: readonly JsonObject[]): readonly JsonObject[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** A row with bodies that records had before by the name of the record. */
const named = (row: JsonObject, bodies: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, bodies.get(JSON.stringify(value)) ?? value]));

/** What a row says now where it said something else; of objects in it their properties, of lists as long as before their items; null for what it says no more. */
function differing(was: JsonObject, row: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(was), ...Object.keys(row)])];
  return Object.fromEntries(
    names.flatMap((name): readonly (readonly [string, Json])[] => {
      const [one, two] = [was[name] ?? null, row[name] ?? null];
      if (isDeepStrictEqual(one, two)) return [];
      return [[name, within(one, two)]];
    }),
  );
}

function within(one: Json, two: Json): Json {
  if (isObject(one) && isObject(two)) return differing(one, two);
  if (!Array.isArray(one) || !Array.isArray(two) || one.length !== two.length) return two;
  return differing(Object.fromEntries(one.entries()), Object.fromEntries(two.entries()));
}
