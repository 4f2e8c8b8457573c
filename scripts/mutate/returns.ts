// What a function may return instead: the least value of the type that it declares, or nothing where it declares none.
import type { Edit } from './edits.ts';
import { replaced } from './edits.ts';
import type { Place, SyntaxNode } from './syntax.ts';
import { childOf } from './syntax.ts';

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Other values for `return x`, and for the body of an arrow function that declares its type. */
export function otherReturns({ node, parents }: Place, source: string): readonly Edit[] {
  const isArrow = node.type === 'ArrowFunctionExpression' && childOf(node, 'body')?.type !== 'BlockStatement';
  if (!isArrow && node.type !== 'ReturnStatement') return [];
  const owner = isArrow ? node : parents.findLast((parent) => functions.includes(parent.type));
  const value = childOf(node, isArrow ? 'body' : 'argument');
  if (owner === undefined || value === null) return [];
  const written = source.slice(value.start, value.end);
  return leastValues(owner, source, isArrow)
    .filter((least) => least !== written && !(isTruth(least) && isTruth(written)))
    .map((least) => replaced(value, least));
}

function leastValues(owner: SyntaxNode, source: string, isArrow: boolean): readonly string[] {
  const annotation = childOf(owner, 'returnType');
  if (annotation === null) return isArrow ? [] : ['undefined'];
  const type = source.slice(annotation.start, annotation.end).replace(/^:\s*/, '');
  const promised = /^Promise<(.*)>$/s.exec(type)?.[1];
  const values = ofType(promised ?? type);
  return promised === undefined || owner['async'] === true
    ? values
    : values.map((value) => `Promise.resolve(${value})`);
}

function ofType(type: string): readonly string[] {
  if (/^(?:void|never)$/.test(type)) return [];
  if (type === 'boolean' || /^\w+ is /.test(type)) return ['true', 'false'];
  if (type === 'string') return ["''"];
  if (type === 'number') return ['0'];
  if (/\| null\b/.test(type)) return ['null'];
  if (/\| undefined\b/.test(type)) return ['undefined'];
  return /\[\]$|^(?:Readonly)?Array</.test(type) ? ['[]'] : ['undefined', 'null'];
}

function isTruth(text: string): boolean {
  return text === 'true' || text === 'false';
}
