// Facets that are answered from counts kept with every write: equal to counting documents one by one, whatever was written, by whomever they are asked.
import { seededRandom } from '#test/support/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import type { FacetCounts } from '#domain/search/reply/page.ts';
import { copyTypes } from '#domain/search/documents/public-copy.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import type { Reader } from '#store/connection/database.ts';
import { migrate } from '#store/set-up/migrate.ts';
import type { Visibility } from '#store/search/port.ts';
import { toScopeCondition } from '#store/search/postgres/conditions.ts';
import { countFacets, countsOfScopes } from '#store/search/postgres/facets.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { foldCounts } from '#store/search/postgres/facet-counts.ts';
import { column } from '#store/connection/columns.ts';
import { AnyRow, PlanRow } from '#test/support/rows.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import type { Query } from '#store/connection/sql.ts';
import { markSuppressed, nothingHidden } from '#test/support/index-contents.ts';
import { createDatabase, withoutTemplate } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { indexDocuments, removeDocuments } from '#test/support/index-documents.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 4 });
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server.drop();
});

const times = {
  create_time: '2026-01-02T03:04:05Z',
  system_mtime: '2026-01-02T03:04:05Z',
  user_mtime: '2026-01-02T03:04:05Z',
};
const fields = ['types', 'primary_type', 'repository', 'level', 'subjects', 'publish', 'suppressed'];

/** Numbers from 0 up to `below`, the same for a seed. */
function randomFrom(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

/** A record of some random state: unpublished, suppressed, with parts that the public does not see. */
function randomRecord(pick: (below: number) => number): readonly [kind: string, record: JsonObject] {
  const id = 1 + pick(60);
  const repoId = 2 + (id % 3);
  const common = {
    publish: pick(3) > 0,
    suppressed: pick(8) === 0,
    level: ['file', 'item', 'series'][pick(3)] ?? 'file',
    subjects: Array.from({ length: pick(3) }, (_, n) => ({
      ref: `/subjects/${n}`,
      _resolved: { title: `Topic ${pick(9)}`, publish: true },
    })),
    notes:
      pick(2) === 0
        ? [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: pick(2) === 0, content: ['words'] }]
        : [],
    ...times,
  };
  switch (pick(4)) {
    case 0:
      return [
        'resource',
        {
          uri: `/repositories/${repoId}/resources/${id}`,
          jsonmodel_type: 'resource',
          repository: { ref: `/repositories/${repoId}` },
          title: 'Papers',
          id_0: `R${id}`,
          ...common,
        },
      ];
    case 1:
      return [
        'agent_person',
        {
          uri: `/agents/people/${id}`,
          jsonmodel_type: 'agent_person',
          display_name: { sort_name: 'Zinn' },
          is_user: pick(2) === 0 ? '/users/1' : null,
          ...common,
        },
      ];
    default:
      return [
        'archival_object',
        {
          uri: `/repositories/${repoId}/archival_objects/${id}`,
          jsonmodel_type: 'archival_object',
          repository: { ref: `/repositories/${repoId}` },
          title: 'Letter',
          ref_id: `r${id}`,
          ...common,
        },
      ];
  }
}

const visibilities: readonly Visibility[] = [
  { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true },
  { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false },
  { repositories: [2, 3], mayNotSeeUnpublished: false, seesSuppressed: [3] },
  { repositories: [], mayNotSeeUnpublished: false, seesSuppressed: false },
  { repositories: 'all', mayNotSeeUnpublished: true, seesSuppressed: false },
  { repositories: [4], mayNotSeeUnpublished: true, seesSuppressed: false },
];

const Row = z.strictObject({
  audience: column.int,
  published: column.bool,
  suppressed: column.bool,
  repo_id: column.maybeInt,
  hidden: z.array(z.strictObject({ reach: z.string(), repo_id: z.number() })),
  values: z.array(z.tuple([column.text, column.text])),
});
type Row = z.infer<typeof Row>;

/** All documents as they are, with their facet values. */
function readRows(database: Database): Promise<readonly Row[]> {
  return database.reader.any(sql.type(Row)`
    SELECT d.audience, d.published, d.suppressed, d.repo_id,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('reach', h.reach, 'repo_id', h.repo_id)), '[]') FROM search_hidden h WHERE h.kind = d.kind AND h.id = d.record_id) AS hidden,
      (SELECT coalesce(jsonb_agg(jsonb_build_array(v.field, v.value)), '[]') FROM search_value v WHERE v.id = ANY(d.vals)) AS values FROM search_doc d`);
}

