// Syntax trees of TypeScript for mutation testing, from the parser that vitest brings. Their nodes are read by field name, so that
// one walk serves all kinds of them; types are left out of the walk, since nothing in them runs.
import { parseAst } from 'vitest/node';

/** A node: its kind, its place in the text, and its fields by name. */
export type SyntaxNode = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
};

/** A node and what it stands in, the innermost last. */
export type Place = { readonly node: SyntaxNode; readonly parents: readonly SyntaxNode[] };

/** The tree of a file; throws where the text is no TypeScript. */
export function parse(text: string): SyntaxNode {
  const program: unknown = parseAst(text, { lang: 'ts', astType: 'ts' });
  if (!isNode(program)) throw new Error('the parser gave no tree');
  return program;
}

/** Every node that runs, outer ones first; `enter` may leave a node out with all that is in it. */
export function* walk(
  node: SyntaxNode,
  enter: (node: SyntaxNode) => boolean = () => true,
  parents: readonly SyntaxNode[] = [],
): Generator<Place> {
  if (!enter(node)) return;
  yield { node, parents };
  if (node.type.startsWith('TS') && !expressions.has(node.type)) return;
  const below = [...parents, node];
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* walk(child, enter, below);
}

/** The nodes of types that hold an expression. */
const expressions = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion']);

/** The node in a field, or null. */
export function childOf(node: SyntaxNode | null | undefined, field: string): SyntaxNode | null {
  const value = node?.[field];
  return isNode(value) ? value : null;
}

/** The nodes in a field that holds a list; holes are left out. */
export function childrenOf(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The text in a field ('name', 'operator'…); empty where there is none. */
export function wordOf(node: SyntaxNode | null | undefined, field: string): string {
  const value = node?.[field];
  return typeof value === 'string' ? value : '';
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
