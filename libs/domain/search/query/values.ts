// The values in query text, read from a cursor: phrases, ranges, words with their patterns and near spellings, boosts.
import type { QueryNode } from './ast.ts';
import type { Cursor } from './scanner.ts';

const blank = /\s/u;
// Digits are bounded, and so is what is tried of them where something else follows.
const fuzzySuffix = /~(\d{0,9}(?:\.\d{0,9})?)(?=$|[\s)^])/uy;
const slopSuffix = /~(\d*)(?=$|[\s)^])/uy;
const boostSuffix = /\^(=?)(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)(?=$|[\s)])/uy;

/** Reads a phrase in quotes, with the room between its words behind it. Throws ParseError. */
export function readPhrase(cursor: Cursor, field: string | undefined): QueryNode {
  const text = cursor.readQuoted();
  const slop = cursor.take(slopSuffix);
  return { kind: 'phrase', ...optionalField(field), text, slop: Math.min(Number(slop?.[1] ?? 0), 10_000) };
}

/** Reads a range in brackets. Throws ParseError. */
export function readRange(cursor: Cursor, field: string | undefined): QueryNode {
  const opened = cursor.at;
  if (field === undefined) {
    throw cursor.error('a range needs a field', opened);
  }
  const includesFrom = cursor.peek() === '[';
  cursor.at += 1;
  const from = readBound(cursor, opened);
  cursor.skipBlanks();
  if (!cursor.startsWith('TO') || !blank.test(cursor.peek(2))) {
    throw cursor.error('a range needs TO between its bounds', opened);
  }
  cursor.at += 2;
  const to = readBound(cursor, opened);
  cursor.skipBlanks();
  const closing = cursor.peek();
  if (closing !== ']' && closing !== '}') {
    throw cursor.error('a range is never closed', opened);
  }
  cursor.at += 1;
  const bounds = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return { kind: 'range', field, ...bounds, includesFrom, includesTo: closing === ']' };
}

function readBound(cursor: Cursor, opened: number): string | undefined {
  cursor.skipBlanks();
  if (cursor.peek() === '"') {
    return cursor.readQuoted();
  }
  const start = cursor.at;
  let text = '';
  for (; cursor.at < cursor.text.length && !/[\s\]}"]/u.test(cursor.peek()); cursor.at += 1) {
    text += cursor.readCharacter();
  }
  if (cursor.at === start) {
    throw cursor.error('a bound of a range is missing', opened);
  }
  return cursor.text.slice(start, cursor.at) === '*' ? undefined : text;
}

/** Reads a word, a pattern or a near spelling; a star alone is whatever has the field. Throws ParseError. */
export function readTerm(cursor: Cursor, field: string | undefined): QueryNode {
  const start = cursor.at;
  const written = readWritten(cursor);
  if (cursor.at === start) {
    throw cursor.error('a word was expected');
  }
  const { text, pattern, literals, hasStar, hasMark, fuzzy } = written;
  if (hasStar && !hasMark && literals === 0) {
    return field === undefined ? { kind: 'all' } : { kind: 'exists', field };
  }
  // A lone question mark is punctuation, not a pattern.
  if ((hasStar || hasMark) && literals > 0) {
    return { kind: 'wildcard', ...optionalField(field), pattern };
  }
  const distance = fuzzy === undefined ? 0 : toDistance(fuzzy, text);
  return distance === 0
    ? { kind: 'term', ...optionalField(field), text }
    : { kind: 'fuzzy', ...optionalField(field), text, distance };
}

/** A word as it is written: its text, the same as a pattern, and what stands behind its `~`. */
type Written = {
  text: string;
  pattern: string;
  /** How many characters stand for themselves. */
  literals: number;
  hasStar: boolean;
  hasMark: boolean;
  fuzzy: string | undefined;
};

const endsWord = (cursor: Cursor): boolean => {
  const character = cursor.peek();
  return blank.test(character) || '()"^'.includes(character) || cursor.startsWith('&&') || cursor.startsWith('||');
};

function readWritten(cursor: Cursor): Written {
  const start = cursor.at;
  const written: Written = { text: '', pattern: '', literals: 0, hasStar: false, hasMark: false, fuzzy: undefined };
  for (; cursor.at < cursor.text.length && !endsWord(cursor); cursor.at += 1) {
    const character = cursor.peek();
    const fuzzy = character === '~' && cursor.at > start ? cursor.match(fuzzySuffix) : undefined;
    if (fuzzy !== undefined) {
      cursor.at += fuzzy[0].length;
      written.fuzzy = fuzzy[1] ?? '';
      break;
    }
    const plain = cursor.readCharacter();
    const isWild = character === '*' || character === '?';
    written.text += plain;
    written.pattern += !isWild && /[*?\\]/.test(plain) ? `\\${plain}` : plain;
    written.literals += isWild ? 0 : 1;
    written.hasStar ||= character === '*';
    written.hasMark ||= character === '?';
  }
  return written;
}

/** Reads a boost behind a node, if there is one. Throws ParseError. */
export function readBoost(cursor: Cursor, node: QueryNode): QueryNode {
  if (cursor.peek() !== '^') {
    return node;
  }
  const found = cursor.match(boostSuffix);
  const factor = Number(found?.[2]);
  if (found === undefined || !Number.isFinite(factor)) {
    throw cursor.error('a boost must be a number');
  }
  cursor.at += found[0].length;
  return { kind: 'boost', node, factor, isConstant: found[1] === '=' };
}

function optionalField(field: string | undefined): { readonly field?: string } {
  return field === undefined ? {} : { field };
}

// `~` alone is 2; a fraction is the old similarity, of which Lucene makes edits by the length of the word.
function toDistance(text: string, word: string): number {
  if (text === '' || text === '.') {
    return 2;
  }
  const number = Number(text);
  if (number >= 1) {
    return Math.min(Math.trunc(number), 2);
  }
  return number === 0 ? 0 : Math.min(Math.floor((1 - number) * word.length), 2);
}
