// Places where a change is noise by nature: no test ought to notice, so that such mutants would only say how many such places there are.
import type { SyntaxNode, Place } from './syntax.ts';
import { childOf, wordOf } from './syntax.ts';

/**
 * How long something waits and how much it takes at once or keeps in memory. One more or one less is neither right nor wrong; a test that
 * noticed would repeat the number. Limits that clients meet (sizes of pages and bodies, attempts) have other names and stay.
 */
const lasting = new RegExp(
  [
    '(?:[pP]atience|[pP]ause|poll|[lL]ook|[wW]ait|flush|throttle|[tT]imeout|[lL]ong|soon|soonest|late|[pP]atient)(?:Ms|Seconds)$',
    '(?:drain|recover|close|heartbeat|grace|signOfLife|plainEvery|lookEvery)(?:Ms|Seconds)$',
  ].join('|'),
);
const tuning = new RegExp(
  [
    lasting.source,
    '(?:block|batch|chunk|step|slice|piece|pool)(?:Size|Bytes)$',
    'AtOnce$',
    '^most(?:Known|Kept|Held|Keys)$',
    '^highWaterMark$',
    '^buckets$',
  ].join('|'),
);
const timers = new Set(['setTimeout', 'setInterval', 'sleep', 'wait']);
const logMethods = new Set(['debug', 'info', 'warn', 'error']);

/** Whether a number, or the arithmetic of one, only tunes. */
export function isTuning({ node, parents }: Place): boolean {
  const around = [...parents, node];
  const named = parents.findLastIndex((parent) => !isPartOfNumber(parent));
  const owner = around[named];
  if (owner === undefined) return false;
  if (owner.type === 'VariableDeclarator') return isNamed(childOf(owner, 'id'), tuning);
  if (owner.type === 'Property' || owner.type === 'PropertyDefinition') return isNamed(childOf(owner, 'key'), tuning);
  if (owner.type === 'AssignmentPattern') return isNamed(childOf(owner, 'left'), tuning);
  return owner.type === 'CallExpression' && timers.has(calledName(owner));
}

/**
 * Whether a comparison is with how long something waits: a moment sooner says as little as a millisecond less. One with how much is taken at once
 * may say where a list ends, and stays.
 */
export function isMoment({ node }: Place): boolean {
  return ['left', 'right'].some((side) => {
    const operand = childOf(node, side);
    return isNamed(operand?.type === 'MemberExpression' ? childOf(operand, 'property') : operand, lasting);
  });
}

/**
 * Whether a text is what operators read in the service's log (`log.info({ event: … })`). That the line is written stays a matter of tests; its
 * wording is not. What a job tells clients goes through `context.log(…)` and counts.
 */
export function isLogText({ parents }: Place): boolean {
  return parents.some((parent) => {
    if (parent.type !== 'CallExpression') return false;
    const callee = childOf(parent, 'callee');
    if (callee?.type === 'Identifier') return callee['name'] === 'log' && isEventName(parent);
    const object = childOf(callee, 'object');
    const owner = object?.type === 'MemberExpression' ? childOf(object, 'property') : object;
    return wordOf(owner, 'name') === 'log' && logMethods.has(calledName(parent));
  });
}

/** An example stands in the documentation; the contract tests send it as it is, and another one would do as well. */
export function isExample({ parents }: Place): boolean {
  return parents.some((parent) => parent.type === 'Property' && wordOf(childOf(parent, 'key'), 'name') === 'example');
}

/** `log('database_started', …)` of libs/store, which is given a function for its events; jobs log sentences. */
function isEventName(call: SyntaxNode): boolean {
  const texts = Array.isArray(call['arguments']) ? JSON.stringify(call['arguments'][0]) : '';
  return /"value":"[a-z]+(?:_[a-z]+)+"/.test(texts);
}

function isPartOfNumber(node: SyntaxNode): boolean {
  return ['BinaryExpression', 'UnaryExpression', 'ArrayExpression'].includes(node.type);
}

function calledName(call: SyntaxNode): string {
  const callee = childOf(call, 'callee');
  return wordOf(callee?.type === 'MemberExpression' ? childOf(callee, 'property') : callee, 'name');
}

function isNamed(node: SyntaxNode | null, pattern: RegExp): boolean {
  return pattern.test(wordOf(node, 'name'));
}
