// Computed properties of records in trees: the place of a node, and the ref of a root's tree.
import type { Kind } from '#domain/kind.ts';

/** `tree` of a root: a ref to the whole tree (contract 4.1). */
export const treeRef = (): string => `('"tree":' || json_build_object('ref', record_uri(r.kind, r.id, r.repo_id) || '/tree')::text || ',')`;

/**
 * The place of a node: root ref, `parent`, `position` (0-based among all siblings), `ancestors` (nearest first, root last,
 * with level) and `has_unpublished_ancestor`. Index probes only: primary keys for the way up, one bucket for the position.
 */
export const treePlace = (kind: Kind): string => {
  const tree = kind.tree;
  if (tree === undefined) throw new Error(`kind ${kind.name} has no tree`);
  return `(SELECT tree_place_text(r.repo_id, ${tree.code}::smallint, r.id, '${kind.name}', '${tree.root}', '${tree.rootProperty}'))`;
};
