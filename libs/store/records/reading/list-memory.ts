// How many records a long list has, and where its pages began, remembered by a process while nothing changes: a script that pages through a million
// records would have all of them counted for each page, and all before the page gone through. What counts as a change: resolved-texts.ts.

/** A place of a list in ascending order of id: how many records come before it, and the id of the last of them. */
type Place = { readonly offset: number; readonly id: number };

type List = { readonly total: number; readonly places: Map<number, Place> };

const mostLists = 100;
const mostPlaces = 100;

/** The memory of one process. For readers outside transactions alone: what a transaction sees may be rolled back. */
export class ListMemory {
  /** Lists of so many records are long: counting shorter ones costs no more than asking whether something has changed. */
  readonly #longFrom: number;
  readonly #long = new Set<string>();
  readonly #lists = new Map<string, List>();
  #generation = -1;

  constructor(longFrom = 10_000) {
    this.#longFrom = longFrom;
  }

  /** Whether a list was long when it was last counted, so that it is worth asking for the generation. */
  isLong(key: string): boolean {
    return this.#long.has(key);
  }

  /** What is known of a list in a generation (ResolvedTexts.current): its total, and the last place known at or before an offset. */
  find(key: string, generation: number, offset: number): { readonly total: number; readonly from: Place } | null {
    const list = this.#generation === generation ? this.#lists.get(key) : undefined;
    if (list === undefined) return null;
    return { total: list.total, from: list.places.get(offset) ?? { offset: 0, id: 0 } };
  }

  /** Keeps what was read under a generation: the total, and the id of the last record of a page where the list was read in ascending order of id. */
  keep(key: string, generation: number | null, total: number, last: Place | null): void {
    if (total < this.#longFrom) {
      this.#long.delete(key);
      return;
    }
    if (this.#long.size >= mostLists) this.#long.clear();
    this.#long.add(key);
    // Counted before anybody asked what it was counted under.
    if (generation === null) return;
    if (generation !== this.#generation) {
      // One that was begun before the others are read goes by.
      if (generation < this.#generation) return;
      this.#lists.clear();
      this.#generation = generation;
    }
    const list = this.#lists.get(key) ?? { total, places: new Map<number, Place>() };
    if (this.#lists.size >= mostLists) this.#lists.clear();
    this.#lists.set(key, list);
    if (last === null) return;
    list.places.set(last.offset, last);
    for (const oldest of list.places.keys()) {
      if (list.places.size <= mostPlaces) break;
      list.places.delete(oldest);
    }
  }
}
