// Reads query text in the Lucene syntax that clients send in `q` and `filter_query` (behaviour-search.md section 3):
// a hand-written scanner and precedence climbing, NOT before AND before OR before plain sequence.
// What the words mean in an index is left to query/compile.ts.
import { fail } from '../../errors.ts';
import type { Clause, QueryNode } from './ast.ts';
import { Cursor, ParseError } from './scanner.ts';

const longestQuery = 4096;
const deepestGroup = 50;

/** What the parser must know: which prefixes before a colon are fields. All others are plain text. */
export type LuceneOptions = { readonly isField: (name: string) => boolean };

/** What the caller should be told about a query that could not be read as written. */
export type QueryWarning = { readonly column: number; readonly message: string };

/**
 * Reads Lucene query text strictly. Blank text is match-all. AND binds before OR; members of a plain sequence are required,
 * the sides of an OR are optional. Throws ParseError for broken syntax, and Failure `unsupported_query` for a regular
 * expression, more than 4,096 characters or groups nested deeper than 50.
 */
export function parseLucene(text: string, options: LuceneOptions): QueryNode {
  refuseTooLong(text);
  return new Parser(text, options).readAll();
}

/**
 * Reads Lucene query text as forgivingly as clients are used to: where the syntax is broken, all of it is searched as plain
 * words (standing AND, OR and NOT are left out) and a warning names the column. Throws only `unsupported_query`.
 */
export function parseQuery(
  text: string,
  options: LuceneOptions,
): { readonly node: QueryNode; readonly warnings: readonly QueryWarning[] } {
  try {
    return { node: parseLucene(text, options), warnings: [] };
  } catch (error) {
    if (!(error instanceof ParseError)) {
      throw error;
    }
    return {
      node: toPlainWords(text),
      warnings: [{ column: error.column, message: `${error.message}; searched as plain words` }],
    };
  }
}

/** The query that finds every blank-separated word of a text, all syntax taken as plain characters. */
export function toPlainWords(text: string): QueryNode {
  refuseTooLong(text);
  const words = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^(AND|OR|NOT)$/.test(word));
  const clauses = words.map((word): Clause => ({ occur: 'must', node: { kind: 'term', text: word } }));
  // A text without any word finds nothing, which a term without a word says; blank text is match-all, as for the parser.
  return clauses.length > 0
    ? collapse(clauses)
    : text.trim() === ''
      ? { kind: 'all' }
      : { kind: 'term', text: text.trim() };
}

function refuseTooLong(text: string): void {
  if (text.length > longestQuery) {
    throw fail('unsupported_query', `The query is longer than ${longestQuery} characters`);
  }
}

// A group of one required clause is that clause.
function collapse(clauses: readonly Clause[]): QueryNode {
  const [only] = clauses;
  return clauses.length === 1 && only?.occur === 'must' ? only.node : { kind: 'group', clauses };
}

type Item = { readonly isNegated: boolean; readonly node: QueryNode };

const blank = /\s/u;
const fieldPrefix = /([\p{L}_][\p{L}\p{N}_.-]*):(?=[^\s)])/uy;
const wordOperator = /(AND|OR|NOT)(?=$|[\s()"])/uy;
const regex = /\/(?:\\.|[^/\s\\])+\/(?=$|[\s)^])/uy;
const fuzzySuffix = /~(\d*\.?\d*)(?=$|[\s)^])/uy;
const slopSuffix = /~(\d*)(?=$|[\s)^])/uy;
const boostSuffix = /\^(=?)(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)(?=$|[\s)])/uy;

// Reads the text of one cursor, by recursive descent.
class Parser {
  readonly #cursor: Cursor;
  readonly #isField: (name: string) => boolean;
  #depth = 0;

  constructor(text: string, options: LuceneOptions) {
    this.#cursor = new Cursor(text);
    this.#isField = options.isField;
  }

  readAll(): QueryNode {
    const clauses = this.#readSequence(undefined);
    if (this.#cursor.at < this.#cursor.text.length) {
      throw this.#cursor.error('a closing parenthesis has no opening one');
    }
    return clauses.length === 0 ? { kind: 'all' } : collapse(clauses);
  }

  #readSequence(field: string | undefined): readonly Clause[] {
    const clauses: Clause[] = [];
    while (!this.#atEnd()) {
      clauses.push(...this.#readAlternatives(field));
    }
    return clauses;
  }

