// Words of a query as lexeme queries: terms, phrases, patterns and near spellings of text fields (search.md section 4).
import { analyseRuns } from '../../text/analyse.ts';
import type { Run } from '../../text/analyse.ts';
import { fold } from '../../text/fold.ts';
import { withoutMarkup } from '../../text/mixed-content.ts';
import type { Field } from '../fields.ts';
import { isFieldWord } from '../lexeme.ts';
import { lexemes, matchEvery, refuse } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { hasForms } from './stemming.ts';
import type { StemLanguage } from './stemming.ts';
import { any, every, word } from './tsquery.ts';
import type { LexemeQuery } from './tsquery.ts';

const longestTsqueryDistance = 10;

/** Where words are looked for: before each lexeme, and whether only in notes. */
export type WordScope = { readonly prefix: string; readonly inNotes: boolean };

/** The scope of a text field, or everywhere where there is none. */
export function toWordScope(field: Field | undefined): WordScope {
  return { prefix: field?.prefix ?? '', inNotes: field?.isNotes === true };
}

/** All words of a text, each run as written or written together, with `language` in all their forms; undefined where the text has no word. */
export function findWords(text: string, scope: WordScope, language?: StemLanguage): LexemeQuery | undefined {
  const runs = analyseRuns(withoutMarkup(text));
  return runs.length === 0 ? undefined : every(runs.map((run) => toRunQuery(run, scope, language)));
}

/** The words of a text in sequence, or with `slop` within so many moves; undefined where the text has no word. */
export function findPhrase(text: string, slop: number, scope: WordScope): Predicate | undefined {
  const words = analyseRuns(withoutMarkup(text)).flatMap(toSequence);
  const [left, right] = words.map((one) => scoped(one, scope));
  if (left === undefined) {
    return undefined;
  }
  if (slop === 0 || right === undefined) {
    return lexemes(right === undefined ? left : { kind: 'sequence', parts: words.map((one) => scoped(one, scope)) });
  }
  if (words.length === 2 && slop <= longestTsqueryDistance) {
    const forward = Array.from({ length: slop + 1 }, (_, index) => apart(left, right, index + 1));
    // Turning two words round costs two moves in the incumbent, so it has `slop - 1` places.
    const backward = Array.from({ length: Math.max(slop - 1, 0) }, (_, index) => apart(right, left, index + 1));
    return lexemes(any([...forward, ...backward]));
  }
  const names = [...new Set(words.map((one) => scope.prefix + one))];
  const all = lexemes(every(words.map((one) => scoped(one, scope))));
  return matchEvery([all, { kind: 'near', words: names, places: words.length - 1 + slop }]);
}

/**
 * Words that fit a pattern. Throws `unsupported_query` where fewer than two of its characters are literal; in a field one is enough
 * before a star at the end.
 */
export function findPattern(pattern: string, scope: WordScope): LexemeQuery {
  const stem = trailingStar(pattern);
  if (stem !== undefined) {
    return findPrefix(stem, pattern, scope);
  }
  const like = toLike(pattern, (literal) => fold(literal).replace(/[^\p{L}\p{N}\p{M}]+/gu, ''));
  requireLiterals(like, pattern);
  const expansion = { kind: 'pattern' as const, prefix: scope.prefix, like: escapeLike(scope.prefix) + like };
  return { kind: 'expand', expansion, inNotes: scope.inNotes };
}

/** Words within an edit distance; a run is compared written together. */
export function findNearSpellings(text: string, distance: number, scope: WordScope): LexemeQuery | undefined {
  const runs = analyseRuns(withoutMarkup(text));
  const [run] = runs;
  if (run === undefined) {
    return undefined;
  }
  if (runs.length > 1 || run.isPairs) {
    return findWords(text, scope);
  }
  const near = run.joined ?? run.parts[0]?.[0] ?? '';
  return {
    kind: 'expand',
    expansion: { kind: 'fuzzy', prefix: scope.prefix, word: near, distance },
    inNotes: scope.inNotes,
  };
}

/** The word of a query for all its forms; undefined for every other query. */
export function toWordAsTyped(query: LexemeQuery): LexemeQuery | undefined {
  if (query.kind !== 'expand' || query.expansion.kind !== 'inflections') return undefined;
  const { prefix, word: typed } = query.expansion;
  return scoped(typed, { prefix, inNotes: query.inNotes === true });
}

