// What a search matches: its query and filters as one condition on documents, with the words that the index's own list has for it.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { findByNeighbours } from '#domain/search/documents/neighbours.ts';
import { forPublic } from '#domain/search/documents/public-copy.ts';
import { findField } from '#domain/search/fields.ts';
import { toExactLexeme } from '#domain/search/lexeme.ts';
import { refuseTooMuch } from '#domain/search/query/bounds.ts';
import { compileFilter, compileQuery } from '#domain/search/query/compile.ts';
import type { CompiledQuery } from '#domain/search/query/compile.ts';
import { leavesOf, lexemeQueriesOf, lexemes, matchAny, matchEvery, matchNot } from '#domain/search/query/predicate.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import { asksScopesOnly } from '#domain/search/query/scope.ts';
import { any, every, expansionsOf, narrowed, word } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords } from '#domain/search/query/tsquery.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { CountRow, column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import { hasPresentVersion } from '../document-version.ts';
import type { SearchCapabilities, Visibility } from '../port.ts';
import { toColumnCondition, toCondition, toScopeCondition, toVisibleCondition, toWhole } from './conditions.ts';
import { expandWords } from './expand.ts';
import type { Scopes } from './facet-counts.ts';
import { sizeOfScopes } from './facet-counts.ts';
import type { Relaxed } from './relax.ts';
import { compileRelaxed } from './relax.ts';
import { hiddenDocuments } from './hidden.ts';
import { toVisibleWords } from './visible-words.ts';
import type { Hidden } from './hidden.ts';

const mostNearCandidates = 5000;
// Words of a choice that are looked for where looking for all takes too long.
const mostNarrowed = 6;

/** What a request matches, as SQL, and what it was made of. `scopes`: the same as scopes of documents, which are counted already, where it fits these as well. */
export type Match = {
  readonly compiled: CompiledQuery;
  readonly expanded: ExpandedWords;
  readonly condition: Fragment;
  readonly visible: Fragment;
  /** What follows from the condition for short columns (`toColumnCondition`). */
  readonly columns: Fragment;
  /** Who may see it as words of the index (`toVisibleWords`). */
  readonly visibleWords: Fragment;
  readonly scopes: Scopes | null;
  readonly size: Fragment;
  /** A condition that fits part of it and is looked up quickly, where the query has choices of very many words; else the same. */
  readonly narrow: Fragment;
  /** Where the search goes on with most of its words. */
  readonly relaxed: Relaxed | null;
};

/** A request as words and conditions, and as what a caller of this visibility asks. Throws `unsupported_query`. */
export function compile(
  request: SearchRequest,
  visibility: Visibility,
  given?: CompiledQuery,
): { readonly compiled: CompiledQuery; readonly predicate: Predicate } {
  const compiled: CompiledQuery =
    given ?? (request.query === undefined ? { scores: [] } : compileQuery(request.query, request));
  const asked = matchEvery([...(compiled.predicate === undefined ? [] : [compiled.predicate]), ...toFilters(request)]);
  refuseTooMuch(asked);
  return { compiled, predicate: visibility.mayNotSeeUnpublished ? forPublic(asked) : asked };
}

/** Compiles a request and looks up what it leaves open, but for words that were looked up for it a moment ago (`known`). Throws `unsupported_query`. */
export async function toMatch(
  tx: Transaction,
  request: SearchRequest,
  visibility: Visibility,
  hidden: Hidden,
  known?: ExpandedWords,
): Promise<Match> {
  const visible = toVisibleCondition(visibility, hidden);
  const relaxed = request.isRelaxed ? await toRelaxed(tx, request, visibility, visible) : null;
  const { compiled, predicate } = compile(request, visibility, relaxed?.compiled);
  const expansions = [
    ...lexemeQueriesOf(predicate).flatMap(expansionsOf),
    ...compiled.scores.flatMap(({ query }) => expansionsOf(query)),
  ];
  if (expansions.some(({ kind }) => kind === 'fuzzy') && !(await readCapabilities(tx)).fuzzy) {
    throw fail('unsupported_query', 'This installation has no search for near spellings (the extension fuzzystrmatch)');
  }
  // Which words a query goes on with is found anew, and with it what is to be looked up.
  const expanded = (relaxed === null ? known : undefined) ?? (await expandWords(tx, expansions));
  await refuseWideProximity(tx, predicate, visible);
  const cheaper = await toCheaper(tx, predicate);
  const condition = toWhole(cheaper, expanded, visible);
  const scopes = asksScopesOnly(predicate)
    ? {
        condition: toWhole(cheaper, expanded, toScopeCondition(visibility, hidden)),
        hidden: hiddenDocuments(hidden),
      }
    : null;
  const size =
    scopes === null ? sql.fragment`(SELECT count(*) FROM search_doc d WHERE ${condition})` : sizeOfScopes(scopes);
  const part = toPart(predicate, expanded);
  const narrow = isDeepStrictEqual(part, predicate) ? condition : toWhole(part, expanded, visible);
  const columns = toColumnCondition(predicate, visible);
  const visibleWords = toVisibleWords(visibility);
  return { compiled, expanded, visible, columns, visibleWords, condition, narrow, scopes, size, relaxed };
}

