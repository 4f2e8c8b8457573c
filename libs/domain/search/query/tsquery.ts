// Boolean and positional combinations of lexemes, as plain data, and their text for PostgreSQL's tsquery type.
// The nodes that stand for many words (patterns, edit distance, forms, ranges) are filled from the index's own list of words.
import { everyDocument, noDocument } from '../lexeme.ts';
import type { StemLanguage } from './stemming.ts';

/** Words to look up in the index's list before the query can run. `prefix` restricts to one field; empty: bare words. */
export type Expansion =
  | { readonly kind: 'pattern'; readonly prefix: string; readonly like: string }
  | { readonly kind: 'fuzzy'; readonly prefix: string; readonly word: string; readonly distance: number }
  | { readonly kind: 'inflections'; readonly prefix: string; readonly word: string; readonly language: StemLanguage }
  | {
      readonly kind: 'between';
      readonly prefix: string;
      readonly from?: string;
      readonly to?: string;
      readonly includesFrom: boolean;
      readonly includesTo: boolean;
      readonly isNumeric: boolean;
    };

/** A combination of lexemes. `sequence`: each directly after the one before; `apart`: right so many places after left. */
export type LexemeQuery =
  | { readonly kind: 'word'; readonly word: string; readonly isPrefix?: boolean; readonly inNotes?: boolean }
  | { readonly kind: 'every' | 'any' | 'sequence'; readonly parts: readonly LexemeQuery[] }
  | { readonly kind: 'apart'; readonly left: LexemeQuery; readonly right: LexemeQuery; readonly places: number }
  | { readonly kind: 'not'; readonly part: LexemeQuery }
  | { readonly kind: 'expand'; readonly expansion: Expansion; readonly inNotes?: boolean };

/** The words found for each expansion, by expansionKey. */
export type ExpandedWords = ReadonlyMap<string, readonly string[]>;

/** The key of an expansion in ExpandedWords. */
export function expansionKey(expansion: Expansion): string {
  return JSON.stringify(expansion);
}

/** One word as a query. */
export function word(text: string): LexemeQuery {
  return { kind: 'word', word: text };
}

/** All of the parts; a single part is itself. */
export function every(parts: readonly LexemeQuery[]): LexemeQuery {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'every', parts };
}

/** Any of the parts; a single part is itself. */
export function any(parts: readonly LexemeQuery[]): LexemeQuery {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'any', parts };
}

/** The same query with some parts changed, from the outside in: a part for which `change` gives nothing is looked into. */
export function mapQuery(query: LexemeQuery, change: (part: LexemeQuery) => LexemeQuery | undefined): LexemeQuery {
  const changed = change(query);
  if (changed !== undefined) return changed;
  switch (query.kind) {
    case 'every':
    case 'any':
    case 'sequence':
      return { kind: query.kind, parts: query.parts.map((part) => mapQuery(part, change)) };
    case 'not':
      return { kind: 'not', part: mapQuery(query.part, change) };
    default:
      return query;
  }
}

/** What a query finds any of, words of expansions one by one; itself where it is no choice. */
export function alternativesOf(query: LexemeQuery, expanded: ExpandedWords): readonly LexemeQuery[] {
  if (query.kind === 'any') return query.parts.flatMap((part) => alternativesOf(part, expanded));
  if (query.kind !== 'expand') return [query];
  return (expanded.get(expansionKey(query.expansion)) ?? []).map((text) =>
    query.inNotes === true ? { kind: 'word', word: text, inNotes: true } : word(text),
  );
}

/**
 * A query that finds part of what another finds, where that has choices of very many words: of each choice `most` words, of all that it chooses among alike.
 * What is refused stays refused.
 */
