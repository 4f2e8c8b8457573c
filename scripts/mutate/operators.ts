// The mutation operators: which small change each makes of a node. A change that a compiler refuses is no mutant; that is found out
// when one is drawn, not here.
import type { Edit } from './edits.ts';
import { leftAlone, replaced, swappedOperator, withoutCall, withoutElement } from './edits.ts';
import { isLogText, isMoment, isTuning } from './noise.ts';
import { otherReturns } from './returns.ts';
import { isOrdinaryText } from './texts.ts';
import type { Place } from './syntax.ts';
import { childOf, childrenOf, wordOf } from './syntax.ts';

/** A kind of change. `weight` says how often it is drawn for each place, so that what is everywhere does not crowd out the rest. */
export type Operator = {
  readonly name: string;
  readonly weight: number;
  readonly edits: (place: Place, source: string) => readonly Edit[];
};

const flipped = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['==', '!='],
  ['!=', '=='],
  ['<', '>='],
  ['>=', '<'],
  ['>', '<='],
  ['<=', '>'],
]);
const moved = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);
const logic = new Map([
  ['&&', '||'],
  ['||', '&&'],
]);
const arithmetic = new Map([
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['+=', '-='],
  ['-=', '+='],
  ['*=', '/='],
]);
const methods = new Map(
  [
    ['some', 'every'],
    ['startsWith', 'endsWith'],
    ['min', 'max'],
    ['toLowerCase', 'toUpperCase'],
    ['find', 'findLast'],
    ['indexOf', 'lastIndexOf'],
    ['floor', 'ceil'],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
);
const droppable = new Set(['filter', 'toSorted', 'sort', 'toReversed', 'reverse', 'trim', 'trimStart', 'trimEnd']);

/** All operators. */
export const operators: readonly Operator[] = [
  { name: 'comparison', weight: 1, edits: swapping(['BinaryExpression'], flipped) },
  { name: 'boundary', weight: 1, edits: boundary },
  { name: 'logic', weight: 1, edits: swapping(['LogicalExpression'], logic) },
  { name: 'negation', weight: 1, edits: negation },
  { name: 'boolean', weight: 1, edits: booleanLiteral },
  { name: 'number', weight: 0.4, edits: numberLiteral },
  { name: 'string', weight: 0.15, edits: text },
  { name: 'return', weight: 0.7, edits: otherReturns },
  { name: 'call', weight: 1, edits: call },
  { name: 'method', weight: 1, edits: method },
  { name: 'default', weight: 1, edits: defaultDropped },
  { name: 'spread', weight: 1, edits: spread },
  { name: 'condition', weight: 0.5, edits: condition },
  { name: 'element', weight: 0.15, edits: element },
  { name: 'arithmetic', weight: 1, edits: sum },
];

function swapping(types: readonly string[], pairs: ReadonlyMap<string, string>): Operator['edits'] {
  return ({ node }, source) => {
    const next = types.includes(node.type) ? pairs.get(wordOf(node, 'operator')) : undefined;
    return next === undefined ? [] : swappedOperator(node, source, next);
  };
}

function boundary(place: Place, source: string): readonly Edit[] {
  return isMoment(place) ? [] : swapping(['BinaryExpression'], moved)(place, source);
}

/** `!x` becomes `x`. */
function negation({ node }: Place): readonly Edit[] {
  if (node.type !== 'UnaryExpression' || node['operator'] !== '!') return [];
  return [{ start: node.start, end: node.start + 1, text: '' }];
}

function booleanLiteral({ node }: Place): readonly Edit[] {
  return node.type === 'Literal' && typeof node['value'] === 'boolean' ? [replaced(node, String(!node['value']))] : [];
}

/** One more and one less. */
function numberLiteral(place: Place): readonly Edit[] {
  const { node, parents } = place;
  const value = node['value'];
  if (node.type !== 'Literal' || typeof value !== 'number' || parents.at(-1)?.['key'] === node) return [];
  if (isTuning(place)) return [];
  return [value + 1, value - 1].map((next) => replaced(node, next < 0 ? `(${next})` : String(next)));
}

function text(place: Place, source: string): readonly Edit[] {
  return isOrdinaryText(place, source) && !isLogText(place) ? [replaced(place.node, "''")] : [];
}

/** A statement that calls something does nothing. Not ';', which the compiler refuses as the body of an `if`. */
function call({ node }: Place): readonly Edit[] {
  if (node.type !== 'ExpressionStatement') return [];
  const awaited = childOf(node, 'expression');
  const chain = awaited?.type === 'AwaitExpression' ? childOf(awaited, 'argument') : awaited;
  const called = chain?.type === 'ChainExpression' ? childOf(chain, 'expression') : chain;
  return called?.type === 'CallExpression' && childOf(called, 'callee')?.type !== 'Super' ? [replaced(node, '{}')] : [];
}

/** A method's counterpart, or its object untouched by it. */
function method({ node }: Place, source: string): readonly Edit[] {
  const callee = node.type === 'CallExpression' ? childOf(node, 'callee') : null;
  const property =
    callee?.type === 'MemberExpression' && callee['computed'] !== true ? childOf(callee, 'property') : null;
  if (property === null) return [];
  const name = wordOf(property, 'name');
  const other = methods.get(name);
  return [
    ...(other === undefined ? [] : [replaced(property, other)]),
    ...(droppable.has(name) ? withoutCall(node, source) : []),
  ];
}

/** `a ?? b` becomes `a`. */
function defaultDropped({ node }: Place, source: string): readonly Edit[] {
  return node.type === 'LogicalExpression' && node['operator'] === '??' ? leftAlone(node, source) : [];
}

/** What is spread only sometimes never is. */
function spread({ node }: Place, source: string): readonly Edit[] {
  return isOptionalSpread(node) ? [withoutElement(node, source)] : [];
}

/** An array without one of its elements. */
function element({ node }: Place, source: string): readonly Edit[] {
  if (node.type !== 'ArrayExpression') return [];
  return childrenOf(node, 'elements')
    .filter((one) => !isOptionalSpread(one))
    .map((one) => withoutElement(one, source));
}

function isOptionalSpread(node: Place['node']): boolean {
  const type = childOf(node, 'argument')?.type ?? '';
  return node.type === 'SpreadElement' && ['ConditionalExpression', 'LogicalExpression'].includes(type);
}

/** A condition that always holds, or never. */
function condition({ node }: Place): readonly Edit[] {
  const test = ['IfStatement', 'ConditionalExpression'].includes(node.type) ? childOf(node, 'test') : null;
  return test === null || test.type === 'Literal' ? [] : [replaced(test, 'true'), replaced(test, 'false')];
}

function sum(place: Place, source: string): readonly Edit[] {
  const { node, parents } = place;
  if (node.type === 'UpdateExpression') {
    // A loop that counts the wrong way does not end, and says nothing about tests.
    if (parents.at(-1)?.type === 'ForStatement') return [];
    const sign = wordOf(node, 'operator');
    const start = node['prefix'] === true ? node.start : node.end - sign.length;
    return [{ start, end: start + sign.length, text: sign === '++' ? '--' : '++' }];
  }
  if ([childOf(node, 'left'), childOf(node, 'right')].some(isText) || isTuning(place)) return [];
  return swapping(['BinaryExpression', 'AssignmentExpression'], arithmetic)(place, source);
}

function isText(node: Place['node'] | null): boolean {
  return node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node['value'] === 'string');
}
