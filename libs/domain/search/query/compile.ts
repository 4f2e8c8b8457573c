// Makes of a query what an index adapter runs: which documents match, and what adds to their score (search.md section 4).
// Plain data, no SQL. Words that need the index's own list (patterns, near spellings, forms, ranges) stay as expansions.
import { toTitleSort } from '../../text/sort-key.ts';
import type { Clause, QueryNode } from './ast.ts';
import { findField, hasWords, holdsIdentifiers, isAddress } from '../fields.ts';
import type { Field } from '../fields.ts';
import { noDocument, toExactLexeme, toKeyLexeme, toPresenceLexeme, toYearCover } from '../lexeme.ts';
import { compileIdentifier } from './identifier.ts';
import { lexemes, matchAny, matchEvery, matchNot, refuse } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { compileRange, toInteger } from './range.ts';
import type { StemLanguage } from './stemming.ts';
import { any, word } from './tsquery.ts';
import type { LexemeQuery } from './tsquery.ts';
import { compileWholePattern } from './whole-pattern.ts';
import { findNearSpellings, findPattern, findPhrase, findWords, toWordAsTyped, toWordScope } from './words.ts';

/**
 * A part of the score: the rank of a lexeme query, weighted by its rarity and `boost`; or, `isConstant`, just `boost`. `isAsTyped`: the word
 * itself, beside a term of all its forms.
 */
export type ScoreTerm = {
  readonly query: LexemeQuery;
  readonly boost: number;
  readonly isConstant: boolean;
  readonly isAsTyped?: true;
};

/**
 * A query for an adapter. `predicate` is absent for match-all; `key` is the lexeme of an identifier typed as the whole query; `tier` the text of a tsquery whose
 * documents come before all others.
 */
export type CompiledQuery = {
  readonly predicate?: Predicate;
  readonly scores: readonly ScoreTerm[];
  readonly key?: string;
  readonly tier?: string;
  /** What was typed, as titles are compared (title_sort), where it is plain words. */
  readonly title?: string;
  /** Titles that a citation may quote, compared likewise. */
  readonly cited?: readonly string[];
};

type Context = {
  readonly now: number;
  readonly stem?: StemLanguage | undefined;
  readonly boost: number;
  readonly constant?: number;
  readonly scores: ScoreTerm[] | undefined;
};

/**
 * Compiles a query. `now` (milliseconds since 1970) is what NOW means in it; with `stem` its words, phrases apart, are looked for in all their
 * forms in that language. Clauses without any word (a dash) are left out; a query of nothing else matches nothing. Throws `unsupported_query`
 * for unknown fields, bad bounds and too wide patterns.
 */
export function compileQuery(
  node: QueryNode,
  options: { readonly now: number; readonly stem?: StemLanguage },
): CompiledQuery {
  if (node.kind === 'all') {
    return { scores: [] };
  }
  const scores: ScoreTerm[] = [];
  const found =
    compileNode(node, { now: options.now, stem: options.stem, boost: 1, scores }) ?? lexemes(word(noDocument));
  const plain = plainText(node);
  const key = plain === undefined ? undefined : toKeyLexeme(plain);
  return key === undefined || plain === undefined
    ? { predicate: found, scores }
    : { predicate: matchAny([found, lexemes(word(key))]), scores, key, title: toTitleSort(plain) };
}

/** Compiles a query that only filters: nothing in it is scored, no identifier is looked for. Absent for match-all. */
export function compileFilter(node: QueryNode, options: { readonly now: number }): Predicate | undefined {
  return node.kind === 'all'
    ? undefined
    : (compileNode(node, { now: options.now, boost: 1, scores: undefined }) ?? lexemes(word(noDocument)));
}

// The text of a query of plain words or one phrase, for which an identifier is tried as well.
function plainText(node: QueryNode): string | undefined {
  if (node.kind === 'term' || (node.kind === 'phrase' && node.slop === 0)) {
    return node.field === undefined ? node.text : undefined;
  }
  if (node.kind !== 'group') {
    return undefined;
  }
  const parts = node.clauses.map((clause) =>
    clause.occur === 'must' && clause.node.kind === 'term' ? plainText(clause.node) : undefined,
  );
  return parts.includes(undefined) ? undefined : parts.join(' ');
}