function isVisible(row: Row, { repositories, mayNotSeeUnpublished, seesSuppressed }: Visibility): boolean {
  const isForCaller = mayNotSeeUnpublished ? row.audience !== 1 && row.published : row.audience !== 2;
  const isInRepository = repositories === 'all' || row.repo_id === null || repositories.includes(row.repo_id);
  const isShown =
    !row.suppressed ||
    seesSuppressed === true ||
    (seesSuppressed !== false && row.repo_id !== null && seesSuppressed.includes(row.repo_id));
  const isHidden = row.hidden.some(({ reach, repo_id: repoId }) => {
    if (reach === 'public') return mayNotSeeUnpublished;
    if (reach === 'repository') return repositories !== 'all' && !repositories.includes(repoId);
    return (
      reach === 'all' || !(seesSuppressed === true || (seesSuppressed !== false && seesSuppressed.includes(repoId)))
    );
  });
  return isForCaller && isInRepository && isShown && !isHidden;
}

/** The facets of some documents, counted one by one; `types`: only documents of one of these. */
function countOneByOne(
  rows: readonly Row[],
  visibility: Visibility,
  types: readonly string[],
): { readonly total: number; readonly facets: readonly FacetCounts[] } {
  const valuesOf = (row: Row): readonly (readonly [string, string])[] =>
    visibility.mayNotSeeUnpublished && row.audience === 3
      ? [...row.values, ...copyTypes.map((type): readonly [string, string] => ['types', type])]
      : row.values;
  const found = rows
    .filter((row) => isVisible(row, visibility))
    .map(valuesOf)
    .filter(
      (values) => types.length === 0 || values.some(([field, value]) => field === 'types' && types.includes(value)),
    );
  const facets = fields.map((field): FacetCounts => {
    const counts = new Map<string, number>();
    for (const values of found)
      for (const [name, value] of values) if (name === field) counts.set(value, (counts.get(value) ?? 0) + 1);
    return { field, counts: [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)) };
  });
  return { total: found.length, facets };
}

async function asked(
  database: Database,
  visibility: Visibility,
  types: readonly string[],
): Promise<{ readonly total: number; readonly facets: readonly FacetCounts[] }> {
  const request = buildSearchRequest(
    { page: 1, q: '*:*', facet: fields, facet_mincount: 1, type: [...types] },
    { now: 0 },
  );
  const { total, facets } = await postgresSearch(database).search(request, visibility);
  return { total, facets };
}

async function expectExact(database: Database): Promise<void> {
  const rows = await readRows(database);
  for (const visibility of visibilities) {
    for (const types of [[], ['archival_object'], ['agent_with_user', 'resource'], ['pui']]) {
      expect(await asked(database, visibility, types), JSON.stringify({ visibility, types })).toEqual(
        countOneByOne(rows, visibility, types),
      );
    }
  }
}

async function writeSome(pick: (below: number) => number): Promise<void> {
  switch (pick(8)) {
    case 0:
      return removeDocuments(
        database,
        [1, 2, 3].map(() => `/repositories/${2 + pick(3)}/archival_objects/${1 + pick(60)}`),
      );
    case 1:
      await database.transaction((tx) => markSuppressed(tx, 'archival_object', [1 + pick(60), 1 + pick(60)]));
      return;
    case 3:
      // Hidden from some, or shown again, whether there is a document of it or not.
      await database.transaction((tx) =>
        pick(5) === 0
          ? tx.run(sql`DELETE FROM search_hidden`)
          : tx.run(sql`INSERT INTO search_hidden (kind, id, reach, repo_id) SELECT (ARRAY['archival_object', 'resource'])[1 + ${pick(2)}::int], ${1 + pick(60)}::int,
              (ARRAY['all', 'public', 'suppressed', 'repository'])[1 + ${pick(4)}::int], ${2 + pick(3)}::int`),
      );
      return;
    case 2:
      return foldCounts(database);
    default: {
      const records = new Map(
        Array.from({ length: 1 + pick(6) }, () => randomRecord(pick)).map((one) => [one[1]['uri'], one]),
      );
      return indexDocuments(
        database,
        [...records.values()].flatMap(([kind, record]) => toSearchDocuments(kind, record)),
        1,
      );
    }
  }
}

