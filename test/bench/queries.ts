// Queries as people send them, on a million documents: the real finding aids (or made ones, where these are absent) indexed once and
// laid beside each other until there are enough. Each kind of query is held against the very statements it compiles to, sent by one
// bare connection.
import pg from 'pg';
import { z } from 'zod';
import { kinds } from '#domain/kinds/index.ts';
import { isCommon } from '#domain/search/documents/neighbours.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { renewOldIndex } from '#store/search/document-version.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { foldCounts } from '#store/search/postgres/facet-counts.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { startIndexer, untilIndexed } from '../support/indexer.ts';
import { realDataFolder } from '../support/real-data.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import { indexFindingAids } from './search/finding-aids.ts';
import { seedImport } from './search/seeded-import.ts';

const wanted = Number(process.env['BENCH_DOCUMENTS'] ?? 1_000_000);
const times = Number(process.env['BENCH_ROUNDS'] ?? 30);
const visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false } as const;

/** Measures on a PostgreSQL of its own, made and removed here. Laying out a million documents takes some minutes and 6 GB. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 1_800_000 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    // Says that documents have the present form, as a worker does that starts on an empty index.
    await renewOldIndex(database);
    await plant(database);
    const documents = await lieBeside(database);
    // As the indexer does every few seconds.
    await foldCounts(database);
    await database.withClient(async (client) =>
      client.query('VACUUM (ANALYZE) search_count, search_scope, search_tally'),
    );
    const rows: BenchRow[] = [{ name: 'documents in the index', value: documents, unit: 'documents' }];
    for (const [name, ask] of Object.entries(await queriesOf(database)))
      rows.push(...(await measured(database, url, name, ask)));
    return rows;
  });
}

/** The real finding aids, or made records where these are absent, indexed. */
export async function plant(database: Database): Promise<void> {
  const folder = realDataFolder();
  if (folder !== undefined) return void (await indexFindingAids(database, folder));
  await seedImport(database, 100_000);
  await using _indexer = await startIndexer(database);
  await untilIndexed(database, 1_800_000, 100);
}

/** Copies what is indexed under other ids until there is enough, with the indexes made at the end. Gives the number of documents. */
export async function lieBeside(database: Database): Promise<number> {
  const { n, step } = await database.reader.one(sql.type(z.strictObject({ n: column.int, step: column.int }))`
    SELECT count(*) AS n, max(no) AS step FROM search_doc`);
  const copies = Math.max(1, Math.ceil(wanted / n));
  const columns = (
    await database.reader.any(sql.type(z.strictObject({ name: column.text }))`
      SELECT attname AS name FROM pg_attribute WHERE attrelid = 'search_doc'::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('no', 'id', 'uri', 'record_id') ORDER BY attnum`)
  ).map(({ name }) => sql.identifier([name]));
  const others = sql.join(columns, sql.fragment`, `);
  const indexes = await database.reader.any(sql.type(z.strictObject({ definition: column.text, name: column.text }))`
    SELECT indexdef AS definition, indexname AS name FROM pg_indexes WHERE tablename = 'search_doc' AND indexname <> 'search_doc_pkey'`);
  await database.transaction(async (tx) => {
    for (const { name } of indexes) await tx.client.query(`DROP INDEX ${name}`);
    const numbers = sql.fragment`generate_series(1, ${copies - 1}::int) AS k`;
    await tx.run(
      sql`INSERT INTO search_doc (no, id, uri, record_id, ${others}) OVERRIDING SYSTEM VALUE SELECT no + k * ${step}::bigint, id || '/' || k, uri || '/' || k, record_id + k * 10000000, ${others} FROM search_doc, ${numbers}`,
    );
    await tx.run(
      sql`INSERT INTO search_body (no, stored, echo, targets) SELECT no + k * ${step}::bigint, stored, echo, targets FROM search_body, ${numbers}`,
    );
    await tx.run(sql`UPDATE search_lexeme SET df = df * ${copies}`);
    await tx.client.query("SET LOCAL maintenance_work_mem = '1GB'");
    for (const { definition } of indexes) await tx.client.query(definition);
  });
  // VACUUM takes no transaction, and the statistics must know the new size before anything is measured.
  await database.withClient(async (client) => client.query('VACUUM (ANALYZE) search_doc, search_body, search_lexeme'));
  return n * copies;
}

type Ask = (n: number) => SearchParameters;

