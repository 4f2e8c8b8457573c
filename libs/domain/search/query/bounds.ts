// How large a query may be: what an index must answer is bounded by its clauses and by the words of each, whatever the characters are (contract:
// behaviour-search.md section 10). The text as a whole is bounded so that reading it is.
import type { QueryNode } from './ast.ts';
import { lexemeQueriesOf, leavesOf, refuse } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { operandsOf } from './tsquery.ts';

/** Clauses of a query, or values of a parameter, at most. */
export const mostClauses = 1024;
// With clauses of four times the length that an address in a field has, and operators between them.
const longestQuery = 262_144;
const longestClause = 4096;
// Of a query and all filters of a search together.
const mostConditions = 4096;
const mostOperands = 16_384;

/** Throws `unsupported_query` for a text that is not to be read at all. */
export function refuseTooLong(text: string): void {
  if (text.length > longestQuery) {
    throw refuse(`The query is longer than ${longestQuery} characters`);
  }
}

/**
 * Throws `unsupported_query` where a query that came as JSON has more than so many clauses, one of them is longer than so many characters, or a text
 * in it has U+0000: what is written in JSON escapes passes the check of parameters, and no index can be asked for it.
 */
export function refuseTooWide(node: QueryNode): void {
  const clauses = new ClauseCount();
  const visit = (one: QueryNode): void => {
    if (one.kind === 'group') for (const { node: part } of one.clauses) visit(part);
    else if (one.kind === 'boost') visit(one.node);
    else {
      clauses.add(lengthOf(one));
      if (textsOf(one).some((text) => text.includes('\0'))) throw refuse('The query has the character U+0000');
    }
  };
  visit(node);
}

function textsOf(node: QueryNode): readonly string[] {
  switch (node.kind) {
    case 'term':
    case 'phrase':
    case 'fuzzy':
      return [node.text];
    case 'wildcard':
      return [node.pattern];
    case 'range':
      return [node.from ?? '', node.to ?? ''];
    default:
      return [];
  }
}

/** The clauses of a query, counted while it is read. */
export class ClauseCount {
  #count = 0;

  /** Counts one of so many characters. Throws `unsupported_query` where that is one too many, or too long. */
  add(length: number): void {
    this.#count += 1;
    if (this.#count > mostClauses) {
      throw refuse(`The query has more than ${mostClauses} clauses`);
    }
    if (length > longestClause) {
      throw refuse(`A word or phrase of the query is longer than ${longestClause} characters`);
    }
  }
}

function lengthOf(node: QueryNode): number {
  const [text = ''] = node.kind === 'range' ? [] : textsOf(node);
  return text.length;
}

/** Throws `unsupported_query` where what a search asks of an index is too much altogether: many filters, each of many clauses or words. */
export function refuseTooMuch(predicate: Predicate): void {
  const words = lexemeQueriesOf(predicate).reduce((sum, query) => sum + operandsOf(query).length, 0);
  if (words > mostOperands || leavesOf(predicate).length > mostConditions) {
    throw refuse('The search has too many words and conditions, those of its filters among them');
  }
}
