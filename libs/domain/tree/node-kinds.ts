// Which kinds are nodes below which roots, from the registry of kinds.
import type { Kind } from '../kind.ts';
import { kinds } from '../kinds/index.ts';

/** The kind whose records are nodes below roots of this kind, or null. */
export function nodeKindOf(root: Kind): Kind | null {
  for (const kind of kinds.values()) if (kind.tree?.root === root.name) return kind;
  return null;
}

/** The kind of the children that records of this kind may have, or null: nodes are below nodes of their own kind. */
export const childKindOf = (kind: Kind): Kind | null => (kind.tree === undefined ? nodeKindOf(kind) : kind);

/** Roots and nodes: what is done to them may be done to much. */
export const isInTree = (kind: Kind): boolean => kind.tree !== undefined || nodeKindOf(kind) !== null;
