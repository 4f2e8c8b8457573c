// Walks by cursor through 3,000 documents: nothing twice and nothing left out, also while others write, by statements that begin where they should.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { withCursor, writeCursor } from '#domain/search/reply/cursor.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import type { Visibility } from '#store/search/port.ts';
import { toVisibleCondition } from '#store/search/postgres/conditions.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { cursorPageStatement } from '#store/search/postgres/cursor-pages.ts';
import { AnyRow, PlanRow } from '#test/support/rows.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments, removeDocuments } from '#test/support/index-documents.ts';
import { nothingHidden } from '#test/support/index-contents.ts';

const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
const count = 3000;

function component(id: number, fields: JsonObject = {}): readonly [string, JsonObject] {
  const time = new Date(Date.UTC(2026, 0, 1) + (id % 97) * 60_000).toISOString().replace('.000', '');
  return [
    'archival_object',
    {
      uri: `/repositories/2/archival_objects/${id}`,
      repository: { ref: '/repositories/2' },
      jsonmodel_type: 'archival_object',
      publish: id % 3 === 0,
      level: id % 2 === 0 ? 'file' : 'item',
      title: `Letter ${id % 50}`,
      display_string: `Letter ${id % 50}`,
      create_time: time,
      system_mtime: time,
      user_mtime: time,
      ...(id % 5 === 0 ? {} : { component_id: `C${id % 7}` }),
      ...fields,
    },
  ];
}

const documents = (records: readonly (readonly [string, JsonObject])[]) =>
  records.flatMap(([kind, record]) => toSearchDocuments(kind, record));

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 4 });
  await indexDocuments(database, documents(Array.from({ length: count }, (_, index) => component(index + 1))), 1);
  await database.reader.any(sql.type(AnyRow)`ANALYZE`);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** All uris of a walk, and how many documents it said there were on each page. `between` runs after each page. */
async function walk(
  parameters: Partial<SearchParameters>,
  visibility: Visibility = staff,
  between: (page: number) => Promise<void> = async () => undefined,
) {
  const request = buildSearchRequest({ page: 1, page_size: 250, ...parameters }, { now: 0 });
  const uris: string[] = [];
  const totals: number[] = [];
  let cursor: string | null = '*';
  for (let page = 1; cursor !== null; page += 1) {
    const asked = withCursor(request, cursor);
    const result = await postgresSearch(database).search(asked, visibility);
    uris.push(...result.hits.map(({ stored }) => String(JSON.parse(stored).uri)));
    totals.push(result.total);
    cursor = result.last === undefined ? null : writeCursor(asked, result.last, result.total);
    await between(page);
  }
  return { uris, totals };
}

/** The same by pages of numbers. */
async function paged(
  parameters: Partial<SearchParameters>,
  visibility: Visibility = staff,
): Promise<readonly string[]> {
  const uris: string[] = [];
  for (let page = 1; page <= count / 250; page += 1) {
    const { hits } = await postgresSearch(database).search(
      buildSearchRequest({ page, page_size: 250, ...parameters }, { now: 0 }),
      visibility,
    );
    uris.push(...hits.map(({ stored }) => String(JSON.parse(stored).uri)));
  }
  return uris;
}

describe('a walk by cursor', () => {
  it.each<[Partial<SearchParameters>]>([
    [{}],
    [{ q: 'letter' }],
    [{ q: 'level:item' }],
    [{ sort: 'title_sort asc' }],
    [{ sort: 'title_sort desc' }],
    [{ sort: 'user_mtime desc' }],
    [{ sort: 'identifier asc' }],
    [{ sort: 'identifier desc' }],
    [{ sort: 'level desc, identifier asc, title_sort desc' }],
    [{ sort: 'component_id desc, user_mtime asc' }],
    [{ sort: 'component_id asc', q: 'letter' }],
  ])('through %j finds each document once, in the order of pages by number', async (parameters) => {
    const { uris, totals } = await walk(parameters);
    expect(new Set(uris).size).toBe(uris.length);
    expect(new Set(totals)).toEqual(new Set([uris.length]));
    // By number ties are in the order of entry; so the uri decides here too.
    expect(uris).toEqual(
      await paged({
        ...parameters,
        sort: [...(parameters.sort === undefined ? [] : [parameters.sort]), 'uri asc'].join(', '),
      }),
    );
  });

  it('shows the public what is published alone', async () => {
    expect((await walk({}, { ...staff, mayNotSeeUnpublished: true })).uris).toHaveLength(count / 3);
  });

  it('neither repeats nor skips what stays, while documents come, change and go', async () => {
    const before = await walk({});
    let added = 0;
    const { uris } = await walk({}, staff, async (page) => {
      // Behind, before and around the place where the walk stands; published ones become unpublished, so their documents are made anew.
      const here = Number(before.uris[page * 250 - 1]?.split('/').at(-1) ?? 1);
      await indexDocuments(
        database,
        documents(
          [...new Set([1, here - 3, here, here + 3, count])]
            .filter((id) => id > 0 && id <= count)
            .map((id) => component(id, { title: `Changed ${page}`, publish: page % 2 === 0 })),
        ),
        10 + page,
      );
      await indexDocuments(
        database,
        documents(Array.from({ length: 40 }, () => component(count + (added += 1)))),
        10 + page,
      );
      await removeDocuments(database, [`/repositories/2/archival_objects/${2000 + page}`]);
    });
    expect(new Set(uris).size).toBe(uris.length);
    const gone = new Set(Array.from({ length: 20 }, (_, n) => `/repositories/2/archival_objects/${2000 + n}`));
    expect(before.uris.filter((uri) => !gone.has(uri) && !uris.includes(uri))).toEqual([]);
  });
});