  // One OR chain; without an OR it is just its required parts.
  #readAlternatives(field: string | undefined): readonly Clause[] {
    const first = this.#readConjunction(field);
    const alternatives = [first];
    while (this.#takeOperator('OR', '||')) {
      alternatives.push(this.#readConjunction(field));
    }
    if (alternatives.length === 1) {
      return first.map(toClause);
    }
    return alternatives.map((items) => ({ occur: 'should', node: collapse(items.map(toClause)) }));
  }

  #readConjunction(field: string | undefined): readonly Item[] {
    const items = [this.#readItem(field)];
    while (this.#takeOperator('AND', '&&')) {
      items.push(this.#readItem(field));
    }
    return items;
  }

  // A plus says what holds anyway; a minus, an exclamation mark or NOT negates. A sign before a blank is a plain dash.
  #readItem(field: string | undefined): Item {
    let isNegated = false;
    while (this.#takeOperator('NOT')) {
      isNegated = !isNegated;
    }
    if (this.#atEnd()) {
      throw this.#cursor.error('an operator has nothing after it');
    }
    const operator =
      this.#cursor.match(wordOperator) ??
      (this.#cursor.startsWith('&&') || this.#cursor.startsWith('||') ? [] : undefined);
    if (operator !== undefined) {
      throw this.#cursor.error('an operator stands where a word was expected');
    }
    const sign = this.#cursor.peek();
    const next = this.#cursor.peek(1);
    if ((sign === '-' || sign === '+' || sign === '!') && next !== '' && next !== ')' && !blank.test(next)) {
      this.#cursor.at += 1;
      isNegated = sign === '+' ? isNegated : !isNegated;
    }
    return { isNegated, node: this.#readPrimary(field) };
  }

  #readPrimary(outerField: string | undefined): QueryNode {
    if (this.#cursor.startsWith('*:*')) {
      this.#cursor.at += 3;
      return this.#readBoost({ kind: 'all' });
    }
    const prefix = this.#cursor.match(fieldPrefix);
    const name = prefix?.[1];
    const field = name !== undefined && this.#isField(name) ? name : undefined;
    if (field !== undefined && prefix !== undefined) {
      this.#cursor.at += prefix[0].length;
    }
    return this.#readBoost(this.#readValue(field ?? outerField));
  }

  #readValue(field: string | undefined): QueryNode {
    const start = this.#cursor.peek();
    if (start === '(') {
      return this.#readGroup(field);
    }
    if (start === '"') {
      return this.#readPhrase(field);
    }
    if (start === '[' || start === '{') {
      return this.#readRange(field);
    }
    if (this.#cursor.match(regex) !== undefined) {
      throw fail(
        'unsupported_query',
        `Regular expressions are not supported (column ${this.#cursor.columnOf(this.#cursor.at)})`,
      );
    }
    return this.#readTerm(field);
  }

