// What names a tree: the repository, the number of the node kind in the tree tables, and the root record.
// The models are the words of "… not found" of the contract.
import type { Kind, TreeNode } from '../kind.ts';

/** Where the nodes of a kind are: ids are unique in it. */
export type TreeScope = { readonly repoId: number; readonly code: number };

/** One tree: all nodes of a kind below one root record. */
export type Tree = TreeScope & { readonly rootId: number; readonly nodeModel: string; readonly rootModel: string };

/** What a kind of nodes declares of its trees. Throws for kinds in no tree: whoever asks knows that its records are nodes. */
export function nodeOf(kind: Kind): TreeNode {
  if (kind.tree === undefined) throw new Error(`records of kind ${kind.name} are in no tree`);
  return kind.tree;
}

/** The number of a kind of nodes in the tree tables. Throws for kinds in no tree. */
export const treeCodeOf = (kind: Kind): number => nodeOf(kind).code;

/** The tree of a root record. `node` is the kind of its nodes; throws at programming mistakes alone, where that kind is in no tree. */
export function treeOf(node: Kind, root: Kind, repoId: number, rootId: number): Tree {
  if (node.tree === undefined || node.tree.root !== root.name)
    throw new Error(`${node.name} is no node kind of ${root.name}`);
  return { repoId, code: node.tree.code, rootId, nodeModel: node.model, rootModel: root.model };
}
