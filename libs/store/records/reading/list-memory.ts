// How many records a long list has, and where its pages began, remembered by a process while nothing changes: a script that pages through a million
// records would have all of them counted for each page, and all before the page gone through. What counts as a change: resolved-texts.ts.
import { keepLatest } from '#domain/keep-latest.ts';

/** A place of a list in ascending order of id: how many records come before it, and the id of the last of them. */
type Place = { readonly offset: number; readonly id: number };

/** A long list as it was when it was counted; without a generation before anybody asked what that was counted under. */
type List = { readonly generation: number | null; readonly total: number; readonly places: Map<number, Place> };

const mostLists = 100;
const mostPlaces = 100;

/** The memory of one process. For readers outside transactions alone: what a transaction sees may be rolled back. */
export class ListMemory {
  /** Lists of so many records are long: counting shorter ones costs no more than asking whether something has changed. */
  readonly #longFrom: number;
  readonly #lists = new Map<string, List>();

  constructor(longFrom = 10_000) {
    this.#longFrom = longFrom;
  }

  /** Whether a list was long when it was last counted, so that it is worth asking for the generation. */
  isLong(key: string): boolean {
    return this.#lists.has(key);
  }

  /** What is known of a list in a generation (ResolvedTexts.current): its total, and the place at an offset, where that is known, or else its start. */
  find(key: string, generation: number, offset: number): { readonly total: number; readonly from: Place } | null {
    const list = this.#lists.get(key);
    if (list === undefined || list.generation !== generation) return null;
    return { total: list.total, from: list.places.get(offset) ?? { offset: 0, id: 0 } };
  }

  /** Keeps what was read under a generation: the total, and the place behind a page where the list was read in ascending order of id. */
  keep(key: string, generation: number | null, total: number, last: Place | null): void {
    if (total < this.#longFrom) {
      this.#lists.delete(key);
      return;
    }
    const known = this.#lists.get(key);
    const places = known !== undefined && known.generation === generation ? known.places : new Map<number, Place>();
    if (last !== null) keepLatest(places, mostPlaces, last.offset, last);
    keepLatest(this.#lists, mostLists, key, { generation, total, places });
  }
}
