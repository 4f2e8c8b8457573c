// Trees as plain arrays, doing what the contract says in the most obvious way; the property test compares the store with it.
// Positions follow rule 1.11 one child at a time wherever the contract folds it.

/** A node of the model. */
export type ModelNode = { readonly id: number; parentId: number | null; visible: boolean };

/** A tree whose lists are arrays of ids. */
export class ModelTree {
  readonly nodes = new Map<number, ModelNode>();
  readonly lists = new Map<number, number[]>();

  list(parentId: number | null): number[] {
    const key = parentId ?? 0;
    const list = this.lists.get(key) ?? [];
    this.lists.set(key, list);
    return list;
  }

  insert(
    parentId: number | null,
    position: number | null,
    nodes: readonly { readonly id: number; readonly visible: boolean }[],
  ): void {
    const list = this.list(parentId);
    list.splice(Math.min(position ?? list.length, list.length), 0, ...nodes.map((node) => node.id));
    for (const node of nodes) this.nodes.set(node.id, { ...node, parentId });
  }

  isAbove(id: number, below: number | null): boolean {
    for (let at = below; at !== null; at = this.nodes.get(at)?.parentId ?? null) if (at === id) return true;
    return false;
  }

  /** False where the move would make a cycle; nothing is changed then. */
  move(parentId: number | null, position: number | null, ids: readonly number[]): boolean {
    if (ids.some((id) => this.isAbove(id, parentId))) return false;
    const here = ids.filter((id) => this.nodes.get(id)?.parentId === parentId);
    if (here.length === 0 || here.length === ids.length) {
      for (const id of ids) this.#takeOut(id);
      const list = this.list(parentId);
      list.splice(Math.min(position ?? list.length, list.length), 0, ...ids);
      for (const id of ids) this.#node(id).parentId = parentId;
      return true;
    }
    const firstRank = this.list(parentId).indexOf(ids[0] ?? 0);
    const steps = ids.map((id, i) => ({ id, position: position === null ? null : position + i }));
    for (const step of position !== null && firstRank !== -1 && firstRank < position ? steps.reverse() : steps)
      this.#moveOne(parentId, step.position, step.id);
    const list = this.list(parentId);
    let tail = list.length;
    while (tail > 0 && ids.includes(list[tail - 1] ?? 0)) tail--;
    const end = list.splice(tail);
    list.push(...end.sort((a, b) => ids.indexOf(a) - ids.indexOf(b)));
    return true;
  }

  #moveOne(parentId: number | null, position: number | null, id: number): void {
    this.#takeOut(id);
    const list = this.list(parentId);
    list.splice(Math.min(position ?? list.length, list.length), 0, id);
    this.#node(id).parentId = parentId;
  }

  delete(id: number): number[] {
    const gone = this.below(id);
    this.#takeOut(id);
    for (const one of gone) {
      this.nodes.delete(one);
      this.lists.delete(one);
    }
    return gone;
  }

  /** The node and all below it. */
  below(id: number): number[] {
    return [id, ...this.list(id).flatMap((child) => this.below(child))];
  }

  walk(parentId: number | null, depth: number, publishedOnly: boolean): { id: number; depth: number }[] {
    return this.shown(parentId, publishedOnly).flatMap((id) => [
      { id, depth },
      ...this.walk(id, depth + 1, publishedOnly),
    ]);
  }

  shown(parentId: number | null, publishedOnly: boolean): number[] {
    return (this.lists.get(parentId ?? 0) ?? []).filter((id) => !publishedOnly || this.#node(id).visible);
  }

  #takeOut(id: number): void {
    const list = this.list(this.#node(id).parentId);
    list.splice(list.indexOf(id), 1);
  }

  #node(id: number): ModelNode {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`the model has no node ${id}`);
    return node;
  }
}