test.each([1, 2, 3])(
  'facets of everything equal counting one by one after random writes, removals, suppressions and folding (seed %i)',
  async (seed) => {
    const pick = randomFrom(seed);
    for (let round = 0; round < 4; round++) {
      for (let write = 0; write < 6; write++) await writeSome(pick);
      await expectExact(database);
    }
  },
);

test('facets of everything equal counting one by one while writers and two folders work beside each other', async () => {
  const writers = [11, 12].map(async (seed) => {
    const pick = randomFrom(seed);
    // Each with records of its own, as batches of the indexer have.
    for (let n = 0; n < 25; n++) {
      const records = new Map(
        Array.from({ length: 4 }, () => 100 * seed + pick(20)).map((id) => [
          id,
          [
            'subject',
            {
              uri: `/subjects/${id}`,
              jsonmodel_type: 'subject',
              title: `Topic ${id}`,
              terms: [],
              publish: pick(2) === 0,
              is_linked_to_published_record: true,
              ...times,
            },
          ] as const,
        ]),
      );
      await indexDocuments(
        database,
        [...records.values()].flatMap(([kind, record]) => toSearchDocuments(kind, record)),
        1,
      );
      if (pick(3) === 0) await removeDocuments(database, [`/subjects/${100 * seed + pick(20)}`]);
    }
  });
  const folders = [1, 2].map(async () => {
    for (let n = 0; n < 20; n++) await foldCounts(database);
  });
  await Promise.all([...writers, ...folders]);
  await expectExact(database);
});

test('facets of everything are nothing where all was taken out, and folding leaves no counts behind', async () => {
  await database.transaction((tx) => tx.run(sql`DELETE FROM search_doc`));
  await expectExact(database);
  await foldCounts(database);
  expect(
    await database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*) FROM search_tally) AS late, (SELECT count(*) FROM search_count) AS counts`),
  ).toEqual({ late: 0, counts: 0 });
});

test('facets of everything look at no document', async () => {
  const visibility = { repositories: [2, 3], mayNotSeeUnpublished: true, seesSuppressed: false };
  const condition = toScopeCondition(visibility, nothingHidden);
  const asked: Query[] = [];
  const reader: Reader = {
    ...database.reader,
    any: (query) => {
      asked.push(query);
      return Promise.resolve([]);
    },
  };
  await countFacets(reader, fields, countsOfScopes(fields, { condition, hidden: null }), copyTypes);
  const plans = await database.transaction(async (tx) => {
    const rows = [];
    for (const query of asked)
      rows.push(...(await tx.any({ sql: `EXPLAIN ${toStatement(query)}`, values: query.values, parser: PlanRow })));
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plans).toMatch(/ on search_count /);
  expect(plans).toMatch(/ on search_tally /);
  expect(plans).not.toMatch(/search_doc/);
});

test('what was indexed before counts were kept is counted when they are introduced', async () => {
  await using empty = await withoutTemplate();
  const migrations = new URL('../../../../../db/migrations', import.meta.url);
  await migrate(empty.url, migrations, '0018');
  await using older = new Database({ url: empty.url, poolSize: 2 });
  const pick = randomFrom(4);
  const records = new Map(Array.from({ length: 40 }, () => randomRecord(pick)).map((one) => [one[1]['uri'], one]));
  await indexDocuments(
    database,
    [...records.values()].flatMap(([kind, record]) => toSearchDocuments(kind, record)),
    1,
  );
  // Rows as the columns of that time hold them.
  for (const table of ['search_value', 'search_doc']) {
    const { rows } = await database.reader.one(sql.type(z.strictObject({ rows: column.text }))`
      SELECT json_agg(t)::text AS rows FROM ${sql.identifier([table])} AS t`);
    await older.transaction((tx) =>
      tx.run(
        sql`INSERT INTO ${sql.identifier([table])} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${sql.identifier([table])}, ${rows}::json)`,
      ),
    );
  }
  await migrate(empty.url, migrations);
  await expectExact(older);
  await foldCounts(older);
  await expectExact(older);
});

test('a truncated index has no counts', async () => {
  await database.transaction((tx) => tx.run(sql`TRUNCATE search_doc, search_body`));
  await expectExact(database);
});