function compileNode(node: QueryNode, context: Context): Predicate | undefined {
  switch (node.kind) {
    case 'all':
      return matchEvery([]);
    case 'group':
      return compileGroup(node.clauses, context);
    case 'boost':
      return compileNode(
        node.node,
        node.isConstant ? { ...context, constant: node.factor } : { ...context, boost: context.boost * node.factor },
      );
    case 'exists':
      return lexemes(word(toPresenceLexeme(requireField(node.field))));
    case 'range':
      return compileRange(node, requireField(node.field), context.now);
    default: {
      const field = node.field === undefined ? undefined : requireField(node.field);
      const predicate = compileLeaf(node, field, context);
      // Only words and identifiers rank; whole values say yes or no, unless given a constant.
      const isRanked =
        field === undefined ||
        field.type === 'text' ||
        field.column === 'identifier_sort' ||
        context.constant !== undefined;
      return isRanked ? score(predicate, context) : predicate;
    }
  }
}

// Required clauses decide; optional ones then only add to the score. Without required ones, one optional clause must match.
function compileGroup(clauses: readonly Clause[], context: Context): Predicate | undefined {
  const parts = clauses.flatMap(({ occur, node }) => {
    const predicate = compileNode(node, occur === 'not' ? { ...context, scores: undefined } : context);
    return predicate === undefined ? [] : [{ occur, predicate }];
  });
  const of = (wanted: Clause['occur']) =>
    parts.filter(({ occur }) => occur === wanted).map(({ predicate }) => predicate);
  const required = of('must');
  const optional = of('should');
  const refused = of('not').map(matchNot);
  if (parts.length === 0) {
    return undefined;
  }
  return matchEvery([
    ...required,
    ...(required.length === 0 && optional.length > 0 ? [matchAny(optional)] : []),
    ...refused,
  ]);
}

function compileLeaf(
  node: Exclude<QueryNode, { kind: 'all' | 'group' | 'boost' | 'exists' | 'range' }>,
  field: Field | undefined,
  context: Context,
): Predicate | undefined {
  if (field === undefined || field.type === 'text') {
    return compileText(node, field, context);
  }
  if (node.kind === 'wildcard') {
    return compileWholePattern(node.pattern, field);
  }
  if (isAddress(field)) {
    return { kind: 'equals', column: field.column, value: node.text };
  }
  if (field.column === 'identifier_sort') {
    return compileIdentifier(node.text);
  }
  if (field.type === 'date' || field.column === 'title_sort') {
    return compileRange(
      { kind: 'range', field: field.name, from: node.text, to: node.text, includesFrom: true, includesTo: true },
      field,
      context.now,
    );
  }
  if (field.name === 'years') {
    const year = toInteger(node.text, field);
    return lexemes(any(toYearCover(year, year).map(word)));
  }
  return lexemes(word(toExactLexeme(field, node.text)));
}

function compileText(
  node: Exclude<QueryNode, { kind: 'all' | 'group' | 'boost' | 'exists' | 'range' }>,
  field: Field | undefined,
  { stem }: Context,
): Predicate | undefined {
  if (field !== undefined && !hasWords(field)) {
    return lexemes(word(noDocument));
  }
  const scope = toWordScope(field);
  if (node.kind === 'phrase') {
    return findPhrase(node.text, node.slop, scope);
  }
  if (node.kind === 'wildcard') {
    return lexemes(findPattern(node.pattern, scope));
  }
  const found =
    node.kind === 'fuzzy'
      ? findNearSpellings(node.text, node.distance, scope)
      : findWords(node.text, scope, field !== undefined && holdsIdentifiers(field) ? undefined : stem);
  return found === undefined ? undefined : lexemes(found);
}

function score(predicate: Predicate | undefined, context: Context): Predicate | undefined {
  if (context.scores === undefined || predicate === undefined) {
    return predicate;
  }
  for (const query of scoredQueries(predicate)) {
    context.scores.push({
      query,
      boost: context.constant ?? context.boost,
      isConstant: context.constant !== undefined,
    });
    // A stem joins what is far apart (organ, organization): what was typed comes first.
    const asTyped = context.constant === undefined ? toWordAsTyped(query) : undefined;
    if (asTyped !== undefined)
      context.scores.push({ query: asTyped, boost: context.boost, isConstant: false, isAsTyped: true });
  }
  return predicate;
}

function scoredQueries(predicate: Predicate): readonly LexemeQuery[] {
  if (predicate.kind === 'every') {
    return predicate.parts.flatMap(scoredQueries);
  }
  if (predicate.kind !== 'lexemes') {
    return [];
  }
  return predicate.query.kind === 'every' ? predicate.query.parts : [predicate.query];
}

function requireField(name: string): Field {
  const field = findField(name);
  if (field === undefined) {
    throw refuse(`'${name}' is not a field of the index`);
  }
  return field;
}
