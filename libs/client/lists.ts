// Lists of the service, walked to their end: page by page, or by the ids of what there is when the walk begins.
import type { Json, JsonObject } from '../domain/json.ts';
import { isObject, objectsOf } from '../domain/json.ts';

/** What every page of a list or of a search has. */
export type Page<Item = unknown> = {
  readonly this_page: number;
  readonly last_page: number;
  readonly results: readonly Item[];
};

/** A reply as a page of objects; an empty one where it is none. */
export function toPage(reply: Json): Page<JsonObject> & { readonly total: number } {
  const page = isObject(reply) ? reply : {};
  return {
    this_page: Number(page['this_page'] ?? 1),
    last_page: Number(page['last_page'] ?? 1),
    total: Number(page['total'] ?? 0),
    results: objectsOf(page, 'results'),
  };
}

/** How far ahead is read: so many requests run at once; 1 where nothing is said. */
export type Ahead = { readonly atOnce?: number };

/** Most ids that one request may name. */
const mostIds = 250;

/** The pages of a list, in order. `read` gets the number of a page, from 1. */
export async function* walkPages<P extends Page>(
  read: (page: number) => Promise<P>,
  { atOnce = 1 }: Ahead = {},
): AsyncGenerator<P, void, undefined> {
  const first = await read(1);
  yield first;
  const numbers = Array.from({ length: Math.max(0, first.last_page - 1) }, (_, index) => index + 2);
  yield* inOrder(numbers, read, atOnce);
}

/**
 * The records that there are when the walk begins, as lists of up to `size`: nothing is twice or left out while others write, but what is
 * deleted meanwhile. `readIds` gives all ids, `readSet` the records of some.
 */
export async function* walkIdSets<R>(
  readIds: () => Promise<readonly number[]>,
  readSet: (ids: readonly number[]) => Promise<R>,
  { size = mostIds, atOnce = 1 }: Ahead & { readonly size?: number } = {},
): AsyncGenerator<R, void, undefined> {
  const ids = await readIds();
  const step = Math.max(1, Math.min(size, mostIds));
  const sets = Array.from({ length: Math.ceil(ids.length / step) }, (_, index) =>
    ids.slice(index * step, (index + 1) * step),
  );
  yield* inOrder(sets, readSet, atOnce);
}

async function* inOrder<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
  atOnce: number,
): AsyncGenerator<R, void, undefined> {
  const started: Promise<R>[] = [];
  for (let next = 0; next < items.length || started.length > 0;) {
    while (next < items.length && started.length < Math.max(1, atOnce)) {
      const item = items[next++];
      if (item === undefined) continue;
      const reading = read(item);
      // Whoever awaits it hears of the failure; a walk that ends before that does not care.
      reading.catch(() => undefined);
      started.push(reading);
    }
    const first = started.shift();
    if (first !== undefined) yield await first;
  }
}
