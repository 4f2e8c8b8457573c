// Patterns in fields whose values are compared whole: codes, sort keys, numbers, moments, addresses, identifiers.
import { fold } from '../../text/fold.ts';
import { sortKeyBeginnings, toSortKey, toTitleSort } from '../../text/sort-key.ts';
import { isAddress, isFoundFromStart, toExactValue } from '../fields.ts';
import type { Field } from '../fields.ts';
import { exactPrefix, toYearCover } from '../lexeme.ts';
import { compileIdentifierStart } from './identifier.ts';
import { lexemes, matchAny, refuse } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { compileRange } from './range.ts';
import { any, word } from './tsquery.ts';
import type { LexemeQuery } from './tsquery.ts';
import { escapeLike, findPattern, requireLiterals, toLike, trailingStar } from './words.ts';

/**
 * The documents with a value that fits a pattern. Throws `unsupported_query` where its literal characters are too few, one before a star at the
 * end and else two; where no value of the field can fit; and where other patterns than a beginning would need all values to be read.
 */
export function compileWholePattern(pattern: string, field: Field): Predicate {
  const stem = trailingStar(pattern);
  if (stem !== undefined) {
    if (!isAddress(field)) requireLiterals(escapeLike(stem), pattern, 1);
    return startingWith(stem, field);
  }
  if (field.column === 'identifier_sort') {
    return lexemes(findPattern(pattern, { prefix: 'i=', inNotes: false }));
  }
  // Values in columns, and years, have no words in the list.
  if (isFoundFromStart(field) || field.column !== undefined || field.name === 'years') {
    throw refuse(`'${field.name}' takes a star at the end only`);
  }
  const like = toLike(pattern, (literal) => (field.type === 'sort' ? fold(literal) : literal));
  requireLiterals(like, pattern);
  const prefix = exactPrefix(field);
  return lexemes({ kind: 'expand', expansion: { kind: 'pattern', prefix, like: escapeLike(prefix) + like } });
}

function startingWith(stem: string, field: Field): Predicate {
  if (isAddress(field)) {
    return { kind: 'starts', column: field.column, value: stem };
  }
  if (field.column === 'identifier_sort') {
    return compileIdentifierStart(stem);
  }
  if (field.column === 'title_sort') {
    const written = toTitleSort(stem);
    requireLiterals(escapeLike(written), `${stem}*`, 1);
    return matchAny(sortKeyBeginnings(written).map((key) => betweenTitles(key, field.name)));
  }
  switch (field.type) {
    case 'date':
      return field.column === undefined ? lexemes(beginning(field, stem)) : inPeriod(stem, field);
    case 'int':
      return startingWithDigits(stem, field);
    case 'sort':
      return lexemes(any(sortKeyBeginnings(toSortKey(stem)).map((key) => beginning(field, key))));
    default:
      return lexemes(beginning(field, toExactValue(field, stem)));
  }
}

const beginning = (field: Field, stem: string): LexemeQuery => ({
  kind: 'word',
  word: exactPrefix(field) + stem,
  isPrefix: true,
});

/** The titles whose key begins so: those up to it with the last of all characters behind. */
function betweenTitles(key: string, field: string): Predicate {
  const to = { value: `${key}\u{10ffff}`, isIncluded: false };
  return { kind: 'compare', column: 'title_sort', field, from: { value: key, isIncluded: true }, to };
}

/** The moments whose text begins so, where that is a year, a month or a day. */
function inPeriod(stem: string, field: Field): Predicate {
  const period = /^(\d{4}(?:-\d{2}(?:-\d{2})?)?)[-T]?$/.exec(stem)?.[1];
  if (period === undefined) {
    throw refuse(`'${stem}*' is not a year, month or day, which '${field.name}' needs before a star`);
  }
  return compileRange(
    { kind: 'range', field: field.name, from: period, to: period, includesFrom: true, includesTo: true },
    field,
    0,
  );
}

function startingWithDigits(stem: string, field: Field): Predicate {
  if (field.name !== 'years' && /^-?\d+$/.test(stem)) {
    return lexemes(beginning(field, stem));
  }
  if (field.name !== 'years' || !/^[1-9]\d{0,3}$/.test(stem)) {
    throw refuse(`'${stem}*' is not the beginning of a number, which '${field.name}' needs`);
  }
  // 19 itself, 190 to 199, and 1900 to 1999.
  const widths = [1, 10, 100, 1000].slice(0, 5 - stem.length);
  const cover = widths.flatMap((width) => toYearCover(Number(stem) * width, (Number(stem) + 1) * width - 1));
  return lexemes(any([...new Set(cover)].map(word)));
}
