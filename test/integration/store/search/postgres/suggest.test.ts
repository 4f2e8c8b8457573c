// "Did you mean" over a large word list: a fixed number of statements, none of which reads the list through, without any extension.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import type { Visibility } from '#store/search/port.ts';
import { toVisibleCondition } from '#store/search/postgres/conditions.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { nearStatement, readCandidates } from '#store/search/postgres/suggest.ts';
import { amount } from '#test/support/long.ts';
import { AnyRow, PlanRow } from '#test/support/rows.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import { counting } from '#test/support/count-statements.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { nothingHidden } from '#test/support/index-contents.ts';

const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
// Twice what may be read of a stretch begins alike.
const listed = amount(80_000, 200_000);

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  const record = (id: number, title: string): readonly [string, JsonObject] => [
    'resource',
    {
      uri: `/repositories/2/resources/${id}`,
      repository: { ref: '/repositories/2' },
      jsonmodel_type: 'resource',
      publish: true,
      level: 'collection',
      title,
      create_time: '2026-01-01T00:00:00Z',
      system_mtime: '2026-01-01T00:00:00Z',
      user_mtime: '2026-01-01T00:00:00Z',
    },
  ];
  const records = [
    record(1, 'Harbor views'),
    record(2, 'Harbor maps'),
    record(3, 'Harber family'),
    record(4, 'Дневник путешествия'),
    record(5, 'Harbor lights'),
  ];
  await indexDocuments(
    database,
    records.flatMap(([kind, one]) => toSearchDocuments(kind, one)),
    1,
  );
  // Words that no document has, more frequent than all others, half of them beginning as those that are looked for.
  await database.transaction((tx) =>
    tx.run(sql`
    INSERT INTO search_lexeme (word, df) SELECT (CASE WHEN n % 2 = 0 THEN 'har' ELSE '' END) || left(md5(n::text), 4 + n % 5), 1000 FROM generate_series(1, ${listed}::int) n ON CONFLICT DO NOTHING`),
  );
  await database.reader.any(sql.type(AnyRow)`ANALYZE`);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const ask = (q: string) =>
  postgresSearch(database).search(buildSearchRequest({ page: 1, q, did_you_mean: true }, { now: 0 }), staff);
const means = async (q: string): Promise<readonly object[]> =>
  ((await ask(q)).suggestions ?? []).map(({ corrections, hits }) => ({ ...Object.fromEntries(corrections), hits }));

describe('suggestions', () => {
  it('are words that documents have, whatever else the list holds, the more frequent first', async () => {
    expect(await means('harbr')).toEqual([
      { harbr: 'harbor', hits: 3 },
      { harbr: 'harber', hits: 1 },
    ]);
    expect(await means('дневнк')).toEqual([{ дневнк: 'дневник', hits: 1 }]);
    expect(await means('harbr viws')).toEqual([{ harbr: 'harbor', viws: 'views', hits: 1 }]);
  });

  it('take a rare word for a more frequent one, and no frequent one for another', async () => {
    expect((await means('harber'))[0]).toEqual({ harber: 'harbor', hits: 3 });
    expect(await means('harbor')).toEqual([]);
  });

  it('cost three statements more, however many words are doubtful', async () => {
    const count = (words: readonly string[]): Promise<number> =>
      database.transaction(async (tx) => {
        const counted = counting(tx);
        await readCandidates(counted.tx, words, toVisibleCondition(staff, nothingHidden));
        return counted.count();
      });
    expect([
      await count(['harbr']),
      await count(['harbr', 'viws', 'mpas', 'familly']),
      await count(['harbor']),
    ]).toEqual([3, 3, 1]);
  });

  it('read a stretch of the list', async () => {
    const query = nearStatement(['harbr', 'mpas', 'familly']);
    const rows = await database.transaction(async (tx) => {
      // As in a search.
      await tx.run(sql`SELECT set_config('enable_seqscan', 'off', true)`);
      return tx.any({
        sql: `EXPLAIN (ANALYZE, COSTS off, TIMING off) ${toStatement(query)}`,
        values: query.values,
        parser: PlanRow,
      });
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/using search_lexeme_pkey|on search_lexeme_pkey/);
    expect(plan).not.toMatch(/Seq Scan on search_lexeme/);
    const read = [...plan.matchAll(/Scan[^\n]*search_lexeme[^\n]*rows=(\d+)/g)].map(([, found]) => Number(found));
    expect(Math.max(...read)).toBeLessThanOrEqual(20_000);
  });

  it('need no extension', async () => {
    await database.transaction((tx) => tx.run(sql`DROP EXTENSION IF EXISTS pg_trgm, fuzzystrmatch CASCADE`));
    expect((await means('harbr'))[0]).toEqual({ harbr: 'harbor', hits: 3 });
  });
});
