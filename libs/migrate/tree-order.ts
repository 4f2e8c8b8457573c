// The order of siblings in all trees of a kind, in little memory: four numbers a record.
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import { splitUri } from './uri-set.ts';

/** A place below which the order differs: a parent, or a root where the siblings have none. Ids are those of the siblings, in order. */
export type OrderDifference = {
  readonly below: string;
  readonly source: readonly number[];
  readonly here: readonly number[];
};

/** Gathers the places of records of one kind; the one place above each is its parent, otherwise its root. */
export class TreeOrder {
  readonly #above: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #places: { above: number[]; position: number[]; id: number[] } = { above: [], position: [], id: [] };

  /** Adds a record; one that stands in no tree is left out. */
  add(record: JsonObject): void {
    const above = aboveOf(record);
    const position = record['position'];
    const { id } = splitUri(textOf(record, 'uri') ?? '');
    if (above === undefined || typeof position !== 'number' || id === null) return;
    let number = this.#numbers.get(above);
    if (number === undefined) {
      number = this.#above.push(above) - 1;
      this.#numbers.set(above, number);
    }
    this.#places.above.push(number);
    this.#places.position.push(position);
    this.#places.id.push(id);
  }

  /** The ids below each place, in order; places come in no order of their own. */
  *siblings(): Generator<readonly [above: string, ids: readonly number[]]> {
    const { above, position, id } = this.#places;
    const order = Uint32Array.from(above.keys()).sort(
      (one, other) =>
        (above[one] ?? 0) - (above[other] ?? 0) ||
        (position[one] ?? 0) - (position[other] ?? 0) ||
        (id[one] ?? 0) - (id[other] ?? 0),
    );
    for (let from = 0; from < order.length;) {
      const number = above[order[from] ?? 0];
      let to = from;
      while (to < order.length && above[order[to] ?? 0] === number) to++;
      yield [this.#above[number ?? 0] ?? '', Array.from(order.subarray(from, to), (index) => id[index] ?? 0)];
      from = to;
    }
  }
}

/** Where the same siblings stand in another order. Siblings that are missing or moved elsewhere are told of as records. */
export function* orderDifferences(source: TreeOrder, here: TreeOrder): Generator<OrderDifference> {
  const ours = new Map(here.siblings());
  for (const [below, ids] of source.siblings()) {
    const others = ours.get(below) ?? [];
    const [inSource, inOurs] = [new Set(ids), new Set(others)];
    const one = ids.filter((id) => inOurs.has(id));
    const other = others.filter((id) => inSource.has(id));
    if (one.some((id, index) => id !== other[index])) yield { below, source: one, here: other };
  }
}

/** What a record stands below: its parent, otherwise its root; undefined where it stands in no tree. */
export function aboveOf(record: JsonObject): string | undefined {
  const refs = ['parent', 'resource', 'digital_object', 'classification'].map((name) =>
    textOf(objectOf(record, name), 'ref'),
  );
  return refs.find((ref) => ref !== undefined);
}