  #readGroup(field: string | undefined): QueryNode {
    const opened = this.#cursor.at;
    this.#cursor.at += 1;
    this.#depth += 1;
    if (this.#depth > deepestGroup) {
      throw fail('unsupported_query', `The query nests groups deeper than ${deepestGroup}`);
    }
    const clauses = this.#readSequence(field);
    if (this.#cursor.peek() !== ')') {
      throw this.#cursor.error('a parenthesis is never closed', opened);
    }
    if (clauses.length === 0) {
      throw this.#cursor.error('a group is empty', opened);
    }
    this.#cursor.at += 1;
    this.#depth -= 1;
    return collapse(clauses);
  }

  #readPhrase(field: string | undefined): QueryNode {
    const text = this.#cursor.readQuoted();
    const slop = this.#cursor.take(slopSuffix);
    return { kind: 'phrase', ...optionalField(field), text, slop: Math.min(Number(slop?.[1] ?? 0), 10_000) };
  }

  #readRange(field: string | undefined): QueryNode {
    const opened = this.#cursor.at;
    if (field === undefined) {
      throw this.#cursor.error('a range needs a field', opened);
    }
    const includesFrom = this.#cursor.peek() === '[';
    this.#cursor.at += 1;
    const from = this.#readBound(opened);
    this.#cursor.skipBlanks();
    if (!this.#cursor.startsWith('TO') || !blank.test(this.#cursor.peek(2))) {
      throw this.#cursor.error('a range needs TO between its bounds', opened);
    }
    this.#cursor.at += 2;
    const to = this.#readBound(opened);
    this.#cursor.skipBlanks();
    const closing = this.#cursor.peek();
    if (closing !== ']' && closing !== '}') {
      throw this.#cursor.error('a range is never closed', opened);
    }
    this.#cursor.at += 1;
    const bounds = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    return { kind: 'range', field, ...bounds, includesFrom, includesTo: closing === ']' };
  }

  #readBound(opened: number): string | undefined {
    this.#cursor.skipBlanks();
    if (this.#cursor.peek() === '"') {
      return this.#cursor.readQuoted();
    }
    const start = this.#cursor.at;
    let text = '';
    for (; this.#cursor.at < this.#cursor.text.length && !/[\s\]}"]/u.test(this.#cursor.peek()); this.#cursor.at += 1) {
      text += this.#cursor.readCharacter();
    }
    if (this.#cursor.at === start) {
      throw this.#cursor.error('a bound of a range is missing', opened);
    }
    return this.#cursor.text.slice(start, this.#cursor.at) === '*' ? undefined : text;
  }

  #readTerm(field: string | undefined): QueryNode {
    const start = this.#cursor.at;
    let text = '';
    let pattern = '';
    let literals = 0;
    let hasStar = false;
    let hasMark = false;
    let fuzzy: RegExpExecArray | undefined;
    for (; this.#cursor.at < this.#cursor.text.length; this.#cursor.at += 1) {
      const character = this.#cursor.peek();
      if (
        blank.test(character) ||
        '()"^'.includes(character) ||
        this.#cursor.startsWith('&&') ||
        this.#cursor.startsWith('||')
      ) {
        break;
      }
      fuzzy = character === '~' && this.#cursor.at > start ? this.#cursor.match(fuzzySuffix) : undefined;
      if (fuzzy !== undefined) {
        this.#cursor.at += fuzzy[0].length;
        break;
      }
      const plain = this.#cursor.readCharacter();
      const isWild = character === '*' || character === '?';
      text += plain;
      pattern += !isWild && /[*?\\]/.test(plain) ? `\\${plain}` : plain;
      literals += isWild ? 0 : 1;
      hasStar ||= character === '*';
      hasMark ||= character === '?';
    }
    if (this.#cursor.at === start) {
      throw this.#cursor.error('a word was expected');
    }
    if (hasStar && !hasMark && literals === 0) {
      return field === undefined ? { kind: 'all' } : { kind: 'exists', field };
    }
    // A lone question mark is punctuation, not a pattern.
    if ((hasStar || hasMark) && literals > 0) {
      return { kind: 'wildcard', ...optionalField(field), pattern };
    }
    const distance = fuzzy === undefined ? 0 : toDistance(fuzzy[1] ?? '', text);
    return distance === 0
      ? { kind: 'term', ...optionalField(field), text }
      : { kind: 'fuzzy', ...optionalField(field), text, distance };
  }

  #readBoost(node: QueryNode): QueryNode {
    if (this.#cursor.peek() !== '^') {
      return node;
    }
    const found = this.#cursor.match(boostSuffix);
    const factor = Number(found?.[2]);
    if (found === undefined || !Number.isFinite(factor)) {
      throw this.#cursor.error('a boost must be a number');
    }
    this.#cursor.at += found[0].length;
    return { kind: 'boost', node, factor, isConstant: found[1] === '=' };
  }

  #takeOperator(word: string, symbol?: string): boolean {
    this.#cursor.skipBlanks();
    if (symbol !== undefined && this.#cursor.startsWith(symbol)) {
      this.#cursor.at += symbol.length;
      this.#cursor.skipBlanks();
      return true;
    }
    if (this.#cursor.match(wordOperator)?.[1] !== word) {
      return false;
    }
    this.#cursor.at += word.length;
    this.#cursor.skipBlanks();
    return true;
  }

  #atEnd(): boolean {
    this.#cursor.skipBlanks();
    return this.#cursor.at >= this.#cursor.text.length || this.#cursor.peek() === ')';
  }
}

function toClause(item: Item): Clause {
  return { occur: item.isNegated ? 'not' : 'must', node: item.node };
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
