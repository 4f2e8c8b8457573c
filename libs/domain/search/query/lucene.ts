// Reads query text in the Lucene syntax that clients send in `q` and `filter_query` (behaviour-search.md section 3):
// a hand-written scanner and precedence climbing, NOT before AND before OR before plain sequence.
// What the words mean in an index is left to query/compile.ts.
import { fail } from '../../errors.ts';
import { withField } from './ast.ts';
import type { Clause, QueryNode } from './ast.ts';
import { ClauseCount, refuseTooLong } from './bounds.ts';
import { Cursor, ParseError } from './scanner.ts';
import { readBoost, readPhrase, readRange, readTerm } from './values.ts';

const deepestGroup = 50;

/** What the parser must know: which prefixes before a colon are fields, all others being plain text, and the `field` that all of the text is asked of, as `field:(text)` is. */
export type LuceneOptions = { readonly isField: (name: string) => boolean; readonly field?: string };

/** What the caller should be told about a query that could not be read as written. */
export type QueryWarning = { readonly column: number; readonly message: string };

/**
 * Reads Lucene query text strictly. Blank text is match-all. AND binds before OR; members of a plain sequence are required,
 * the sides of an OR are optional. Throws ParseError for broken syntax, and Failure `unsupported_query` for a regular
 * expression, a text or clause that is too long, more than 1,024 clauses, or groups nested deeper than 50.
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
  const asked = (node: QueryNode): QueryNode => (options.field === undefined ? node : withField(node, options.field));
  try {
    // A bare `*:*` has no field of its own.
    return { node: asked(parseLucene(text, options)), warnings: [] };
  } catch (error) {
    if (!(error instanceof ParseError)) {
      throw error;
    }
    return {
      node: asked(toPlainWords(text)),
      warnings: [{ column: error.column, message: `${error.message}; searched as plain words` }],
    };
  }
}

/** The query that finds every blank-separated word of a text, all syntax taken as plain characters. */
export function toPlainWords(text: string): QueryNode {
  refuseTooLong(text);
  const words = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^(AND|OR|NOT)$/.test(word));
  // Blank text is match-all, as for the parser; one without any word finds nothing, which a term without a word says.
  if (text.trim() === '') return { kind: 'all' };
  const terms = words.length === 0 ? [text.trim()] : words;
  const count = new ClauseCount();
  for (const { length } of terms) count.add(length);
  return collapse(terms.map((term): Clause => ({ occur: 'must', node: { kind: 'term', text: term } })));
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

// Reads the text of one cursor, by recursive descent.
class Parser {
  readonly #cursor: Cursor;
  readonly #isField: (name: string) => boolean;
  readonly #field: string | undefined;
  readonly #clauses = new ClauseCount();
  #depth = 0;

  constructor(text: string, options: LuceneOptions) {
    this.#cursor = new Cursor(text);
    this.#isField = options.isField;
    this.#field = options.field;
  }

  readAll(): QueryNode {
    const clauses = this.#readSequence(this.#field);
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
      this.#clauses.add(3);
      this.#cursor.at += 3;
      return readBoost(this.#cursor, { kind: 'all' });
    }
    const prefix = this.#cursor.match(fieldPrefix);
    const name = prefix?.[1];
    const field = name !== undefined && this.#isField(name) ? name : undefined;
    if (field !== undefined && prefix !== undefined) {
      this.#cursor.at += prefix[0].length;
    }
    return readBoost(this.#cursor, this.#readValue(field ?? outerField));
  }

  #readValue(field: string | undefined): QueryNode {
    if (this.#cursor.peek() === '(') {
      return this.#readGroup(field);
    }
    const from = this.#cursor.at;
    const node = this.#readLeaf(field);
    this.#clauses.add(this.#cursor.at - from);
    return node;
  }

  #readLeaf(field: string | undefined): QueryNode {
    const start = this.#cursor.peek();
    if (start === '"') {
      return readPhrase(this.#cursor, field);
    }
    if (start === '[' || start === '{') {
      return readRange(this.#cursor, field);
    }
    if (this.#cursor.match(regex) !== undefined) {
      throw fail(
        'unsupported_query',
        `Regular expressions are not supported (column ${this.#cursor.columnOf(this.#cursor.at)})`,
      );
    }
    return readTerm(this.#cursor, field);
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
