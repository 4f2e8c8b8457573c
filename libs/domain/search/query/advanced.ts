// Structured queries (`aq`, `filter`): JSON of an advanced_query to the same syntax tree that query text gives.
// Contract: behaviour-search.md section 4, with its meaning for negation at every level set right.
import { fail } from '../../errors.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isObject, textOf } from '../../json.ts';
import type { Clause, QueryNode } from './ast.ts';
import { refuseTooWide } from './bounds.ts';
import { parseQuery } from './lucene.ts';
import { findField } from '../fields.ts';
import { parseMoment, step, toIsoText } from './moments.ts';

const deepest = 50;

// Names that clients use in structured queries, to the field they search; all others are field names.
const aliases: { readonly [alias: string]: string } = {
  keyword: 'fullrecord',
  creators: 'creators_text',
  subjects: 'subjects_text',
  published: 'publish',
};

const units = { year: 'YEAR', month: 'MONTH', day: 'DAY', second: 'SECOND' } as const;

/** How a structured query is read: `isLiteral` takes every value literally, as `filter` does. `now` is in milliseconds since 1970. */
export type AdvancedOptions = { readonly isLiteral: boolean; readonly now: number };

/**
 * Reads the JSON text of an advanced_query. Gives undefined where it holds no query. Throws `malformed_body` for text that is
 * no JSON, `bad_parameter` under `parameter` for a wrong shape, `unsupported_query` for unknown fields, bad dates and too many clauses.
 */
export function parseAdvancedQuery(text: string, parameter: string, options: AdvancedOptions): QueryNode | undefined {
  const value = parseJson(text);
  if (!isObject(value)) {
    throw refuseShape(parameter, 'must be an advanced_query object');
  }
  const query = value['query'];
  if (query === undefined || query === null) return undefined;
  const node = readNode(query, parameter, options, 0);
  refuseTooWide(node);
  return node;
}

function parseJson(text: string): Json {
  try {
    // JSON.parse gives any; what it returns is JSON by definition.
    return JSON.parse(text) as Json;
  } catch (error) {
    throw fail(
      'malformed_body',
      `Had some trouble parsing your request: ${error instanceof Error ? error.message : 'not JSON'}`,
    );
  }
}

function readNode(node: Json, parameter: string, options: AdvancedOptions, depth: number): QueryNode {
  if (depth > deepest) {
    throw fail('unsupported_query', `The query nests groups deeper than ${deepest}`);
  }
  if (!isObject(node)) {
    throw refuseShape(parameter, 'must hold query objects');
  }
  switch (textOf(node, 'jsonmodel_type')) {
    case 'boolean_query':
      return readBoolean(node, parameter, options, depth);
    case 'field_query':
      return negate(readFieldQuery(node, parameter, options), node, parameter);
    case 'boolean_field_query': {
      const field = fieldOf(node, parameter);
      return negate({ kind: 'term', field, text: String(truthOf(node, 'value', parameter) ?? true) }, node, parameter);
    }
    case 'date_field_query':
      return negate(readDate(node, parameter, options), node, parameter);
    case 'range_query': {
      const [from, to] = ['from', 'to'].map((end) => endOf(node, end, parameter));
      return negate(toRange(fieldOf(node, parameter), from, to), node, parameter);
    }
    default:
      throw refuseShape(parameter, `holds a query of unknown type '${textOf(node, 'jsonmodel_type') ?? ''}'`);
  }
}

function readBoolean(node: JsonObject, parameter: string, options: AdvancedOptions, depth: number): QueryNode {
  const subqueries = node['subqueries'];
  if (!Array.isArray(subqueries) || subqueries.length === 0) {
    throw refuseShape(parameter, 'a boolean_query needs at least one of subqueries');
  }
  // Array.isArray widens the elements of a readonly array to any; they are Json by the type of the node.
  const parts = (subqueries as readonly Json[]).map((part) => readNode(part, parameter, options, depth + 1));
  const operator = textOf(node, 'op');
  if (operator !== 'AND' && operator !== 'OR' && operator !== 'NOT') {
    throw refuseShape(parameter, "the op of a boolean_query must be one of: 'AND', 'OR', 'NOT'");
  }
  const [only] = parts;
  // The operator stands between subqueries: of one there is none, and NOT negates nothing (contract).
  if (parts.length === 1 && only !== undefined) {
    return only;
  }
  switch (operator) {
    case 'AND':
      return group(parts.map((part) => asClause('must', part)));
    case 'OR':
      return group(parts.map((part) => ({ occur: 'should', node: part })));
    case 'NOT':
      return group(parts.map((part, index) => asClause(index === 0 ? 'must' : 'not', part)));
  }
}

