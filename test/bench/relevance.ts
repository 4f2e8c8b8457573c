// How good the order of what is found is on questions of many kinds over the real finding aids, a half of which was set aside before the ranking was tuned: those
// made from titles by rules (judged/questions.json), and those judged by hand (judged/needs.json). nDCG@10 by kind, as searches are by default, with words in all their forms, and with relax.
import { readFileSync } from 'node:fs';
import { kinds } from '#domain/kinds/index.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { Database } from '#store/connection/database.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { renewOldIndex } from '#store/search/document-version.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { realDataFolder } from '../support/real-data.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer } from './bench.ts';
import type { Place } from './search/finding-aids.ts';
import { indexFindingAids } from './search/finding-aids.ts';
import type { Judged } from './search/judged-queries.ts';
import { ndcg } from './search/judged-queries.ts';

type Question = Omit<Judged, 'rule' | 'why'> & { readonly kind: string; readonly half: 'tuning' | 'set aside' };

const ways: { readonly [name: string]: Partial<SearchParameters> } = {
  'as by default': {},
  'stem=en': { stem: 'en' },
  'relax=true': { relax: true },
};

/** Measures on a PostgreSQL of its own; nothing where the real finding aids are absent. */
export async function run(): Promise<readonly BenchRow[]> {
  const folder = realDataFolder();
  if (folder === undefined) return [];
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 1_800_000 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    await renewOldIndex(database);
    return await judgeAll(database, await indexFindingAids(database, folder), ['tuning', 'set aside']);
  });
}

/** Judges each half by itself, on an index that is there. */
export async function judgeAll(
  database: Database,
  places: ReadonlyMap<string, Place>,
  halves: readonly Question['half'][],
): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [set, half] of ['by hand', 'by rules'].flatMap((one) => halves.map((other) => [one, other] as const))) {
    const questions = readQuestions(set === 'by hand' ? 'needs' : 'questions');
    for (const [way, parameters] of Object.entries(ways)) {
      const byKind = new Map<string, number[]>();
      for (const question of questions.filter((one) => one.half === half)) {
        const score = await scoreOf(database, places, question, parameters);
        byKind.set(question.kind, [...(byKind.get(question.kind) ?? []), score]);
      }
      const all = [...byKind.values()].flat();
      rows.push({ name: `${set}, ${half}, ${way}: all ${all.length}`, value: meanOf(all), unit: 'nDCG@10' });
      for (const [kind, scores] of byKind)
        rows.push({
          name: `${set}, ${half}, ${way}: ${kind} (${scores.length})`,
          value: meanOf(scores),
          unit: 'nDCG@10',
        });
    }
  }
  return rows;
}

function readQuestions(name: string): readonly Question[] {
  const { questions }: { readonly questions: readonly Question[] } = JSON.parse(
    readFileSync(new URL(`judged/${name}.json`, import.meta.url), 'utf8'),
  );
  return questions;
}

async function scoreOf(
  database: Database,
  places: ReadonlyMap<string, Place>,
  question: Question,
  parameters: Partial<SearchParameters>,
): Promise<number> {
  const request = buildSearchRequest({ page: 1, q: question.q, ...parameters }, { now: 0 });
  const { hits } = await postgresSearch(database, { limitMs: 60_000 }).search(request, {
    repositories: 'all',
    mayNotSeeUnpublished: false,
    seesSuppressed: false,
  });
  const found = hits.map(({ id }) => places.get(id) ?? { file: '', n: -1, title: '' });
  const score = ndcg({ why: '', ...question, rule: {} }, found);
  if (process.env['BENCH_TELL'] !== undefined && score < 0.7)
    console.warn(
      `  ${score.toFixed(2)} ${JSON.stringify(parameters)} ${question.q}: ${found
        .slice(0, 3)
        .map(({ title }) => title)
        .join(' | ')}`,
    );
  return score;
}

const meanOf = (scores: readonly number[]): number =>
  Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 1000) / 1000;

if (import.meta.main) console.table(await run());
