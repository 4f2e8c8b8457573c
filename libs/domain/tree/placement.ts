// Where nodes end up in a list: rule 1.11 of the contract (a given position is the rank after the move, clamped to the end)
// for one node, and its fold over many for accept_children (1.13) and for children created with positions (1.15).
// Works on ranks alone, so the list itself is never read.

/**
 * Nodes to put beside each other: `rank` is the rank of the first once all runs before it are in place and every moving
 * node was taken out of the list. Runs come in ascending order.
 */
export type Run = { readonly rank: number; readonly ids: readonly number[] };

/** A node on its way into a list: `rank` is its present rank there, null where it comes from elsewhere. */
export type Child = { readonly id: number; readonly rank: number | null };

type Placed = { readonly id: number; rank: number };

/**
 * The runs for accept_children: children take the ranks position, position + 1, … of a list of `length` in the listed order
 * (`position` null: at its end). All from the list, or none: one run, moved forward as a whole where it would pass the end.
 * Mixed: rule 1.11 one child after the other as the reference does it, last to first where the first child moves down; children
 * that come to fill the end of the list stand in the listed order.
 */
export function planAcceptChildren(
  length: number,
  children: readonly Child[],
  position: number | null,
): readonly Run[] {
  const ids = children.map((child) => child.id);
  const present = children.filter((child) => child.rank !== null).length;
  if (ids.length === 0) return [];
  if (present === 0 || present === ids.length) return [{ rank: Math.min(position ?? Infinity, length - present), ids }];
  const steps = children.map((child, i) => ({ id: child.id, position: position === null ? null : position + i }));
  const firstRank = children[0]?.rank ?? null;
  const isDownward = firstRank !== null && position !== null && firstRank < position;
  const fold = new Fold(length, children);
  for (const step of isDownward ? steps.reverse() : steps) fold.move(step.id, step.position);
  return fold.runs(new Map(ids.map((id, i) => [id, i])));
}

/** How many of the other nodes of the list stand between the first and the last of the runs. */
export const countBetween = (runs: readonly Run[]): number =>
  runs.reduce((n, run, i) => {
    const next = runs[i + 1];
    return next === undefined ? n : n + next.rank - run.rank - run.ids.length;
  }, 0);

/** The runs as one, with the nodes that stand between them, in order: then these move with the others, and all come to the same places. */
export function joinRuns(runs: readonly Run[], between: readonly number[]): Run {
  let used = 0;
  const ids = runs.flatMap((run, i) => {
    const next = runs[i + 1];
    const first = used;
    if (next !== undefined) used += next.rank - run.rank - run.ids.length;
    return [...run.ids, ...between.slice(first, used)];
  });
  return { rank: runs[0]?.rank ?? 0, ids };
}

/** The runs for new nodes, each appended to a list of `length` and then moved to its position (null: left at the end). */
export function planInsertions(
  length: number,
  nodes: readonly { readonly id: number; readonly position: number | null }[],
): readonly Run[] {
  const fold = new Fold(length, []);
  for (const node of nodes) fold.move(node.id, node.position);
  return fold.runs(null);
}

/** Whether the runs leave everything as it is: one run, whose nodes have these very ranks already. */
export function isUnmoved(runs: readonly Run[], children: readonly Child[]): boolean {
  const run = runs[0];
  return runs.length === 1 && run !== undefined && children.every((child, i) => child.rank === run.rank + i);
}

// A list of which only the moving nodes are known, kept by ascending rank.
class Fold {
  readonly #placed: Placed[];
  // Most of those that come are new: an import brings a hundred thousand, for each of which the others would be gone through.
  readonly #ids: Set<number>;
  #length: number;

  constructor(length: number, children: readonly Child[]) {
    this.#length = length;
    this.#placed = children
      .flatMap((child) => (child.rank === null ? [] : [{ id: child.id, rank: child.rank }]))
      .sort((a, b) => a.rank - b.rank);
    this.#ids = new Set(this.#placed.map((node) => node.id));
  }

  move(id: number, position: number | null): void {
    if (!this.#ids.has(id)) {
      this.#ids.add(id);
      this.#length += 1;
    } else {
      const from = this.#placed.findLastIndex((node) => node.id === id);
      this.#placed.splice(from, 1);
      for (const node of this.#placed.slice(from)) node.rank -= 1;
    }
    const rank = Math.min(position ?? Infinity, this.#length - 1);
    let at = this.#placed.length;
    for (let node = this.#placed[at - 1]; node !== undefined && node.rank >= rank; node = this.#placed[at - 1]) {
      node.rank += 1;
      at -= 1;
    }
    this.#placed.splice(at, 0, { id, rank });
  }

  // `listed`: the order for the nodes that fill the end of the list.
  runs(listed: ReadonlyMap<number, number> | null): readonly Run[] {
    const runs: { rank: number; ids: number[] }[] = [];
    for (const node of this.#placed) {
      const last = runs.at(-1);
      if (last !== undefined && last.rank + last.ids.length === node.rank) last.ids.push(node.id);
      else runs.push({ rank: node.rank, ids: [node.id] });
    }
    const end = runs.at(-1);
    if (listed !== null && end !== undefined && end.rank + end.ids.length === this.#length) {
      end.ids.sort((a, b) => (listed.get(a) ?? 0) - (listed.get(b) ?? 0));
    }
    return runs;
  }
}