/** Kinds of queries, of words that as many documents have as people's words do: from one in 3,000 to one in 50, and the commonest. */
async function queriesOf(database: Database): Promise<{ readonly [name: string]: Ask }> {
  const { total } = await database.reader.one(sql.type(z.strictObject({ total: column.int }))`
    SELECT count(*) AS total FROM search_doc`);
  const some = await database.reader.any(sql.type(z.strictObject({ word: column.text }))`
    SELECT word FROM search_lexeme WHERE word ~ '^[a-z]{5,}$' AND df BETWEEN ${Math.floor(total / 3000)} AND ${Math.floor(total / 50)} ORDER BY md5(word) LIMIT 300`);
  const common = await database.reader.any(sql.type(z.strictObject({ word: column.text }))`
    SELECT word FROM search_lexeme WHERE word ~ '^[a-z]{3,}$' ORDER BY df DESC LIMIT 2`);
  const wordAt = (n: number): string => some[n % some.length]?.word ?? 'letters';
  const tenth = await database.reader.maybeOne(sql.type(z.strictObject({ word: column.text }))`
    SELECT word FROM search_lexeme WHERE word ~ '^[a-z]{4,}$' AND df < ${Math.floor(total / 9)} ORDER BY df DESC LIMIT 1`);
  const often = await database.reader.any(sql.type(z.strictObject({ word: column.text }))`
    SELECT word FROM search_lexeme WHERE word ~ '^[a-z]{3,}$' ORDER BY df DESC LIMIT 200`);
  const unlisted = often
    .map(({ word }) => word)
    .filter((word) => !isCommon(word))
    .slice(0, 2)
    .join(' ');
  const facets = ['subjects', 'creators', 'primary_type'];
  // Pairs that stand beside each other in a document, so that phrases find something.
  const titles = await database.reader.any(sql.type(z.strictObject({ title: column.text }))`
    SELECT b.stored->>'title' AS title FROM search_body b WHERE b.no % 97 = 0 AND b.stored->>'title' ~ '^[A-Za-z]{4,} [A-Za-z]{4,}' ORDER BY no LIMIT 300`);
  const phraseAt = (n: number): string =>
    (titles[n % titles.length]?.title ?? 'annual report').split(' ').slice(0, 2).join(' ');
  const commonWords = common.map(({ word }) => word).join(' ');
  return {
    'one word': (n) => ({ page: 1, q: wordAt(n) }),
    'two words': (n) => ({ page: 1, q: `${wordAt(n)} ${wordAt(n + 31)}` }),
    'three words': (n) => ({ page: 1, q: `${wordAt(n)} ${wordAt(n + 31)} ${wordAt(n + 77)}` }),
    'two words in all their forms (stem=en)': (n) => ({ page: 1, q: `${wordAt(n)} ${wordAt(n + 31)}`, stem: 'en' }),
    'one word, three facets, sorted by title': (n) => ({
      page: 1,
      q: wordAt(n),
      facet: facets,
      sort: 'title_sort asc',
    }),
    'a phrase': (n) => ({ page: 1, q: `"${phraseAt(n)}"` }),
    'a prefix, three facets, sorted by title': (n) => ({
      page: 1,
      q: `${wordAt(n).slice(0, 5)}*`,
      facet: facets,
      sort: 'title_sort asc',
    }),
    'all documents, three facets': () => ({ page: 1, q: '*:*', facet: facets }),
    'all documents of a type, three facets': () => ({ page: 1, q: '*:*', type: ['archival_object'], facet: facets }),
    // What counts of scopes cannot say, and matches most documents all the same.
    [`a word of about one document in ten ("${tenth?.word}"), three facets`]: () => ({
      page: 1,
      q: tenth?.word ?? 'papers',
      facet: facets,
    }),
    [`the commonest word ("${common[0]?.word}"), three facets`]: () => ({
      page: 1,
      q: common[0]?.word ?? 'letters',
      facet: facets,
    }),
    [`the phrase of the two commonest words ("${commonWords}")`]: () => ({ page: 1, q: `"${commonWords}"` }),
    'a phrase of common words that many documents have ("of the")': () => ({ page: 1, q: '"of the"' }),
    // Common here, and not in the list of common words (neighbours.ts): every vector with both is read.
    [`the phrase of the commonest words that are not listed ("${unlisted}")`]: () => ({ page: 1, q: `"${unlisted}"` }),
  };
}

async function measured(database: Database, url: string, name: string, ask: Ask): Promise<readonly BenchRow[]> {
  const search = (n: number): Promise<unknown> =>
    postgresSearch(database).search(buildSearchRequest(ask(n), { now: 0 }), visibility);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const [ours, bare]: [number[], number[]] = [[], []];
    const first = await timed(() => search(0));
    for (let n = 0; n < times; n++) {
      const statements = await statementsOf(() => search(n));
      // Turn about; the first reading above has warmed what both read.
      ours.push(await timed(() => search(n)));
      bare.push(
        await timed(async () => {
          for (const statement of statements) await client.query(statement);
        }),
      );
    }
    const [value, baseline] = [p95(ours), p95(bare)];
    return [
      ...(name.startsWith('all documents')
        ? [{ name: `${name}: the first time`, value: rounded(first), unit: 'ms' }]
        : []),
      {
        name: `${name}: p95 of ${times}`,
        value: rounded(value),
        unit: 'ms',
        baseline: rounded(baseline),
        ratio: rounded(value / baseline),
        target: 1.5,
        pass: value / baseline <= 1.5,
      },
    ];
  } finally {
    await client.end();
  }
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The statements that some work sends, in order, as connections were given them. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly pg.QueryConfig[]> {
  const seen: pg.QueryConfig[] = [];
  const { query } = pg.Client.prototype;
  const watched = function watched(this: pg.Client, ...given: readonly unknown[]): unknown {
    const [statement] = given;
    if (typeof statement === 'string') seen.push({ text: statement });
    // What the pool sends for us are plain configurations.
    else if (typeof statement === 'object' && statement !== null && 'text' in statement)
      seen.push({ ...(statement as pg.QueryConfig) });
    return Reflect.apply(query, this, given);
  };
  Object.assign(pg.Client.prototype, { query: watched });
  try {
    await work();
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
  return seen;
}

if (import.meta.main) console.table(await run());
