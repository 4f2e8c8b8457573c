// Small changes of a text by the nodes of its syntax tree. Parentheses are no nodes: what stands between two nodes may hold them.
import type { SyntaxNode } from './syntax.ts';
import { childOf, wordOf } from './syntax.ts';

/** What stands from `start` to `end` becomes `text`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** The text with the edit made. */
export function applyEdit(text: string, edit: Edit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

/** The node's place taken by something else. */
export function replaced(node: SyntaxNode, text: string): Edit {
  return { start: node.start, end: node.end, text };
}

/** Another operator between the two sides of a node. */
export function swappedOperator(node: SyntaxNode, source: string, next: string): readonly Edit[] {
  const start = operatorStart(node, source);
  return start === null ? [] : [{ start, end: start + wordOf(node, 'operator').length, text: next }];
}

/** The left side alone, with the parentheses it has. */
export function leftAlone(node: SyntaxNode, source: string): readonly Edit[] {
  const operator = operatorStart(node, source);
  if (operator === null) return [];
  return [{ start: source.slice(0, operator).trimEnd().length, end: node.end, text: '' }];
}

/** An element of a list, gone with the comma behind it; a comma that stays before the end of a list says nothing. */
export function withoutElement(element: SyntaxNode, source: string): Edit {
  const comma = /^\s*,/.exec(source.slice(element.end));
  return { start: element.start, end: element.end + (comma?.[0].length ?? 0), text: '' };
}

/** The last call of a chain, gone: `a.filter(f)` becomes `a`. */
export function withoutCall(call: SyntaxNode, source: string): readonly Edit[] {
  const callee = childOf(call, 'callee');
  const object = childOf(callee, 'object');
  const property = childOf(callee, 'property');
  if (object === null || property === null) return [];
  const dot = /\??\.\s*$/.exec(source.slice(object.end, property.start));
  return dot === null ? [] : [{ start: object.end + dot.index, end: call.end, text: '' }];
}

function operatorStart(node: SyntaxNode, source: string): number | null {
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left === null || right === null) return null;
  const between = source
    .slice(left.end, right.start)
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));
  const at = between.indexOf(wordOf(node, 'operator'));
  return at < 0 ? null : left.end + at;
}
