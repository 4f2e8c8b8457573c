// `filter_by` as Typesense 29 documents and reads it: `&&` and `||` of one rank from left to right, parentheses, `:=`, `:!=`, comparisons, lists,
// values in backticks. Whatever is not of this grammar, or not a field of the collection, is an error as there.
import type { StandInCollection, StandInDocument } from './collection.ts';
import { tokensOf } from './collection.ts';
import { Refusal } from './refusal.ts';

const mostOperations = 100;

type Matches = (document: StandInDocument) => boolean;
type Item = { readonly kind: 'operator' | 'open' | 'close' | 'expression'; readonly text: string };

/** Reads a filter for a collection. An empty one matches every document. */
export function readFilter(text: string, collection: StandInCollection): Matches {
  if (text.trim() === '') return () => true;
  const postfix = toPostfix(itemsOf(text));
  if (postfix.length > mostOperations)
    throw new Refusal(
      400,
      `\`filter_by\` has too many operations. Maximum allowed: ${mostOperations}. Use \`--filter-by-max-ops\` command line argument to customize this value.`,
    );
  const stack: Matches[] = [];
  for (const item of postfix) {
    if (item.kind === 'expression') {
      stack.push(readExpression(item.text, collection));
      continue;
    }
    const [right, left] = [stack.pop(), stack.pop()];
    if (left === undefined || right === undefined)
      throw new Refusal(400, `Could not parse the filter query: unbalanced \`${item.text}\` operands.`);
    stack.push(
      item.text === '&&'
        ? (document) => left(document) && right(document)
        : (document) => left(document) || right(document),
    );
  }
  const [only] = stack;
  if (only === undefined || stack.length > 1) throw new Refusal(400, 'Could not parse the filter query.');
  return only;
}

function itemsOf(text: string): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    // An expression goes up to the next parenthesis or operator that does not stand in backticks.
    const [item = '', blank, operator, parenthesis] =
      /^(?:(\s+)|(&&|\|\|)|([()])|(?:`[^`]*`|(?!&&|\|\|)[^()`])+)/.exec(rest) ?? [];
    if (item === '') throw new Refusal(400, 'Could not parse the filter query.');
    if (operator !== undefined) items.push({ kind: 'operator', text: operator });
    else if (parenthesis !== undefined) items.push({ kind: parenthesis === '(' ? 'open' : 'close', text: parenthesis });
    else if (blank === undefined) items.push({ kind: 'expression', text: item.trim() });
    at += item.length;
  }
  return items;
}

function toPostfix(items: readonly Item[]): readonly Item[] {
  const output: Item[] = [];
  const waiting: Item[] = [];
  const unbalanced = new Refusal(400, 'Could not parse the filter query: unbalanced parentheses.');
  for (const item of items) {
    if (item.kind === 'expression') output.push(item);
    else if (item.kind === 'open') waiting.push(item);
    else {
      while (waiting.length > 0 && waiting.at(-1)?.kind !== 'open') output.push(...waiting.splice(-1));
      if (item.kind === 'operator') waiting.push(item);
      else if (waiting.pop()?.kind !== 'open') throw unbalanced;
    }
  }
  if (waiting.some(({ kind }) => kind === 'open')) throw unbalanced;
  return [...output, ...waiting.reverse()];
}

function readExpression(text: string, collection: StandInCollection): Matches {
  const [, name = '', condition = ''] = /^([^:\s]+)\s*:\s*([^]*)$/.exec(text) ?? [];
  if (name === '') throw new Refusal(400, 'Could not parse the filter query.');
  const type = name === 'id' ? 'string' : collection.typeOf(name);
  if (type === undefined) throw new Refusal(404, `Could not find a filter field named \`${name}\` in the schema.`);
  if (condition === '') throw new Refusal(400, `Error with filter field \`${name}\`: Filter value cannot be empty.`);
  const values = (document: StandInDocument): readonly unknown[] =>
    [document[name]].flat().filter((value) => value !== undefined);
  if (name === 'id') return readIds(condition, values);
  if (type.startsWith('string')) return readTexts(name, condition, values);
  if (type.startsWith('bool')) return readTruth(name, condition, values);
  return readNumbers(name, type, condition, values);
}

/** A value or a list of values, unquoted. */
function listed(text: string): readonly string[] {
  const inner = /^\[([^]*)\]$/.exec(text)?.[1];
  if (inner === undefined) return [unquoted(text)];
  return [...inner.matchAll(/(?:`[^`]*`|[^,`])+/g)].map(([value]) => unquoted(value));
}

const unquoted = (text: string): string => text.trim().replace(/^`([^`]*)`$/, '$1');

function readIds(condition: string, values: (document: StandInDocument) => readonly unknown[]): Matches {
  const [, isNot, list = ''] = /^(!)?=?\s*([^]+)$/.exec(condition) ?? [];
  const wanted = new Set(listed(list));
  return (document) => values(document).some((value) => wanted.has(String(value))) === (isNot === undefined);
}

/** Only `:=` and `:!=` here: a whole value, compared by its tokens. Matching by words or beginnings is not what we ask for. */
function readTexts(
  name: string,
  condition: string,
  values: (document: StandInDocument) => readonly unknown[],
): Matches {
  const [, isNot, list = ''] = /^(!)?=\s*([^]+)$/.exec(condition) ?? [];
  if (list === '')
    throw new Refusal(400, `stand-in: \`${name}\` is filtered without = or !=, which matches single words`);
  const keys = listed(list).map((value) => tokensOf(value).join(' '));
  if (keys.some((key) => key === '' || key.includes('*')))
    throw new Refusal(400, `Error with filter field \`${name}\`: Filter value cannot be empty.`);
  const wanted = new Set(keys);
  return (document) =>
    values(document).some((value) => wanted.has(tokensOf(String(value)).join(' '))) === (isNot === undefined);
}

function readTruth(
  name: string,
  condition: string,
  values: (document: StandInDocument) => readonly unknown[],
): Matches {
  const [, isNot, value = ''] = /^(!)?=?\s*(true|false)$/.exec(condition) ?? [];
  if (value === '') throw new Refusal(400, `Value of filter field \`${name}\` must be \`true\` or \`false\`.`);
  return (document) => values(document).includes(value === 'true') === (isNot === undefined);
}

function readNumbers(
  name: string,
  type: string,
  condition: string,
  values: (document: StandInDocument) => readonly unknown[],
): Matches {
  const [, isNot, list = ''] = /^(!=|=)?\s*([^]+)$/.exec(condition) ?? [];
  const tests = listed(list).map((part) => {
    const [, sign = '=', text = ''] = /^(<=|>=|<|>)?(-?\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
    if (text === '')
      throw new Refusal(
        400,
        `Error with filter field \`${name}\`: ${type.startsWith('int') ? `Not an ${type.replace('[]', '')}.` : 'Not a float.'}`,
      );
    if (type.startsWith('int32') && Math.abs(Number(text)) > 2_147_483_647)
      throw new Refusal(400, `Error with filter field \`${name}\`: \`${text}\` exceeds the range of an int32.`);
    const bound = Number(text);
    return (value: number): boolean =>
      sign === '='
        ? value === bound
        : sign === '<'
          ? value < bound
          : sign === '>'
            ? value > bound
            : sign === '<='
              ? value <= bound
              : value >= bound;
  });
  return (document) =>
    values(document).some((value) => typeof value === 'number' && tests.some((test) => test(value))) ===
    (isNot !== '!=');
}
