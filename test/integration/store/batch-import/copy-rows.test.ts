// Rows of binary COPY are read by PostgreSQL as what they were written from.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlacedLexeme } from '#domain/batch-import/copy-binary.ts';
import { CopyWriter } from '#domain/batch-import/copy-binary.ts';
import { copyRows } from '#store/batch-import/copy.ts';
import { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createDatabase();
  database = new Database({ url: testDatabase.url, poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});

const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const table = sql.fragment`CREATE TEMP TABLE copied (a text, b smallint, c int, d bigint, e boolean, f real, g timestamptz, h jsonb, i text[], j int[]) ON COMMIT DROP`;
/** What PostgreSQL has of rows, as texts. */
const copied = (rows: Uint8Array) =>
  database.transaction(async (tx) => {
    await tx.run(sql`${table}`);
    await copyRows(tx, 'copied', columns, rows);
    return tx.any(sql.type(AnyRow)`
      SELECT a, b, c, d::text AS d, e, f, g AT TIME ZONE 'UTC' = '2026-11-22 01:02:03.004' AS g, h, i, j FROM copied`);
  });

it('are values of every type, of any script and length', async () => {
  const long = `${'ünï\\cödé\t"𝔘"\n'.repeat(9000)}end`;
  const rows = new CopyWriter(8)
    .row(10)
    .text(long)
    .int2(-2)
    .int4(-2_147_483_648)
    .int8(9_007_199_254_740_991)
    .bool(true)
    .float4(1.5)
    .time('2026-11-22T01:02:03.004Z')
    .jsonb('{"a":[1,"é"]}')
    .texts(['', 'a,b', '"', 'NULL', 'é'])
    .int4s([1, -1])
    .row(10)
    .text('')
    .int2(0)
    .int4(0)
    .int8(-1)
    .bool(false)
    .float4(0)
    .time(null)
    .jsonb('null')
    .texts([])
    .int4s([])
    .row(10)
    .text(null)
    .int2(1)
    .int4(null)
    .int8(0)
    .bool(false)
    .float4(3)
    .time(null)
    .jsonb('[]')
    .texts([])
    .int4s([]);
  expect(await copied(rows.finish())).toEqual([
    {
      a: long,
      b: -2,
      c: -2_147_483_648,
      d: '9007199254740991',
      e: true,
      f: 1.5,
      g: true,
      h: { a: [1, 'é'] },
      i: ['', 'a,b', '"', 'NULL', 'é'],
      j: [1, -1],
    },
    { a: '', b: 0, c: 0, d: '-1', e: false, f: 0, g: null, h: null, i: [], j: [] },
    { a: null, b: 1, c: null, d: '0', e: false, f: 3, g: null, h: [], i: [], j: [] },
  ]);
});

it('are vectors with places and weights, whole or of some places', async () => {
  const lexemes: readonly PlacedLexeme[] = [
    { lexeme: "z'\\q", places: [1 | (3 << 14), 7] },
    { lexeme: 'ä'.repeat(80), places: [16_383 | (1 << 14)] },
    { lexeme: 'x=level=file', places: [] },
    { lexeme: '京大', places: [2 | (2 << 14)] },
  ];
  const rows = new CopyWriter(8)
    .row(2)
    .tsvector(lexemes)
    .tsvector(lexemes, (place) => place > 16_383)
    .row(2)
    .tsvector([])
    .tsvector(lexemes, () => false);
  const read = await database.transaction(async (tx) => {
    await tx.run(sql`CREATE TEMP TABLE copied (v tsvector, head tsvector) ON COMMIT DROP`);
    await copyRows(tx, 'copied', ['v', 'head'], rows.finish());
    const literal = `'z''\\\\q':1A,7 '${'ä'.repeat(80)}':16383C 'x=level=file' '京大':2B`;
    return tx.any(sql.type(AnyRow)`
      SELECT v = ${literal}::tsvector AS whole, head::text AS head, length(v) AS length, v @@ ${"'x=level=file' & '京大':B"}::tsquery AS found FROM copied`);
  });
  expect(read).toEqual([
    { whole: true, head: `'z''\\\\q':1A '${'ä'.repeat(80)}':16383C '京大':2B`, length: 4, found: true },
    { whole: false, head: '', length: 0, found: false },
  ]);
});

it('refuse a time that is none', () => {
  expect(() => new CopyWriter().time('yesterday')).toThrow(RangeError);
});
