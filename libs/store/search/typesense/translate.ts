// From predicates, the same that PostgreSQL answers, to conditions of Typesense. Negation stands at leaves alone there, so it is carried down
// (De Morgan). Patterns, near spellings and ranges come in as the words that the word list has for them.
import type { Predicate } from '#domain/search/query/predicate.ts';
import { everyDocument, noDocument, toPresenceLexeme } from '#domain/search/lexeme.ts';
import { findField } from '#domain/search/fields.ts';
import { expansionKey, operandsOf } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, Expansion, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { escapeLike } from '#domain/search/query/words.ts';
import { both, compares, either, everything, nothing, oneOf, opposite } from './filter.ts';
import type { Filter, Leaf } from './filter.ts';
import { keyBeginnings, lexemeField, longestBeginning, noteFields, partsOf, toPairToken, toToken } from './token.ts';
import { notExpressible } from './unsupported.ts';

const mostPairs = 1024;

/** The condition of a predicate. `expanded` has the words of its expansions, those of prefixesOf among them. */
export function toFilter(predicate: Predicate, expanded: ExpandedWords, isNot = false): Filter {
  switch (predicate.kind) {
    case 'lexemes':
      return fromLexemes(predicate.query, expanded, isNot);
    case 'every':
    case 'any':
      return joinParts(
        predicate.kind,
        predicate.parts.map((part) => toFilter(part, expanded, isNot)),
        isNot,
      );
    case 'not':
      return toFilter(predicate.part, expanded, !isNot);
    case 'equals':
      return turned(oneOf(predicate.column === 'uri' ? 'uri' : 'doc', [toToken(predicate.value)]), isNot);
    case 'compare':
      return compare(predicate, isNot);
    case 'starts':
    case 'near':
      // Found by refuseInexpressible before; a new way to make one is refused here.
      throw notExpressible([predicate.kind]);
  }
}

/** The look-ups that words with a star at the end need: Typesense would stop at the first few words by itself. */
export const prefixesOf = (query: LexemeQuery): readonly Expansion[] =>
  operandsOf(query).flatMap((operand) =>
    operand.kind === 'word' && operand.isPrefix === true && partsOf(operand.word).prefix !== 'k='
      ? [expansionOf(operand.word)]
      : [],
  );

// `x=level=ser`: the words of that field; `t=har` and `har`: those of all fields.
function expansionOf(word: string): Expansion {
  const prefix = /^x=[^=]*=/.exec(word)?.[0] ?? partsOf(word).prefix;
  return { kind: 'pattern', prefix, like: `${escapeLike(word)}%` };
}

const turned = (filter: Leaf, isNot: boolean): Filter => (isNot ? opposite(filter) : filter);

const joinParts = (kind: 'every' | 'any', parts: readonly Filter[], isNot: boolean): Filter =>
  (kind === 'every') === isNot ? either(parts) : both(parts);

function fromLexemes(query: LexemeQuery, expanded: ExpandedWords, isNot: boolean): Filter {
  switch (query.kind) {
    case 'word':
    case 'expand':
      return turned(fromWords(wordsFor(query, expanded), query.inNotes === true), isNot);
    case 'every':
    case 'any':
      return joinParts(
        query.kind,
        query.parts.map((part) => fromLexemes(part, expanded, isNot)),
        isNot,
      );
    case 'not':
      return fromLexemes(query.part, expanded, !isNot);
    case 'sequence':
      return sequence(query.parts, expanded, isNot);
    case 'apart':
      if (query.places === 1) return sequence([query.left, query.right], expanded, isNot);
      throw notExpressible(['proximity']);
  }
}

/** The words that a leaf stands for. A beginning of a key stands for itself: beginnings are indexed. */
function wordsFor(query: LexemeQuery, expanded: ExpandedWords): readonly string[] {
  if (query.kind === 'expand') return expanded.get(expansionKey(query.expansion)) ?? [];
  if (query.kind !== 'word') throw notExpressible(['a combination within a phrase']);
  if (query.isPrefix !== true) return [query.word];
  const { prefix, rest } = partsOf(query.word);
  if (prefix === 'k=' && [...rest].length > longestBeginning)
    throw notExpressible([`the beginning of an identifier of more than ${longestBeginning} characters`]);
  return prefix === 'k=' ? [`${beginning}${rest}`] : (expanded.get(expansionKey(expansionOf(query.word))) ?? []);
}

const beginning = 'begins=';

/** Documents with one of the words. Words of one leaf have one prefix. */
function fromWords(words: readonly string[], inNotes: boolean): Leaf {
  const [first] = words;
  if (first === undefined || first === noDocument) return nothing;
  if (first === everyDocument) return everything;
  const { prefix } = partsOf(first);
  const field = prefix === beginning ? keyBeginnings : inNotes ? noteFields.word : lexemeField(prefix, 'word');
  return oneOf(
    field,
    words.map((word) => toToken(partsOf(word).rest)),
  );
}

/** Words in sequence, by their pairs of neighbours. A single pair is exact; see decision 0014 for three and more. */
function sequence(parts: readonly LexemeQuery[], expanded: ExpandedWords, isNot: boolean): Filter {
  const inNotes = parts.some((part) => (part.kind === 'word' || part.kind === 'expand') && part.inNotes === true);
  const places = parts.map((part) => wordsFor(part, expanded));
  const pairs = places.slice(1).map((rights, index): Leaf => {
    const lefts = places[index] ?? [];
    if (lefts.length * rights.length > mostPairs)
      throw notExpressible([`a phrase with patterns that fit more than ${mostPairs} pairs of words`]);
    const { prefix } = partsOf(lefts[0] ?? rights[0] ?? '');
    const field = inNotes ? noteFields.pair : lexemeField(prefix, 'pair');
    return oneOf(
      field,
      lefts.flatMap((left) => rights.map((right) => toPairToken(partsOf(left).rest, partsOf(right).rest))),
    );
  });
  return joinParts(
    'every',
    pairs.map((pair) => turned(pair, isNot)),
    isNot,
  );
}

const moments = new Set(['create_time', 'user_mtime', 'system_mtime']);

function compare({ column, field, from, to }: Extract<Predicate, { kind: 'compare' }>, isNot: boolean): Filter {
  if (!moments.has(column)) throw notExpressible([`a range of ${field}`]);
  const ends = [
    ...(from === undefined
      ? []
      : [{ sign: from.isIncluded ? '>=' : '>', otherwise: from.isIncluded ? '<' : '<=', at: Date.parse(from.value) }]),
    ...(to === undefined
      ? []
      : [{ sign: to.isIncluded ? '<=' : '<', otherwise: to.isIncluded ? '>' : '>=', at: Date.parse(to.value) }]),
  ];
  if (!isNot) return both(ends.map(({ sign, at }) => compares(column, `${sign}${at}`)));
  return either([...ends.map(({ otherwise, at }) => compares(column, `${otherwise}${at}`)), withoutValue(field)]);
}

/** Documents that do not have the field: no comparison finds them. */
function withoutValue(name: string): Filter {
  const field = findField(name);
  return field === undefined
    ? nothing
    : opposite({
        kind: 'in',
        field: lexemeField('h=', 'word'),
        values: [toToken(partsOf(toPresenceLexeme(field)).rest)],
        isNot: false,
      });
}
