// Compiles a search that goes on with most of its words: which of them the index knows, what those may be that it does not know, and how documents with all
// of them come before the others. Two or three statements, each bounded.
import { compileQuery } from '#domain/search/query/compile.ts';
import type { CompiledQuery, ScoreTerm } from '#domain/search/query/compile.ts';
import { lexemes, matchAny, matchEvery } from '#domain/search/query/predicate.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import { citedTitles, leastOf, mostOf, toRelaxable } from '#domain/search/query/relax.ts';
import type { RelaxedWord } from '#domain/search/query/relax.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import { hasForms, withUmlauts } from '#domain/search/query/stemming.ts';
import { any, every, expansionsOf, toTsquery, word, wordsOf } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, LexemeQuery } from '#domain/search/query/tsquery.ts';
import type { RelaxedWords } from '#domain/search/reply/page.ts';
import { rankCandidates, toDistance } from '#domain/search/suggesting/suggest.ts';
import { z } from 'zod';
import type { Reader } from '../../connection/database.ts';
import { column, UnreadRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import { countDocuments, expandWords } from './expand.ts';
import { toWhole } from './conditions.ts';
import { readNear } from './suggest.ts';

// Words that one which nobody wrote may stand for.
const mostSpellings = 6;
const shortestMisspelt = 4;

/** A query with most of its words. `all`: the same with all of them as they were asked for; `words` is told to the caller. */
export type Relaxed = {
  readonly compiled: CompiledQuery;
  readonly all: LexemeQuery;
  readonly words: Omit<RelaxedWords, 'with_all'>;
};

/**
 * Compiles the query of a request for most of its words; `within`: the condition of what the caller may see and of the request's filters, which are all that limits
 * routes that are open to everybody. Null where it has no plain words, or none that is known.
 */
export async function compileRelaxed(
  reader: Reader,
  request: SearchRequest,
  within: Fragment,
): Promise<Relaxed | null> {
  if (request.query === undefined) return null;
  const parts = toRelaxable(request.query, request.stem);
  if (parts === undefined) return null;
  const { words, rest } = parts;
  const expanded = await expandWords(
    reader,
    words.flatMap(({ inForms }) => expansionsOf(inForms)),
  );
  const lexemesOf = (query: LexemeQuery): readonly string[] => wordsOf(query, expanded);
  const { counts } = await countDocuments(
    reader,
    words.flatMap(({ inForms }) => lexemesOf(inForms)),
  );
  // Whether the caller may know a word is told by documents that the caller could find; the list only weighs.
  const seen = await areSeen(
    reader,
    words.map(({ inForms }) => inForms),
    expanded,
    within,
  );
  const documentsOf = (one: RelaxedWord): number =>
    seen[words.indexOf(one)] === true ? Math.max(1, ...lexemesOf(one.inForms).map((text) => counts.get(text) ?? 0)) : 0;
  const unknown = words.filter((one) => documentsOf(one) === 0);
  const spelt = await readSpellings(reader, unknown, within);
  const known = words
    .flatMap((one) => {
      const documents = documentsOf(one);
      if (documents > 0) return [{ one, query: one.inForms, documents }];
      const others = spelt.get(one) ?? [];
      return others.length === 0 ? [] : [{ one, query: any(others.map(word)), documents: 1 }];
    })
    .sort((a, b) => a.documents - b.documents);
  if (known.length === 0) return null;
  const further = rest === undefined ? undefined : compileQuery(rest, request);
  const asUsual = compileQuery(request.query, request);
  const cited = citedTitles(words);
  const most = matchEvery([
    matchAny([lexemes(mostOf(known.map(({ query }) => query))), ...cited.map(hasTitle)]),
    ...(further?.predicate === undefined ? [] : [further.predicate]),
  ]);
  const { key, title } = asUsual;
  const scores = known.flatMap(({ one, query }): ScoreTerm[] => [
    { query, boost: 1, isConstant: false },
    // What nobody wrote as it was typed adds nothing.
    ...(query === one.inForms ? [{ query: one.typed, boost: 1, isConstant: false, isAsTyped: true as const }] : []),
  ]);
  return {
    compiled: {
      predicate: key === undefined ? most : matchAny([most, lexemes(word(key))]),
      scores: [...scores, ...(further?.scores ?? [])],
      ...(key === undefined ? {} : { key }),
      ...(title === undefined ? {} : { title }),
      cited,
      tier: toTsquery(every(known.map(({ query }) => query)), expanded),
    },
    all: every(words.map(({ asked }) => asked)),
    words: {
      at_least: leastOf(known.length),
      not_found: unknown.filter((one) => !spelt.has(one)).map(({ text }) => text),
      spelt: Object.fromEntries([...spelt].map(([{ text }, others]) => [text, [...others]])),
    },
  };
}

function hasTitle(title: string): Predicate {
  const bound = { value: title, isIncluded: true };
  return { kind: 'compare', column: 'title_sort', field: 'title_sort', from: bound, to: bound };
}

/** Whether any document that the caller could find fits each query. */
async function areSeen(
  reader: Reader,
  queries: readonly LexemeQuery[],
  expanded: ExpandedWords,
  within: Fragment,
): Promise<readonly boolean[]> {
  if (queries.length === 0) return [];
  const parts = queries.map(
    (query, place) =>
      sql.fragment`SELECT ${place}::int AS place, EXISTS (SELECT FROM (SELECT FROM search_doc d WHERE ${toWhole(lexemes(query), expanded, within)} LIMIT 1) AS one) AS seen`,
  );
  // As for other spellings, the planner would go through another index for the first one of few.
  await reader.any(sql.type(UnreadRow)`SELECT set_config('enable_indexscan', 'off', true)`);
  const rows = await reader.any(sql.type(SeenRow)`${sql.join(parts, sql.fragment` UNION ALL `)} ORDER BY place`);
  await reader.any(sql.type(UnreadRow)`SELECT set_config('enable_indexscan', 'on', true)`);
  return rows.map((row) => row.seen);
}

const SeenRow = z.strictObject({ place: column.int, seen: column.bool });

/** For words that nobody wrote, that of the index with umlauts, or those that are one letter away, the most frequent first. */
async function readSpellings(
  reader: Reader,
  unknown: readonly RelaxedWord[],
  within: Fragment,
): Promise<ReadonlyMap<RelaxedWord, readonly string[]>> {
  const single = unknown.flatMap((one) => {
    const text = one.typed.kind === 'word' ? one.typed.word : '';
    return hasForms(text) && [...text].length >= shortestMisspelt ? [{ one, text }] : [];
  });
  if (single.length === 0) return new Map();
  const near = await readNear(
    reader,
    single.map(({ text }) => text),
  );
  const candidates = single.flatMap(({ one, text }) => [
    ...(withUmlauts(text) === text ? [] : [{ one, other: withUmlauts(text), isUmlaut: true }]),
    ...rankCandidates(text, near.get(text) ?? [])
      .filter((other) => toDistance(text, other, 1) === 1)
      .slice(0, mostSpellings)
      .map((other) => ({ one, other, isUmlaut: false })),
  ]);
  const seen = await areSeen(
    reader,
    candidates.map(({ other }) => word(other)),
    new Map(),
    within,
  );
  const there = candidates.filter((_, place) => seen[place] === true);
  return new Map(
    single.flatMap(({ one }) => {
      const own = there.filter((candidate) => candidate.one === one);
      const umlauts = own.filter(({ isUmlaut }) => isUmlaut);
      return own.length === 0 ? [] : [[one, (umlauts.length > 0 ? umlauts : own).map(({ other }) => other)] as const];
    }),
  );
}
