// Narrowing the differences of a report: by sort, list, property and text, as the address has it; and what there is to narrow by.
import type { Difference } from './report.ts';

/** What differences must be; '' leaves it open. */
export type Narrowing = {
  readonly sort: string;
  readonly list: string;
  readonly property: string;
  readonly text: string;
};

/** The names of the parts, which are those in the address. */
export const parts = ['sort', 'list', 'property', 'text'] as const;

/** What an address asks for. */
export const narrowingOf = (asked: URLSearchParams): Narrowing => ({
  sort: asked.get('sort') ?? '',
  list: asked.get('list') ?? '',
  property: asked.get('property') ?? '',
  text: asked.get('text') ?? '',
});

/** The differences that are as wanted, in their order. */
export function narrowed(all: readonly Difference[], { sort, list, property, text }: Narrowing): readonly Difference[] {
  const words = text.toLowerCase();
  const holds = (value: string | null): boolean => value?.toLowerCase().includes(words) === true;
  return all.filter(
    (each) =>
      (sort === '' || each.sort === sort) &&
      (list === '' || each.list === list) &&
      (property === '' || each.property === property) &&
      (words === '' || holds(each.uri) || holds(each.place) || holds(each.source) || holds(each.here)),
  );
}

/** The values of a part with how many differences have them, the most frequent first. Those that are narrowed by another value of the same part count too. */
export function valuesOf(
  all: readonly Difference[],
  part: 'sort' | 'list' | 'property',
  narrowing: Narrowing,
): readonly (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const each of narrowed(all, { ...narrowing, [part]: '' }))
    if (each[part] !== '') counts.set(each[part], (counts.get(each[part]) ?? 0) + 1);
  return [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
}
