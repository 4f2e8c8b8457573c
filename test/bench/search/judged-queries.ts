// How good the order of what is found is: queries over the real finding aids of which it was judged what answers them.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { StemChoice } from '#domain/search/query/stemming.ts';
import type { Database } from '#store/connection/database.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { realDataFolder } from '../../support/real-data.ts';
import type { BenchRow } from '../bench.ts';
import type { Place } from './finding-aids.ts';
import { indexFindingAids } from './finding-aids.ts';

/** A question, and which documents answer it how well. */
export type Judged = {
  readonly q: string;
  readonly why: string;
  readonly judged: readonly { readonly file: string; readonly n: number; readonly grade: number }[];
  readonly rule: { readonly [grade: string]: readonly (readonly [string, string, number | null])[] };
};

/** nDCG@10 of judged queries over the real finding aids; nothing where these are absent. */
export async function quality(database: Database): Promise<BenchRow[]> {
  const folder = realDataFolder();
  const judgedFile = resolve(import.meta.dirname, '../../../../shared/design/search-judged.json');
  if (folder === undefined || !existsSync(judgedFile)) {
    console.warn(
      `SKIPPED: ranking is not judged, for want of ${folder === undefined ? 'the real finding aids' : judgedFile}`,
    );
    return [];
  }
  const { queries }: { readonly queries: readonly Judged[] } = JSON.parse(readFileSync(judgedFile, 'utf8'));
  const places = await indexFindingAids(database, folder);
  const scores = await judge(database, queries, places, 'none');
  const inForms = await judge(database, queries, places, 'en');
  const worst = [...scores].sort((a, b) => a.score - b.score).filter(({ score }) => score < 0.9);
  for (const { query, score } of worst) console.warn(`  ${score.toFixed(3)} ${query.q} (${query.why})`);
  const meanOf = (some: readonly Score[]): number =>
    Math.round((some.reduce((sum, { score }) => sum + score, 0) / some.length) * 1000) / 1000;
  const mean = meanOf(scores);
  // Where a file could not be read, what is judged best for some queries is not in the index: told apart, not left out.
  const files = new Set([...places.values()].map(({ file }) => file));
  const readable = scores.filter(({ query }) =>
    query.judged.filter(({ grade }) => grade === 3).every(({ file }) => files.has(file)),
  );
  const keyed = scores.filter(
    ({ query }) => /identifier/.test(query.why) && query.judged.filter(({ grade }) => grade === 3).length === 1,
  );
  const missed = keyed.filter(({ query, first }) => gradeOf(query, first) !== 3);
  for (const { query } of missed) console.warn(`  identifier not first: ${query.q}`);
  return [
    { name: `nDCG@10 of all ${scores.length} judged queries`, value: mean, unit: '', target: 0.95, pass: mean >= 0.95 },
    { name: `nDCG@10 of the ${readable.length} whose best documents could be read`, value: meanOf(readable), unit: '' },
    {
      name: 'the same with words in all their forms (stem=en)',
      value: meanOf(inForms),
      unit: '',
      target: 0.95,
      pass: meanOf(inForms) >= 0.95,
    },
    {
      name: 'queries for one identifier that do not have it first',
      value: missed.length,
      unit: `of ${keyed.length}`,
      target: 0,
      pass: missed.length === 0,
    },
  ];
}

type Score = { readonly query: Judged; readonly score: number; readonly first: Place | undefined };

/** The scores of judged queries. */
async function judge(
  database: Database,
  queries: readonly Judged[],
  places: ReadonlyMap<string, Place>,
  stem: StemChoice,
): Promise<readonly Score[]> {
  const scores: Score[] = [];
  for (const query of queries) {
    const request = buildSearchRequest({ page: 1, q: query.q, filter_term: [] }, { now: Date.now(), stem });
    const { hits } = await postgresSearch(database).search(request, {
      repositories: 'all',
      mayNotSeeUnpublished: false,
      seesSuppressed: false,
    });
    const found = hits.map(({ id }) => places.get(id) ?? { file: '', n: -1, title: '' });
    scores.push({ query, score: ndcg(query, found), first: found[0] });
  }
  return scores;
}

/** nDCG@10 of what was found, with gain 2^grade - 1. */
export function ndcg(query: Judged, found: readonly Place[]): number {
  const gain = (grade: number, rank: number): number => (2 ** grade - 1) / Math.log2(rank + 2);
  const ideal = query.judged
    .map(({ grade }) => grade)
    .sort((a, b) => b - a)
    .slice(0, 10)
    .reduce((sum, grade, rank) => sum + gain(grade, rank), 0);
  const reached = found.slice(0, 10).reduce((sum, place, rank) => sum + gain(gradeOf(query, place), rank), 0);
  return ideal === 0 ? 1 : Math.min(1, reached / ideal);
}

// Lists were cut at 60 a grade; the rule behind them tells of the rest.
function gradeOf(query: Judged, place: Place | undefined): number {
  if (place === undefined) return 0;
  const listed = query.judged.find(({ file, n }) => file === place.file && n === place.n);
  if (listed !== undefined) return listed.grade;
  const title = place.title.normalize('NFD').replace(/\p{M}/gu, '');
  const isCut = (grade: number): boolean => query.judged.filter((one) => one.grade === grade).length >= 60;
  return (
    [3, 1].find(
      (grade) =>
        isCut(grade) &&
        (query.rule[grade] ?? []).some(
          ([file, pattern, n]) =>
            (file === '' || new RegExp(file).test(place.file)) &&
            (pattern === '' || new RegExp(pattern, 'i').test(title)) &&
            (n === null || n === place.n),
        ),
    ) ?? 0
  );
}