async function toRelaxed(
  tx: Transaction,
  request: SearchRequest,
  visibility: Visibility,
  visible: Fragment,
): Promise<Relaxed | null> {
  const { query: _, ...filtering } = request;
  const { predicate } = compile(filtering, visibility);
  const expanded = await expandWords(tx, lexemeQueriesOf(predicate).flatMap(expansionsOf));
  return compileRelaxed(tx, request, toWhole(predicate, expanded, visible));
}

/** What finds part of what a predicate finds, by fewer words. */
function toPart(predicate: Predicate, expanded: ExpandedWords): Predicate {
  switch (predicate.kind) {
    case 'every':
    case 'any':
      return { kind: predicate.kind, parts: predicate.parts.map((part) => toPart(part, expanded)) };
    case 'lexemes':
      return lexemes(narrowed(predicate.query, expanded, mostNarrowed));
    default:
      return predicate;
  }
}

/** The same predicate by neighbours, once all documents have them. */
async function toCheaper(reader: Reader, predicate: Predicate): Promise<Predicate> {
  const cheaper = findByNeighbours(predicate);
  return isDeepStrictEqual(cheaper, predicate) || !(await hasPresentVersion(reader)) ? predicate : cheaper;
}

// Each candidate's vector is read and taken apart, 0.1 ms and more.
async function refuseWideProximity(tx: Transaction, predicate: Predicate, visible: Fragment): Promise<void> {
  const candidates = leavesOf(predicate)
    .filter((leaf) => leaf.kind === 'near')
    .map((near) => {
      const words = toCondition(lexemes(every(near.words.map(word))), new Map());
      return sql.fragment`SELECT count(*) AS count FROM (SELECT FROM search_doc d WHERE ${words} AND ${visible} LIMIT ${mostNearCandidates + 1}) AS candidate`;
    });
  if (candidates.length === 0) {
    return;
  }
  const counts = await tx.any(sql.type(CountRow)`${sql.join(candidates, sql.fragment` UNION ALL `)}`);
  if (counts.some(({ count }) => count > mostNearCandidates)) {
    throw fail(
      'unsupported_query',
      `More than ${mostNearCandidates} documents hold the words of a wide proximity; add a rarer word`,
    );
  }
}

/** What a request filters by besides its query. */
export function toFilters(request: SearchRequest): readonly Predicate[] {
  const types = findField('types');
  return [
    ...request.filters.flatMap((filter) => compileFilter(filter, request) ?? []),
    ...(request.types.length === 0 || types === undefined
      ? []
      : [lexemes(any(request.types.map((type) => word(toExactLexeme(types, type)))))]),
    ...(request.excludedIds.length === 0
      ? []
      : [matchNot(matchAny(request.excludedIds.map((value): Predicate => ({ kind: 'equals', column: 'id', value }))))]),
  ];
}

const FuzzyRow = z.strictObject({ fuzzy: column.bool });

/** What this installation can do. */
export async function readCapabilities(reader: Reader): Promise<SearchCapabilities> {
  const { fuzzy } = await reader.one(sql.type(FuzzyRow)`
    SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'fuzzystrmatch') AS fuzzy`);
  return { fuzzy, proximity: true };
}
