// Which documents match, as plain data: combinations of lexemes, and what lexemes cannot say (typed columns, wide proximity).
// Neighbouring lexeme parts melt into one, so that most queries are a single index condition.
import { fail } from '../../errors.ts';
import type { FieldColumn } from '../fields.ts';
import type { LexemeQuery } from './tsquery.ts';
import { every, any } from './tsquery.ts';

/** One end of an interval; `isIncluded` says whether the value itself belongs to it. */
export type Bound = { readonly value: string; readonly isIncluded: boolean };

/**
 * Which documents match. `compare`: a typed column (or a key of the rarer sort values, `inSorts`) within bounds; moments are
 * ISO 8601 texts. `starts` and `equals` are for `uri` and `id`. `near`: all words within so many places, in any order.
 */
export type Predicate =
  | { readonly kind: 'lexemes'; readonly query: LexemeQuery }
  | {
      readonly kind: 'compare';
      readonly column: FieldColumn | 'inSorts';
      readonly field: string;
      readonly from?: Bound;
      readonly to?: Bound;
    }
  | { readonly kind: 'equals' | 'starts'; readonly column: 'uri' | 'id'; readonly value: string }
  | { readonly kind: 'near'; readonly words: readonly string[]; readonly places: number }
  | { readonly kind: 'every' | 'any'; readonly parts: readonly Predicate[] }
  | { readonly kind: 'not'; readonly part: Predicate };

/** A lexeme query as a predicate. */
export function lexemes(query: LexemeQuery): Predicate {
  return { kind: 'lexemes', query };
}

/** Documents that match all parts, lexeme parts melted into one. */
export function matchEvery(parts: readonly Predicate[]): Predicate {
  return combine('every', parts, every);
}

/** Documents that match at least one part, lexeme parts melted into one. */
export function matchAny(parts: readonly Predicate[]): Predicate {
  return combine('any', parts, any);
}

/** Documents that do not match a part. */
export function matchNot(part: Predicate): Predicate {
  return part.kind === 'lexemes' ? lexemes({ kind: 'not', part: part.query }) : { kind: 'not', part };
}

/** A predicate without parts. */
export type Leaf = Exclude<Predicate, { readonly kind: 'every' | 'any' | 'not' }>;

/** The leaves of a predicate, those of negations among them. */
export function leavesOf(predicate: Predicate): readonly Leaf[] {
  switch (predicate.kind) {
    case 'every':
    case 'any':
      return predicate.parts.flatMap(leavesOf);
    case 'not':
      return leavesOf(predicate.part);
    default:
      return [predicate];
  }
}

/** The same combination of other leaves. A leaf of a choice that becomes a choice is part of the first. */
export function mapLeaves(predicate: Predicate, change: (leaf: Leaf) => Predicate): Predicate {
  switch (predicate.kind) {
    case 'every':
    case 'any': {
      const { kind } = predicate;
      const parts = predicate.parts.map((part) => mapLeaves(part, change));
      return { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
    }
    case 'not':
      return { kind: 'not', part: mapLeaves(predicate.part, change) };
    default:
      return change(predicate);
  }
}

/** The lexeme queries anywhere in a predicate. */
export const lexemeQueriesOf = (predicate: Predicate): readonly LexemeQuery[] =>
  leavesOf(predicate).flatMap((leaf) => (leaf.kind === 'lexemes' ? [leaf.query] : []));

/** The failure for a query that is understood but not answered; names the part. */
export function refuse(reason: string): Error {
  return fail('unsupported_query', reason);
}

function combine(
  kind: 'every' | 'any',
  parts: readonly Predicate[],
  melt: (queries: readonly LexemeQuery[]) => LexemeQuery,
): Predicate {
  const queries = parts.flatMap((part) => (part.kind === 'lexemes' ? [part.query] : []));
  const others = parts.filter((part) => part.kind !== 'lexemes');
  const melted = queries.length > 0 || others.length === 0 ? [lexemes(melt(queries)), ...others] : others;
  const [only] = melted;
  return melted.length === 1 && only !== undefined ? only : { kind, parts: melted };
}
