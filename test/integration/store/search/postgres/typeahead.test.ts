// Titles as somebody types, on an index of many documents: what is found, who sees it, and that the cost stays within bounds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { readTyped } from '#domain/search/suggesting/typeahead.ts';
import { word } from '#domain/search/query/tsquery.ts';
import { Database } from '#store/connection/database.ts';
import type { Visibility } from '#store/search/port.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { alikeStatement, readTitles, titlesStatement } from '#store/search/postgres/typeahead.ts';
import { amount } from '#test/support/long.ts';
import { AnyRow, PlanRow } from '#test/support/rows.ts';
import type { Query } from '#store/connection/sql.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import { counting } from '#test/support/count-statements.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { toVisibleCondition } from '#store/search/postgres/conditions.ts';
import { nothingHidden } from '#test/support/index-contents.ts';

const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
const visitor: Visibility = { ...staff, mayNotSeeUnpublished: true };
const copied = amount(20_000, 60_000);
const words = amount(20_000, 50_000);

let server: TestDatabase;
let database: Database;

const times = {
  create_time: '2026-01-01T00:00:00Z',
  system_mtime: '2026-01-01T00:00:00Z',
  user_mtime: '2026-01-01T00:00:00Z',
};
const inRepository = (
  kind: string,
  repo: number,
  id: number,
  title: string,
  more: JsonObject = {},
): readonly [string, JsonObject] => [
  kind,
  {
    uri: `/repositories/${repo}/${kind}s/${id}`,
    repository: { ref: `/repositories/${repo}` },
    jsonmodel_type: kind,
    publish: true,
    level: 'file',
    title,
    ...times,
    ...more,
  },
];
const hidden = { jsonmodel_type: 'note_singlepart', publish: false, content: ['secret'] };

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  const records = [
    inRepository('resource', 2, 1, 'Harbor views'),
    inRepository('resource', 2, 2, 'Maps of the harbor, MS-12'),
    inRepository('archival_object', 2, 3, 'Harbor master’s diary'),
    inRepository('resource', 2, 4, 'Harbor drafts', { publish: false }),
    inRepository('resource', 2, 5, 'Harbor secrets', { suppressed: true }),
    inRepository('resource', 3, 6, 'Harbor abroad'),
    inRepository('archival_object', 2, 7, 'Harborside', { notes: [hidden] }),
    inRepository('resource', 2, 8, 'Ένα Łódź'),
    inRepository('resource', 2, 9, '図書館の記録'),
    inRepository('resource', 2, 10, 'Managed harbor', {
      collection_management: {
        uri: '/repositories/2/collection_management/1',
        jsonmodel_type: 'collection_management',
      },
    }),
    [
      'subject',
      {
        uri: '/subjects/1',
        jsonmodel_type: 'subject',
        title: 'Harbors',
        publish: true,
        is_linked_to_published_record: true,
        ...times,
      },
    ] as const,
    inRepository('archival_object', 4, 11, 'Apple quince'),
  ];
  await indexDocuments(
    database,
    records.flatMap(([kind, one]) => toSearchDocuments(kind, one)),
    1,
  );
  // Copies of one component, so that a is the first letter of most, and nothing but an index gets at the others soon. Words of the list beside.
  await database.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO search_doc (id, uri, kind, record_id, repo_id, audience, published, suppressed, factor, len, title_sort, sorts, vals, head, tsv, seq)
      SELECT d.uri || '0' || n, d.uri || '0' || n, kind, 1000 + n, repo_id, 1, false, false, factor, len, title_sort || ' ' || n, sorts, vals, head, tsv, seq
      FROM search_doc d, generate_series(1, ${copied}::int) n WHERE d.title_sort = 'apple quince'`);
    await tx.run(
      sql`INSERT INTO search_body (no, stored, echo, targets) SELECT d.no, b.stored, '', '{}' FROM search_doc d, search_body b WHERE d.record_id > 1000 AND b.no = (SELECT no FROM search_doc WHERE title_sort = 'apple quince')`,
    );
    await tx.run(
      sql`INSERT INTO search_lexeme (word, df) SELECT 'a' || left(md5(n::text), 4 + n % 5), 1 + n % 300 FROM generate_series(1, ${words}::int) n ON CONFLICT DO NOTHING`,
    );
    await tx.run(
      sql`INSERT INTO search_lexeme (word, df) SELECT 'x=ref_id=' || n, 1 FROM generate_series(1, ${words}::int) n ON CONFLICT DO NOTHING`,
    );
    await tx.run(sql`UPDATE search_lexeme SET df = df + ${copied} WHERE word IN ('apple', 'quince')`);
  });
  await database.reader.any(sql.type(AnyRow)`VACUUM ANALYZE`);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const ask = (
  q: string,
  visibility: Visibility = staff,
  more: { readonly types?: readonly string[]; readonly limit?: number } = {},
) =>
  postgresSearch(database).suggestTitles(
    { typed: readTyped(q), types: more.types ?? [], limit: more.limit ?? 10 },
    visibility,
  );
const titles = async (...asked: Parameters<typeof ask>): Promise<readonly string[]> =>
  (await ask(...asked)).map(({ title }) => title);

describe('titles', () => {
  it('are found by the beginnings of their words, in any order, best first', async () => {
    expect(await titles('harb')).toEqual([
      'Harbor abroad',
      'Harbor drafts',
      'Harbor views',
      'Harbors',
      'Harborside',
      'Harbor master’s diary',
      'Managed harbor',
      'Maps of the harbor, MS-12',
    ]);
    expect(await titles('harbor ma')).toEqual(['Harbor master’s diary', 'Managed harbor', 'Maps of the harbor, MS-12']);
    expect(await titles('ma har')).toEqual(['Managed harbor', 'Maps of the harbor, MS-12', 'Harbor master’s diary']);
    expect(await titles('harbr')).toEqual([]);
    expect((await ask('harb', staff, { limit: 2 })).length).toBe(2);
  });

  it('come with what a form needs', async () => {
    expect(await ask('ms12')).toEqual([
      {
        id: '/repositories/2/resources/2',
        uri: '/repositories/2/resources/2',
        title: 'Maps of the harbor, MS-12',
        primary_type: 'resource',
        repository: '/repositories/2',
        words: ['MS-12'],
      },
    ]);
  });

  it('are found however they are written', async () => {
    expect([await titles('LODZ ενα'), await titles('図書'), await titles('書館の'), await titles('maître')]).toEqual([
      ['Ένα Łódź'],
      ['図書館の記録'],
      ['図書館の記録'],
      [],
    ]);
  });

  it('are kept to types', async () => {
    expect(await titles('harb', staff, { types: ['subject', 'archival_object'] })).toEqual([
      'Harbors',
      'Harborside',
      'Harbor master’s diary',
    ]);
    expect((await ask('managed', staff, { types: ['collection_management'] })).map(({ uri }) => uri)).toEqual([
      '/repositories/2/collection_management/1',
    ]);
    expect(await titles('harb', staff, { types: ['no such'] })).toEqual([]);
  });

  it('are found by nobody who may not see them, and of two documents of a record the caller finds his own', async () => {
    expect(await titles('harb', { ...staff, repositories: [3] })).toEqual(['Harbor abroad', 'Harbors']);
    expect(await titles('harb', { ...staff, repositories: [] })).toEqual(['Harbors']);
    expect(await titles('harb', { ...staff, seesSuppressed: [2] })).toContain('Harbor secrets');
    const found = await ask('harb', visitor);
    expect(found.map(({ title }) => title)).toEqual([
      'Harbor abroad',
      'Harbor views',
      'Harbors',
      'Harborside',
      'Harbor master’s diary',
      'Managed harbor',
      'Maps of the harbor, MS-12',
    ]);
    expect(found.filter(({ primary_type: type }) => type === 'archival_object').map(({ id }) => id)).toEqual([
      '/repositories/2/archival_objects/7#pui',
      '/repositories/2/archival_objects/3#pui',
    ]);
    expect(await titles('harb', visitor, { types: ['pui_archival_object'] })).toEqual([
      'Harborside',
      'Harbor master’s diary',
    ]);
  });

  it('are found for anything that can be typed', async () => {
    for (const q of [
      '',
      ' ',
      '-',
      '%',
      '_',
      "'",
      '\\',
      "a'b:*&|!(",
      '<',
      '\u0000',
      '\ud800',
      'x',
      'x=',
      '*'.repeat(500),
      'é'.repeat(10_000),
      'a b c d e f g h i j k l m',
    ])
      expect(Array.isArray(await ask(q)), q).toBe(true);
  });
});

describe('the cost', () => {
  it('is five statements at most, however many words', async () => {
    const count = (q: string): Promise<number> =>
      database.transaction(async (tx) => {
        const counted = counting(tx);
        await readTitles(counted.tx, { typed: readTyped(q), types: [], limit: 50 }, staff);
        return counted.count();
      });
    expect([
      await count('harb'),
      await count('ma of the harbor m'),
      await count('a'),
      await count('of nothing'),
    ]).toEqual([5, 5, 5, 4]);
  });

  it('is bounded where most begin so: one letter is answered, and the rare is found by a letter more', async () => {
    expect(await titles('a')).toHaveLength(10);
    expect(await titles('x')).toEqual([]);
    expect(await titles('h')).toContain('Harbor views');
    expect(await titles('a har')).toEqual(['Harbor abroad']);
  });

  const planOf = async (query: Query): Promise<string> => {
    const rows = await database.transaction(async (tx) => {
      // As in a search.
      await tx.run(sql`
        SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`);
      return tx.any({
        sql: `EXPLAIN (ANALYZE, COSTS off, TIMING off) ${toStatement(query)}`,
        values: query.values,
        parser: PlanRow,
      });
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const mostRows = (plan: string, table: string): number =>
    Math.max(
      0,
      ...[
        ...plan.matchAll(new RegExp(`(?:Scan[^\\n]* on |Scan using \\w+ on )${table}[^\\n]*actual rows=(\\d+)`, 'g')),
      ].map(([, rows]) => Number(rows)),
    );

  it('reads a stretch of the word list', async () => {
    for (const [one, rows] of [
      ['a', 4000],
      ['x', 0],
      ['harb', 3],
    ] as const) {
      const plan = await planOf(alikeStatement([one]));
      expect(plan).toContain('search_lexeme_pkey');
      expect(plan).not.toMatch(/Seq Scan on search_lexeme/);
      expect(mostRows(plan, 'search_lexeme'), plan).toBe(rows);
    }
  });

  it('reads stretches of the indexes of titles and words, and no more than a thousand documents by each', async () => {
    const prefix = { kind: 'word', word: 't=app', isPrefix: true } as const;
    for (const [types, visibility] of [
      [[], staff],
      [['archival_object'], { ...visitor, repositories: [2, 4] }],
    ] as const) {
      const statement = titlesStatement('app', [[prefix, word('x=types=resource')], [prefix]], types, {
        visibility,
        visible: toVisibleCondition(visibility, nothingHidden),
      });
      const plan = await planOf(statement ?? sql`SELECT`);
      expect(plan).toContain('search_doc_title_sort_idx');
      expect(plan).toContain('search_doc_tsv_idx');
      expect(plan).not.toMatch(/Seq Scan on search_doc/);
      expect(mostRows(plan.replaceAll(/Bitmap Index Scan[^\n]*/g, ''), 'search_doc')).toBe(1000);
    }
  });
});
