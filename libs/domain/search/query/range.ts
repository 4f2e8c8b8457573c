// Ranges of a query: bounds as an index compares them, by years, typed columns, sort keys or lexemes.
import { fold } from '../../text/fold.ts';
import { hasWords, isFoundFromStart, toExactValue } from '../fields.ts';
import type { Field } from '../fields.ts';
import { exactPrefix, noDocument, toPresenceLexeme, toYearCover } from '../lexeme.ts';
import type { RangeNode } from './ast.ts';
import { parseMoment, toIsoText } from './moments.ts';
import { lexemes, matchEvery, refuse } from './predicate.ts';
import type { Bound, Predicate } from './predicate.ts';
import { any, word } from './tsquery.ts';

/** What a range of a field finds. `now` as in compileQuery. Throws `unsupported_query` for bad bounds and fields without ranges. */
export function compileRange(node: RangeNode, field: Field, now: number): Predicate {
  if (node.from === undefined && node.to === undefined) {
    return lexemes(word(toPresenceLexeme(field)));
  }
  if (field.name === 'years') return yearRange(node, field);
  const bounds = toBounds(node, field, now);
  if (field.column !== undefined) {
    const compared: Predicate = { kind: 'compare', column: field.column, field: field.name, ...bounds };
    return field.column === 'id' ? matchEvery([withinAddresses(bounds), compared]) : compared;
  }
  if (field.type === 'sort') {
    return { kind: 'compare', column: 'inSorts', field: field.name, ...bounds };
  }
  if (field.type === 'text' && !hasWords(field)) {
    return lexemes(word(noDocument));
  }
  // The word list leaves out addresses and what names one record: nothing would be found.
  if ((field.type === 'text' && field.prefix === '') || isFoundFromStart(field)) {
    throw refuse(`'${field.name}' does not take a range`);
  }
  return lexemeRange(field, bounds);
}

/** Every year from one to another, by the lexemes that stand for many. */
function yearRange(node: RangeNode, field: Field): Predicate {
  const from = node.from === undefined ? 0 : toInteger(node.from, field) + (node.includesFrom ? 0 : 1);
  const to = node.to === undefined ? 9999 : toInteger(node.to, field) - (node.includesTo ? 0 : 1);
  return lexemes(any(toYearCover(from, to).map(word)));
}

type Bounds = { readonly from?: Bound; readonly to?: Bound };

/** Addresses of all documents whose ids are between two, and of few others: an id has at most the mark of a copy behind the address, whose order alone is indexed. */
function withinAddresses({ from, to }: Bounds): Predicate {
  return {
    kind: 'compare',
    column: 'uri',
    field: 'uri',
    ...(from === undefined ? {} : { from: { value: from.value.replace(/#.*$/su, ''), isIncluded: true } }),
    ...(to === undefined ? {} : { to }),
  };
}

/** The words of the index between two, which the store looks up. */
function lexemeRange(field: Field, { from, to }: Bounds): Predicate {
  return lexemes({
    kind: 'expand',
    expansion: {
      kind: 'between',
      prefix: field.type === 'text' ? (field.prefix ?? '') : exactPrefix(field),
      ...(from === undefined ? {} : { from: from.value }),
      ...(to === undefined ? {} : { to: to.value }),
      includesFrom: from?.isIncluded ?? true,
      includesTo: to?.isIncluded ?? true,
      isNumeric: field.type === 'int',
    },
  });
}

function toBounds(node: RangeNode, field: Field, now: number): Bounds {
  return {
    ...(node.from === undefined
      ? {}
      : { from: { value: toBoundValue(node.from, field, now, !node.includesFrom), isIncluded: node.includesFrom } }),
    ...(node.to === undefined
      ? {}
      : { to: { value: toBoundValue(node.to, field, now, node.includesTo), isIncluded: node.includesTo } }),
  };
}

// A day as a bound means its first or its last moment, whichever makes the interval mean whole days.
function toBoundValue(text: string, field: Field, now: number, isLast: boolean): string {
  switch (field.type) {
    case 'date': {
      const span = parseMoment(text, now);
      const iso = toIsoText(isLast ? span.end : span.start);
      return field.column === undefined ? `${iso.slice(0, 19)}Z` : iso;
    }
    case 'int':
      return String(toInteger(text, field));
    case 'text':
      return fold(text);
    default:
      return toExactValue(field, text);
  }
}

/** A bound or value as a whole number. Throws `unsupported_query`. */
export function toInteger(text: string, field: Field): number {
  if (!/^-?\d{1,9}$/.test(text.trim())) {
    throw refuse(`'${text}' is not a whole number, which '${field.name}' needs`);
  }
  return Number(text);
}
