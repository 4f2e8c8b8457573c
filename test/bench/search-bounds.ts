// How long a search may hold the database: every question that callers can put to the index, and patterns that are meant to be dear. Each is held
// against the second that none of them may take, whatever is asked; with the limit of searches as it is unless an operator changes it, as it is asked the first time, beside
// what it would take without one (BENCH_WHOLE=0 leaves that out). What is stopped is then asked again, as others do soon afterwards. On the documents of queries.ts; BENCH_DOCUMENTS says how many (a million); with
// BENCH_DATABASE_URL on those of a database that is there and indexed.
import { kinds } from '#domain/kinds/index.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { Failure } from '#domain/errors.ts';
import { withCursor } from '#domain/search/reply/cursor.ts';
import { readTyped } from '#domain/search/suggesting/typeahead.ts';
import { Database } from '#store/connection/database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { renewOldIndex } from '#store/search/document-version.ts';
import { foldCounts } from '#store/search/postgres/facet-counts.ts';
import type { SearchPort } from '#store/search/port.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { z } from 'zod';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { lieBeside, plant } from './queries.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const mostMs = 1000;
// MUNIMENT_SEARCH_LIMIT_MS, unless told.
const limitMs = 900;
const measuresWhole = process.env['BENCH_WHOLE'] !== '0';

/** Measures on a PostgreSQL of its own, made and removed here, or on the database that is named. */
export async function run(): Promise<readonly BenchRow[]> {
  const existing = process.env['BENCH_DATABASE_URL'];
  if (existing !== undefined) {
    await using database = new Database({ url: existing, poolSize: 4, statementTimeoutMs: 1_800_000 });
    return [await sizeRow(database), ...(await measure(database))];
  }
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 1_800_000 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    await renewOldIndex(database);
    await plant(database);
    await lieBeside(database);
    await nameAtEnd(database);
    await foldCounts(database);
    await database.withClient(async (client) =>
      client.query('VACUUM (ANALYZE) search_count, search_scope, search_tally'),
    );
    return [await sizeRow(database), ...(await measure(database))];
  });
}