function readFieldQuery(node: JsonObject, parameter: string, options: AdvancedOptions): QueryNode {
  const field = fieldOf(node, parameter);
  // `equals` is no word of the contract, but clients in service send it, and mean `contains`.
  requireOneOf(node, 'comparator', ['contains', 'equals', 'empty'], parameter);
  if (textOf(node, 'comparator') === 'empty') {
    return not({ kind: 'exists', field });
  }
  const value = valueOf(node, parameter);
  if (truthOf(node, 'literal', parameter) === true || options.isLiteral) {
    return { kind: 'phrase', field, text: value, slop: 0 };
  }
  // A whole value, unlike words, keeps its colons: nothing else could name a URI.
  const isWords = findField(field)?.type === 'text';
  const text = isWords ? value.replaceAll(':', ' ') : value;
  return parseQuery(text, { isField: () => false, field }).node;
}

function readDate(node: JsonObject, parameter: string, options: AdvancedOptions): QueryNode {
  const field = fieldOf(node, parameter);
  const comparator = textOf(node, 'comparator');
  if (comparator === 'empty') {
    return not({ kind: 'exists', field });
  }
  requireOneOf(node, 'precision', ['day', 'month', 'year'], parameter);
  const { start, end } = parseMoment(valueOf(node, parameter), options.now);
  const precision = textOf(node, 'precision');
  // Without a precision a day is a day, and a moment is one: who asks for what changed since then wants the rest of that day too.
  const bare = precision === undefined && start === end ? units.second : units.day;
  const unit = precision === 'year' || precision === 'month' ? units[precision] : bare;
  const next = step(start, 1, unit);
  switch (comparator) {
    case 'greater_than':
      return toRange(field, toIsoText(next), undefined);
    case 'lesser_than':
      return toRange(field, undefined, toIsoText(start - 1));
    case 'equal':
      return toRange(field, toIsoText(start), toIsoText(next - 1));
    default:
      throw refuseShape(
        parameter,
        "the comparator of a date_field_query must be one of: 'greater_than', 'lesser_than', 'equal', 'empty'",
      );
  }
}

/** The value of a query for words or a date, which only the comparator `empty` may do without. */
function valueOf(node: JsonObject, parameter: string): string {
  const value = node['value'];
  if (value === undefined || value === null || value === '') {
    throw refuseShape(parameter, "value: Must specify either a value or use the 'empty' comparator");
  }
  if (typeof value !== 'string') {
    throw refuseShape(parameter, 'value: must be a text');
  }
  return value;
}

function requireOneOf(node: JsonObject, property: string, allowed: readonly string[], parameter: string): void {
  const value = node[property];
  if (value !== undefined && value !== null && !(typeof value === 'string' && allowed.includes(value))) {
    throw refuseShape(parameter, `${property} must be one of: ${allowed.map((one) => `'${one}'`).join(', ')}`);
  }
}

/** A property that is true or false, where it is given. A text or number in its place changes what is asked, whichever way it is read. */
function truthOf(node: JsonObject, property: string, parameter: string): boolean | undefined {
  const value = node[property];
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
  throw refuseShape(parameter, `${property}: must be true or false`);
}

/** An end of a range, where it is given. */
function endOf(node: JsonObject, property: string, parameter: string): string | undefined {
  const value = node[property];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  throw refuseShape(parameter, `${property}: must be a text`);
}

function fieldOf(node: JsonObject, parameter: string): string {
  const name = textOf(node, 'field');
  if (name === undefined || name === '') {
    throw refuseShape(parameter, 'a query needs a field');
  }
  const field = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  if (findField(field) === undefined) {
    throw fail('unsupported_query', `'${name}' is not a field of the index`);
  }
  return field;
}

function toRange(field: string, from: string | undefined, to: string | undefined): QueryNode {
  const isOpen = (bound: string | undefined) => bound === undefined || bound === '' || bound === '*';
  return {
    kind: 'range',
    field,
    ...(isOpen(from) ? {} : { from }),
    ...(isOpen(to) ? {} : { to }),
    includesFrom: true,
    includesTo: true,
  };
}

// A negation inside AND is a clause of that group; elsewhere a group of its own, which matches all the rest.
function asClause(occur: 'must' | 'not', node: QueryNode): Clause {
  const inner = node.kind === 'group' && node.clauses.length === 1 ? node.clauses[0] : undefined;
  return inner?.occur === 'not' ? { occur: occur === 'must' ? 'not' : 'must', node: inner.node } : { occur, node };
}

function negate(node: QueryNode, source: JsonObject, parameter: string): QueryNode {
  return truthOf(source, 'negated', parameter) === true ? not(node) : node;
}

function not(node: QueryNode): QueryNode {
  const clause = asClause('not', node);
  return clause.occur === 'must' ? clause.node : group([clause]);
}

function group(clauses: readonly Clause[]): QueryNode {
  return { kind: 'group', clauses };
}

function refuseShape(parameter: string, reason: string): Error {
  return fail('bad_parameter', { [parameter]: [reason] });
}
