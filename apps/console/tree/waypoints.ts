// A tree that is opened piece by piece: of each open node the pieces of 200 children that somebody looked at. Which row stands where follows from
// the counts alone, so a hundred thousand siblings cost what twenty do.
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';

/** How many children a piece holds, as the service cuts them. */
export const waypointSize = 200;

/** A row of the tree as it is shown: `entry` is undefined while its piece is not there. */
export type Row = {
  readonly entry: JsonObject | undefined;
  readonly parent: Branch;
  /** Place among its siblings, from 0. */
  readonly position: number;
};

/** A node whose children are shown. */
export type Branch = {
  /** Null: the root. */
  readonly uri: string | null;
  /** Of its children; those of the root are at 1. */
  readonly level: number;
  readonly count: number;
  readonly pieces: Map<number, readonly JsonObject[]>;
  /** Open children by place. */
  readonly open: Map<number, Branch>;
};

/** A branch that nothing is known of but how many children it has. */
export const newBranch = (uri: string | null, level: number, count: number): Branch => ({
  uri,
  level,
  count,
  pieces: new Map(),
  open: new Map(),
});

/** How many rows a branch is. */
export const rowsOf = (branch: Branch): number =>
  [...branch.open.values()].reduce((sum, child) => sum + rowsOf(child), branch.count);

/** The row at a place in the whole tree, from 0; undefined behind the end. */
export function rowAt(branch: Branch, index: number): Row | undefined {
  let before = 0;
  for (const [position, child] of inOrder(branch)) {
    const own = position + before;
    if (index <= own) break;
    const size = rowsOf(child);
    if (index <= own + size) return rowAt(child, index - own - 1);
    before += size;
  }
  const position = index - before;
  if (position < 0 || position >= branch.count) return undefined;
  return { entry: entryAt(branch, position), parent: branch, position };
}

/** Where in the whole tree the child at a place of a branch is; -1 where the branch is not shown. */
export function indexOf(root: Branch, branch: Branch, position: number): number {
  let before = 0;
  for (const [at, child] of inOrder(root)) {
    if (root === branch && at >= position) break;
    const found = root === branch ? -1 : indexOf(child, branch, position);
    if (found >= 0) return at + before + 1 + found;
    before += rowsOf(child);
  }
  return root === branch ? position + before : -1;
}

/** The branch above another one, and its place there; undefined for the root. */
export function above(
  root: Branch,
  branch: Branch,
): { readonly parent: Branch; readonly position: number } | undefined {
  for (const [position, child] of root.open) {
    if (child === branch) return { parent: root, position };
    const found = above(child, branch);
    if (found !== undefined) return found;
  }
  return undefined;
}

const inOrder = (branch: Branch): readonly (readonly [number, Branch])[] =>
  [...branch.open].sort(([left], [right]) => left - right);

const entryAt = (branch: Branch, position: number): JsonObject | undefined =>
  branch.pieces.get(Math.floor(position / waypointSize))?.[position % waypointSize];

/** Puts a piece into a branch, as the service answered it. */
export function takePiece(branch: Branch, number: number, answer: Json): void {
  branch.pieces.set(number, Array.isArray(answer) ? answer.filter(isObject) : []);
}

/** How many children an entry has. */
export const childrenOf = (entry: JsonObject | undefined): number => Number(entry?.['child_count'] ?? 0);

/** The uri of an entry; '' while it is not there. */
export const uriOf = (entry: JsonObject | undefined): string => textOf(entry, 'uri') ?? '';