export function narrowed(query: LexemeQuery, expanded: ExpandedWords, most: number): LexemeQuery {
  return mapQuery(query, (part) => {
    if (part.kind === 'not') return part;
    if (part.kind !== 'any' && part.kind !== 'expand') return undefined;
    const choices = (part.kind === 'any' ? part.parts : [part]).map((one) => alternativesOf(one, expanded));
    if (choices.reduce((sum, { length }) => sum + length, 0) <= most) return undefined;
    const each = Math.max(1, Math.floor(most / choices.length));
    return any(choices.flatMap((one) => one.slice(0, each)).slice(0, most));
  });
}

/** What a query combines, from left to right, that of negations too: words, and expansions that stand for some. */
export function operandsOf(query: LexemeQuery): readonly Extract<LexemeQuery, { kind: 'word' | 'expand' }>[] {
  switch (query.kind) {
    case 'word':
    case 'expand':
      return [query];
    case 'not':
      return operandsOf(query.part);
    case 'apart':
      return [...operandsOf(query.left), ...operandsOf(query.right)];
    default:
      return query.parts.flatMap(operandsOf);
  }
}

/** The expansions in a query. */
export const expansionsOf = (query: LexemeQuery): readonly Expansion[] =>
  operandsOf(query).flatMap((operand) => (operand.kind === 'expand' ? [operand.expansion] : []));

/** The words of a query outside of negations, expansions filled in: what is scored and marked. Prefixes are left out. */
export function wordsOf(query: LexemeQuery, expanded: ExpandedWords): readonly string[] {
  switch (query.kind) {
    case 'word':
      return query.isPrefix === true ? [] : [query.word];
    case 'expand':
      return expanded.get(expansionKey(query.expansion)) ?? [];
    case 'not':
      return [];
    case 'apart':
      return [...wordsOf(query.left, expanded), ...wordsOf(query.right, expanded)];
    default:
      return query.parts.flatMap((part) => wordsOf(part, expanded));
  }
}

/** The text of a query for `$1::tsquery`. Every lexeme is quoted, so nothing in it is syntax. An empty `any` finds nothing. */
export function toTsquery(query: LexemeQuery, expanded: ExpandedWords): string {
  switch (query.kind) {
    case 'word':
      return quote(query.word) + label(query.isPrefix === true, query.inNotes === true);
    case 'expand': {
      const found = expanded.get(expansionKey(query.expansion)) ?? [];
      return combine(
        found.map((one) => quote(one) + label(false, query.inNotes === true)),
        ' | ',
        noDocument,
      );
    }
    case 'every':
      return printEvery(query.parts, expanded);
    case 'any':
      return combine(
        query.parts.map((part) => toTsquery(part, expanded)),
        ' | ',
        noDocument,
      );
    case 'sequence':
      return combine(
        query.parts.map((part) => toTsquery(part, expanded)),
        ' <-> ',
        noDocument,
      );
    case 'apart':
      return `(${toTsquery(query.left, expanded)} <${query.places}> ${toTsquery(query.right, expanded)})`;
    case 'not':
      return `(${quote(everyDocument)} & !${toTsquery(query.part, expanded)})`;
  }
}

// Negations are subtracted from the positive parts; with none of these, from all documents: GIN cannot start from a negation.
function printEvery(parts: readonly LexemeQuery[], expanded: ExpandedWords): string {
  const positive = parts.filter((part) => part.kind !== 'not').map((part) => toTsquery(part, expanded));
  const negative = parts.flatMap((part) => (part.kind === 'not' ? [`!${toTsquery(part.part, expanded)}`] : []));
  return combine([...(positive.length === 0 ? [quote(everyDocument)] : positive), ...negative], ' & ', everyDocument);
}

function combine(parts: readonly string[], operator: string, whenEmpty: string): string {
  return parts.length === 0 ? quote(whenEmpty) : parts.length === 1 ? parts.join('') : `(${parts.join(operator)})`;
}

function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}

function label(isPrefix: boolean, inNotes: boolean): string {
  return isPrefix || inNotes ? `:${isPrefix ? '*' : ''}${inNotes ? 'D' : ''}` : '';
}