describe('the statement of a page', () => {
  const visible = toVisibleCondition(staff, nothingHidden);
  const plan = (sort: string, after: readonly (string | null)[]): Promise<string> =>
    database.transaction(async (tx) => {
      await tx.run(sql`SELECT set_config('jit', 'off', true)`);
      const query = cursorPageStatement(
        { condition: visible },
        buildSearchRequest({ page: 1, sort }, { now: 0 }).sort,
        after,
        11,
        'valued',
      );
      const rows = await tx.any({
        sql: `EXPLAIN (ANALYZE, COSTS off, TIMING off, BUFFERS off) ${toStatement(query)}`,
        values: query.values,
        parser: PlanRow,
      });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });

  it.each<[string, string, readonly string[], RegExp]>([
    [
      'uri',
      '',
      ['/repositories/2/archival_objects/2'],
      /Index Scan using search_doc_uri_idx[^\n]*\n\s+Index Cond: \(uri ~>~/,
    ],
    [
      'title',
      'title_sort asc',
      ['letter 0000000030', '/repositories/2/archival_objects/2'],
      /Index Scan using search_doc_title_sort_idx[^\n]*\n\s+Index Cond: \(\(title_sort IS NOT NULL\) AND \(title_sort >=/,
    ],
    [
      'time of change, backwards',
      'user_mtime desc',
      ['2026-01-01 00:40:00+00', '/repositories/2/archival_objects/2'],
      /Index Scan Backward using search_doc_user_mtime_idx[^\n]*\n\s+Index Cond: \(\(user_mtime IS NOT NULL\) AND \(user_mtime <=/,
    ],
  ])('by %s begins at the position and reads little more than the page', async (_, sort, after, expected) => {
    const text = await plan(sort, after);
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/Seq Scan/);
    // Rows read: those of the page, and of the title or time that it stands in.
    const read = [...text.matchAll(/Scan[^\n]*rows=(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThan(200);
  });

  it('costs the same at any depth', async () => {
    const rowsAt = async (uri: string): Promise<number> =>
      Number(/Scan[^\n]*rows=(\d+)/.exec(await plan('', [uri]))?.[1]);
    expect(await rowsAt('/repositories/2/archival_objects/98')).toBe(
      await rowsAt('/repositories/2/archival_objects/1'),
    );
  });
});

describe('a cursor', () => {
  const request = buildSearchRequest({ page: 1, q: 'letter' }, { now: 0 });

  it('is refused where it is damaged, of another search, or the order is by score', () => {
    const cursor = writeCursor(request, ['/x'], 5);
    expect(withCursor(request, cursor).cursor).toEqual({ after: ['/x'], total: 5 });
    const refused = expect.objectContaining({ code: 'bad_parameter' });
    expect(() => withCursor(request, writeCursor(request, ['/x', '/y'], 5))).toThrow(refused);
    for (const text of ['', 'x', cursor.slice(1), `${cursor.slice(0, -3)}AAA`])
      expect(() => withCursor(request, text)).toThrow(refused);
    expect(() => withCursor(buildSearchRequest({ page: 1, q: 'letters' }, { now: 0 }), cursor)).toThrow(refused);
    expect(() =>
      withCursor(buildSearchRequest({ page: 1, q: 'letter', sort: 'title_sort asc' }, { now: 0 }), cursor),
    ).toThrow(refused);
    expect(() => withCursor(buildSearchRequest({ page: 1, sort: 'score desc' }, { now: 0 }), '*')).toThrow(refused);
  });
});
