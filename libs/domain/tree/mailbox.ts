// Jobs that change a tree as a whole run one at a time and in order: they share the mailbox of its root.

/** The mailbox of a tree, by the kind of its nodes and the id of its root. */
export const treeMailbox = (tree: {
  readonly repoId: number;
  readonly nodeKind: string;
  readonly rootId: number;
}): string => `tree/${tree.repoId}/${tree.nodeKind}/${tree.rootId}`;
