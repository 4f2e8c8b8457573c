// Positions of nodes among their siblings, remembered as long as the version of their tree stands: counting them is most of what the
// place of a node costs a read. Every write to a tree raises its version in the same transaction (root.ts), and a reader asks for the
// version in the statement that reads the record, so what is remembered is either exact or not used.

/** Nodes remembered at most, of all trees together: some 10 MB. */
const mostNodes = 200_000;

type Remembered = { readonly version: string; readonly positions: Map<number, number> };

/** The memory of one process. Only for readers outside transactions: what a transaction sees may be rolled back. */
export class PositionMemory {
  readonly #trees = new Map<string, Remembered>();
  readonly #mostNodes: number;
  #nodes = 0;

  constructor(most: number = mostNodes) {
    this.#mostNodes = most;
  }

  /** The position of a node in a tree of this version; undefined where it is not known. `root` names the tree among all. */
  find(root: string, version: string, id: number): number | undefined {
    const tree = this.#trees.get(root);
    return tree === undefined || tree.version !== version ? undefined : tree.positions.get(id);
  }

  /** Remembers siblings that stand one behind the other, the first at `start`. What is known of another version is dropped. */
  keep(root: string, version: string, start: number, ids: readonly number[]): void {
    let tree = this.#trees.get(root);
    if (tree === undefined || tree.version !== version) {
      this.#drop(root);
      tree = { version, positions: new Map() };
      this.#trees.set(root, tree);
    }
    const before = tree.positions.size;
    for (const [index, id] of ids.entries()) tree.positions.set(id, start + index);
    this.#nodes += tree.positions.size - before;
    // The tree that was begun first goes first; one that is too large alone begins anew.
    for (const oldest of this.#trees.keys()) {
      if (this.#nodes <= this.#mostNodes) break;
      this.#drop(oldest);
    }
  }

  /** Forgets all: versions may come again, on a server that does not know of the last ones. */
  forget(): void {
    this.#trees.clear();
    this.#nodes = 0;
  }

  #drop(root: string): void {
    this.#nodes -= this.#trees.get(root)?.positions.size ?? 0;
    this.#trees.delete(root);
  }
}
