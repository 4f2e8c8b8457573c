// How nodes of a tree are moved, and moved back: the requests that lead there. The service puts the nodes of one request next to each other, at
// the rank that they have afterwards.

/** A node that was picked: where it stands among its siblings, and what is above it, from the root down. */
export type Picked = {
  readonly uri: string;
  readonly title: string;
  /** The uri of the node it is directly below; null: the root. */
  readonly parent: string | null;
  /** From 0. */
  readonly position: number;
  readonly above: readonly string[];
  /** Its place in the whole tree: that of the node below the root that it is in, and so on down to `position`. */
  readonly path: readonly number[];
};

/** Where nodes go: below a node (null: the root), in front of the child that is at `position` now. */
export type Target = { readonly parent: string | null; readonly position: number; readonly above: readonly string[] };

/** One request: these nodes, below a node, from this rank on. */
export type Step = { readonly parent: string | null; readonly children: readonly string[]; readonly position: number };

// Beyond the end: the service then appends.
const end = 2_000_000;

/** The nodes without those that go along with one above them, in the order of the tree. */
export const topmost = (picked: readonly Picked[]): readonly Picked[] =>
  picked.filter(({ above }) => !picked.some(({ uri }) => above.includes(uri))).toSorted(inTreeOrder);

function inTreeOrder({ path: left }: Picked, { path: right }: Picked): number {
  const at = left.findIndex((place, index) => place !== right[index]);
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

/** Whether a target is one of the nodes or below one. */
export const isWithin = (picked: readonly Picked[], target: Target): boolean =>
  picked.some(({ uri }) => target.parent === uri || target.above.includes(uri));

/** The requests that move nodes to a target. */
export function planMove(picked: readonly Picked[], { parent, position }: Target): readonly Step[] {
  const children = picked.map(({ uri }) => uri);
  const own = picked.filter((each) => each.parent === parent);
  const rank = position - own.filter((each) => each.position < position).length;
  const step = { parent, children, position: rank };
  // Of some that are there already and some that are not the ranks would shift while they come: they gather at the end first.
  const isMixed = own.length > 0 && own.length < picked.length;
  return isMixed || (own.length > 1 && !isRun(own)) ? [{ ...step, position: end }, step] : [step];
}

/** The requests that put nodes back where they were. */
export function planUndo(picked: readonly Picked[], now: string | null): readonly Step[] {
  // What came from elsewhere goes first, so that the ranks of the others are what they were.
  const parents = [...new Set(picked.map(({ parent }) => parent))].toSorted(
    (a, b) => Number(a === now) - Number(b === now),
  );
  return parents.flatMap((parent) => {
    const own = picked.filter((each) => each.parent === parent).toSorted((a, b) => a.position - b.position);
    const runs = runsOf(own).map((run) => ({
      parent,
      children: run.map(({ uri }) => uri),
      position: run[0]?.position ?? 0,
    }));
    // Among siblings of the same parent they stand in each other's way.
    const gathered = { parent, children: own.map(({ uri }) => uri), position: end };
    return parent === now && runs.length > 1 ? [gathered, ...runs] : runs;
  });
}

const isRun = (nodes: readonly Picked[]): boolean =>
  nodes.every(({ position }, index) => index === 0 || position === (nodes[index - 1]?.position ?? 0) + 1);

/** Nodes that stood next to each other, together. */
function runsOf(nodes: readonly Picked[]): readonly (readonly Picked[])[] {
  const runs: Picked[][] = [];
  for (const node of nodes) {
    const last = runs.at(-1);
    if (last !== undefined && last.at(-1)?.position === node.position - 1) last.push(node);
    else runs.push([node]);
  }
  return runs;
}
