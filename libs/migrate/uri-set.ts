// Uris, many of them, in little memory: those of a list differ in a number alone.

/** What a uri begins with, and the number it ends with; null where it ends with none. */
export function splitUri(uri: string): { readonly list: string; readonly id: number | null } {
  const match = /^(.*)\/(\d{1,15})$/.exec(uri);
  return match === null ? { list: uri, id: null } : { list: match[1] ?? '', id: Number(match[2]) };
}

/** The order of records in a comparison: by list, then by number. */
export function compareUris(one: string, other: string): number {
  const a = splitUri(one);
  const b = splitUri(other);
  if (a.list !== b.list) return a.list < b.list ? -1 : 1;
  return (a.id ?? -1) - (b.id ?? -1);
}

/** A set of uris. */
export class UriSet {
  readonly #lists = new Map<string, Set<number | null>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(uri: string): boolean {
    const { list, id } = splitUri(uri);
    return this.#lists.get(list)?.has(id) === true;
  }

  /** The numbers of the uris of a list, in order. */
  idsBelow(list: string): readonly number[] {
    return [...(this.#lists.get(list) ?? [])].flatMap((id) => id ?? []).sort((one, other) => one - other);
  }

  /** Takes a uri out, where it is in. */
  delete(uri: string): void {
    const { list, id } = splitUri(uri);
    if (this.#lists.get(list)?.delete(id) === true) this.#size--;
  }

  /** The uris, list by list. */
  *[Symbol.iterator](): Generator<string> {
    for (const [list, ids] of this.#lists) for (const id of ids) yield id === null ? list : `${list}/${id}`;
  }

  /** Whether it was not there before. */
  add(uri: string): boolean {
    const { list, id } = splitUri(uri);
    const ids = this.#lists.get(list) ?? new Set();
    if (ids.has(id)) return false;
    this.#lists.set(list, ids.add(id));
    this.#size++;
    return true;
  }
}