async function sizeRow(database: Database): Promise<BenchRow> {
  const { n } = await database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM search_doc`);
  return { name: 'documents in the index', value: n, unit: 'documents' };
}

const agent = '/agents/people/2000000000';

/** Has the tenth of the documents that came last name one agent: written again, with the statistics of before. */
async function nameAtEnd(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.run(sql`
      UPDATE search_doc SET tsv = tsv || array_to_tsvector(ARRAY[${`x=agent_uris=${agent}`}::text])
      WHERE no > (SELECT no FROM search_doc ORDER BY no DESC OFFSET (SELECT count(*) / 10 FROM search_doc) LIMIT 1)`),
  );
}

/** Measures each question: the median of some rounds, after one that is not counted. */
async function measure(database: Database): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  const first = await questions(database, postgresSearch(database, { limitMs, remembers: false }));
  const again = await questions(database, postgresSearch(database, { limitMs }));
  const whole = await questions(database, postgresSearch(database));
  for (const [name, ask] of first) {
    const limited = await timesOf(ask);
    const unlimited = measuresWhole ? await timesOf(whole.get(name) ?? ask) : undefined;
    rows.push(toRow(name, limited, unlimited && medianOf(unlimited.times)));
    if (limited.told !== '') rows.push(toRow(`${name}, again`, await timesOf(again.get(name) ?? ask)));
  }
  return rows;
}

type Asked = { readonly times: readonly number[]; readonly told: string };

async function timesOf(ask: () => Promise<string>): Promise<Asked> {
  const times: number[] = [];
  let told = '';
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now();
    told = await ask();
    if (round > 0) times.push(performance.now() - started);
  }
  return { times, told };
}

function toRow(name: string, { times, told }: Asked, whole?: number): BenchRow {
  const value = medianOf(times);
  console.warn(`  ${rounded(value)} ms ${name}${told === '' ? '' : `: ${told}`}`);
  return {
    name: `${name}${told === '' ? '' : ` (${told})`}`,
    value: rounded(value),
    unit: 'ms',
    ...(whole === undefined ? {} : { baseline: rounded(whole) }),
    target: mostMs,
    pass: Math.max(...times) <= mostMs,
  };
}

/** What is asked of `port`, by name. Each gives what the reply tells of its limits; empty where it is whole. */
async function questions(database: Database, port: SearchPort): Promise<ReadonlyMap<string, () => Promise<string>>> {
  const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false } as const;
  const reader = { repositories: [1], mayNotSeeUnpublished: true, seesSuppressed: false } as const;
  const common = (
    await database.reader.any(sql.type(z.strictObject({ word: column.text }))`
      SELECT word FROM search_lexeme WHERE word ~ '^[a-z]{3,}$' ORDER BY df DESC LIMIT 60`)
  ).map(({ word }) => word);
  const [first = 'letters', second = 'papers'] = common;
  const facets = ['subjects', 'creators', 'primary_type'];
  const all = [...facets, 'level', 'repository', 'types', 'published_agents', 'langcode', 'agents', 'years'];
  const told = async (work: () => Promise<string>): Promise<string> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure && error.code !== 'internal')
        return error.code === 'search_stopped' ? error.code : `${error.code}: ${error.message.slice(0, 80)}`;
      throw error;
    }
  };
  const search =
    (parameters: Partial<SearchParameters>, visibility: typeof staff | typeof reader = staff) =>
    () =>
      told(async () => {
        const request = buildSearchRequest({ page: 1, ...parameters }, { now: 0 });
        const { warnings = [] } = await port.search(request, visibility);
        return warnings.map(({ code }) => code).join(', ');
      });
  const walk =
    (sort: string, parameters: Partial<SearchParameters> = { q: first }) =>
    () =>
      told(async () => {
        await port.search(withCursor(buildSearchRequest({ page: 1, ...parameters, sort }, { now: 0 }), '*'), staff);
        return '';
      });
  const ofAgent = { filter_term: [JSON.stringify({ agent_uris: agent })] };
  const titles = (q: string) => () =>
    told(async () => {
      await port.suggestTitles({ typed: readTyped(q), types: [], limit: 10 }, staff);
      return '';
    });
  const asked: { readonly [name: string]: () => Promise<string> } = {
    'everything, three facets': search({ q: '*:*', facet: facets }),
    'everything, ten facets, for the public': search({ q: '*:*', facet: all }, reader),
    [`the commonest word ("${first}")`]: search({ q: first }),
    [`the commonest word, three facets`]: search({ q: first, facet: facets }),
    'the commonest word, ten facets with values of no document': search({ q: first, facet: all, facet_mincount: 0 }),
    'the commonest word, three facets, for the public': search({ q: first, facet: facets }, reader),
    'the commonest word, page 10,000 by relevance': search({ q: first, page: 10_000 }),
    'everything, page 20,000': search({ q: '*:*', page: 20_000 }),
    'everything by title': search({ q: '*:*', sort: 'title_sort asc' }),
    'everything by title, backwards': search({ q: '*:*', sort: 'title_sort desc' }),
    'everything by change, backwards': search({ q: '*:*', sort: 'user_mtime desc' }),
    'everything by creation, backwards': search({ q: '*:*', sort: 'create_time desc' }),
    'everything by identifier': search({ q: '*:*', sort: 'identifier asc' }),
    'everything by level, then title': search({ q: '*:*', sort: 'level asc, title_sort desc' }),
    'the commonest word by title, backwards': search({ q: first, sort: 'title_sort desc' }),
    'the commonest word by change, backwards': search({ q: first, sort: 'user_mtime desc' }),
    'the commonest word by identifier, page 1,000': search({ q: first, sort: 'identifier asc', page: 1000 }),
    'the commonest word by creation, then relevance': search({ q: first, sort: 'create_time desc, score desc' }),
    'a walk through the commonest word by identifier': walk('identifier asc'),
    'what names an agent, the tenth that came last': search(ofAgent),
    'what names that agent, page 1,000': search({ ...ofAgent, page: 1000 }),
    'what names that agent by title': search({ ...ofAgent, sort: 'title_sort asc' }),
    'what names that agent by title, backwards': search({ ...ofAgent, sort: 'title_sort desc' }),
    'what names that agent by change': search({ ...ofAgent, sort: 'user_mtime asc' }),
    'what names that agent by creation, backwards': search({ ...ofAgent, sort: 'create_time desc' }),
    'what names that agent, with the commonest word': search({ ...ofAgent, q: first }),
    'what names that agent, three facets': search({ ...ofAgent, facet: facets }),
    'a walk through what names that agent by title': walk('title_sort asc', ofAgent),
    'a leading star (*tion)': search({ q: '*tion' }),
    'a leading star, three facets (*tion)': search({ q: '*tion', facet: facets }),
    'stars on both sides (*at*)': search({ q: '*at*' }),
    'a star behind two letters (co*)': search({ q: 'co*', facet: facets }),
    'two letters in any place (c?r*s)': search({ q: 'c?r*s' }),
    'a star in each of eight words': search({ q: 'co* OR pr* OR re* OR in* OR de* OR un* OR st* OR ma*' }),
    'three leading stars, any of them': search({ q: '*tions OR *ings OR *ness' }),
    'nothing but a star (*)': search({ q: '*' }),
    'a regular expression (/.*tion/)': search({ q: '/.*tion/' }),
    'two letters off (corespondance~2)': search({ q: 'corespondance~2' }),
    'ten words, each two letters off': search({
      q: common
        .slice(0, 10)
        .map((word) => `${word}x~2`)
        .join(' OR '),
    }),
    'any of the sixty commonest words': search({ q: common.join(' OR ') }),
    'any of the sixty commonest words, three facets': search({ q: common.join(' OR '), facet: facets }),
    'all of the ten commonest words': search({ q: common.slice(0, 10).join(' ') }),
    'the phrase of the two commonest words': search({ q: `"${first} ${second}"` }),
    'the phrase of the twelve commonest words within 20 places': search({ q: `"${common.slice(0, 12).join(' ')}"~20` }),
    'the two commonest words within 10 places': search({ q: `"${first} ${second}"~10` }),
    'three common words within 200 places': search({ q: `"${common.slice(0, 3).join(' ')}"~200` }),
    'everything but the commonest word': search({ q: `-${first}`, facet: facets }),
    'a range of all years': search({ q: 'years:[1 TO 2100]', facet: facets }),
    'a range of texts (level:[a TO z])': search({ q: 'level:[a TO z]', facet: facets }),
    'words in all their forms': search({ q: common.slice(0, 12).join(' OR '), stem: 'en' }),
    'other spellings of a word that nobody wrote': search({ q: 'zzyzxqwv', did_you_mean: true }),
    'other spellings of four words that nobody wrote': search({
      q: 'corespondanze fotographz lettrzs zqxjkv',
      did_you_mean: true,
    }),
    'other spellings beside the commonest word': search({ q: `${first} zzyzxqwv`, did_you_mean: true }, reader),
    'the commonest word, marked, with the reasons of its order': search({ q: first, hl: true, explain: true }),
    'titles while typing (a)': titles('a'),
    'titles while typing (co)': titles('co'),
    'titles while typing (eight common beginnings)': titles('co le pr re in de un st'),
    'types by repository': () =>
      told(async () => {
        await port.countTypes(['archival_object', 'resource', 'accession', 'subject', 'pui'], reader);
        return '';
      }),
    'documents of 250 records': () =>
      told(async () => {
        const uris = Array.from({ length: 250 }, (_, n) => `/repositories/1/archival_objects/${n * 7}`);
        await port.read(uris, staff);
        return '';
      }),
  };
  return new Map(Object.entries(asked));
}

if (import.meta.main) console.table(await run());