/** The part of a pattern before its only wildcard, a star at the end; undefined for every other pattern. */
export function trailingStar(pattern: string): string | undefined {
  const found = /^((?:[^*?\\]|\\[^])+)\*+$/u.exec(pattern);
  return found?.[1]?.replace(/\\([^])/gu, '$1');
}

/** A pattern for SQL LIKE, its literal stretches put through a function first. */
export function toLike(pattern: string, treat: (literal: string) => string): string {
  return [...pattern.matchAll(/\*+|\?|(?:[^*?\\]|\\[^])+/gu)]
    .map(([part]) =>
      part === '?' ? '_' : part.startsWith('*') ? '%' : escapeLike(treat(part.replace(/\\([^])/gu, '$1'))),
    )
    .join('');
}

/** Throws `unsupported_query` where a LIKE pattern has fewer than `least` literal characters. */
export function requireLiterals(like: string, pattern: string, least = 2): void {
  if ([...like.replace(/\\[^]|[%_]/gu, (part) => (part.length > 1 ? part.slice(1) : ''))].length < least) {
    throw refuse(
      `The pattern '${pattern}' needs at least ${least === 1 ? 'one letter or digit' : 'two letters or digits'}`,
    );
  }
}

/** Makes a text literal in a LIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[%_\\]/g, '\\$&');
}

function toRunQuery(run: Run, scope: WordScope, language?: StemLanguage): LexemeQuery {
  if (run.isPairs) {
    const pairs = run.parts.flatMap(([, pair]) => (pair === undefined ? [] : [scoped(pair, scope)]));
    return pairs.length === 0 ? scoped(run.parts[0]?.[0] ?? '', scope) : sequence(pairs);
  }
  const words = toSequence(run);
  // One with a number in it is an identifier. Of a compound the last part is what takes endings.
  const inForms = words.every(hasForms) ? language : undefined;
  const written = sequence(
    words.map((one, index) => withForms(one, scope, index === words.length - 1 ? inForms : undefined)),
  );
  return run.joined === undefined ? written : any([withForms(run.joined, scope, inForms), written]);
}

function withForms(text: string, scope: WordScope, language: StemLanguage | undefined): LexemeQuery {
  return language === undefined
    ? scoped(text, scope)
    : {
        kind: 'expand',
        expansion: { kind: 'inflections', prefix: scope.prefix, word: text, language },
        inNotes: scope.inNotes,
      };
}

// One word a position. Of a script without blanks the pair, which is rarer, and at the end the character alone.
function toSequence(run: Run): readonly string[] {
  return run.parts.map((variants) => (run.isPairs ? (variants[1] ?? variants[0]) : variants[0]) ?? '');
}

function findPrefix(stem: string, pattern: string, scope: WordScope): LexemeQuery {
  const runs = analyseRuns(stem);
  const last = runs.at(-1);
  const literals = runs.reduce(
    (sum, run) => sum + run.parts.reduce((length, [first]) => length + (first ?? '').length, 0),
    0,
  );
  if (last === undefined || literals < (last.isPairs || scope.prefix !== '' ? 1 : 2)) {
    throw refuse(`The pattern '${pattern}' needs at least two letters or digits`);
  }
  // Words of a field begin so (`f1=`), and would be found whatever they are.
  if (scope.prefix === '' && runs.length === 1 && isFieldWord(`${fold(stem)}=`)) {
    return {
      kind: 'expand',
      expansion: { kind: 'pattern', prefix: '', like: `${escapeLike(fold(stem))}%` },
      inNotes: scope.inNotes,
    };
  }
  const before = runs.slice(0, -1).map((run) => toRunQuery(run, scope));
  const words = toSequence(last).map((one, index, all) => asPrefix(scoped(one, scope), index === all.length - 1));
  const joined = last.joined === undefined ? [] : [asPrefix(scoped(last.joined, scope), true)];
  return every([...before, any([...joined, sequence(words)])]);
}

function asPrefix(query: LexemeQuery, isLast: boolean): LexemeQuery {
  return query.kind === 'word' && isLast ? { ...query, isPrefix: true } : query;
}

function scoped(text: string, scope: WordScope): LexemeQuery {
  return scope.inNotes ? { kind: 'word', word: scope.prefix + text, inNotes: true } : word(scope.prefix + text);
}

function sequence(parts: readonly LexemeQuery[]): LexemeQuery {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts };
}

function apart(left: LexemeQuery, right: LexemeQuery, places: number): LexemeQuery {
  return { kind: 'apart', left, right, places };
}
