// The order of the children of one parent by what they say of themselves: title, identifier, dates. Numbers inside texts count as numbers
// ("Box 9" before "Box 10"), case and accents do not matter, what has no value stands last, and what is equal stays in the order it is in.
import { toDateSort } from '../dates/sort-order.ts';
import { fail } from '../errors.ts';
import { toSortKey, toTitleSort } from '../text/sort-key.ts';

/** What children can be sorted by. `identifier` is the component_id of components and the identifier of terms, `begin` the first date, `end` the last. */
const sortFields = ['title', 'display_string', 'identifier', 'begin', 'end'] as const;

/** One of sortFields. */
type SortField = (typeof sortFields)[number];

/** One thing to sort by; the next one decides where this is equal. */
export type SortKey = { readonly field: SortField; readonly isDescending: boolean };

/** A child with its texts; null where it has none. */
export type SortableChild = { readonly id: number } & { readonly [field in SortField]: string | null };

const isField = (name: string): name is SortField => sortFields.some((field) => field === name);

/** Reads fields as clients name them: `-` before one is for descending order, `component_id` is the identifier. Fails with `bad_parameter` on `sort_by`. */
export function parseSortBy(names: readonly string[]): readonly SortKey[] {
  const problem = problemOfSortBy(names);
  if (problem !== null) throw fail('bad_parameter', { sort_by: [problem] });
  return names.flatMap((given) => keyOf(given) ?? []);
}

/** What is wrong with the fields to sort by, in words of the service; null where nothing is. */
export function problemOfSortBy(names: readonly string[]): string | null {
  const unknown = names.find((given) => keyOf(given) === null);
  return unknown === undefined ? null : `Must be one of: ${sortFields.join(', ')} (you provided ${unknown})`;
}

function keyOf(given: string): SortKey | null {
  const field = given.replace(/^-/, '').replace(/^component_id$/, 'identifier');
  return isField(field) ? { field, isDescending: given.startsWith('-') } : null;
}

/** The ids of the children in the new order. */
export function sortedIds(children: readonly SortableChild[], keys: readonly SortKey[]): readonly number[] {
  const rows = children.map((child) => ({
    id: child.id,
    values: keys.map(({ field }) => comparable(field, child[field])),
  }));
  const compare = (a: (typeof rows)[number], b: (typeof rows)[number]): number => {
    for (const [at, { isDescending }] of keys.entries()) {
      const [left, right] = [a.values[at] ?? null, b.values[at] ?? null];
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      return left < right === isDescending ? 1 : -1;
    }
    return 0;
  };
  return rows.sort(compare).map(({ id }) => id);
}

// Markup and punctuation of titles say nothing about their place; in identifiers every sign counts. Dates: dates/sort-order.ts.
function comparable(field: SortField, text: string | null): string | null {
  if (field === 'begin' || field === 'end') return toDateSort(text);
  if (text === null) return null;
  const key = field === 'identifier' ? toSortKey(text) : toTitleSort(text);
  return key === '' ? null : key;
}
