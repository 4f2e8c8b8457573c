// What differs between two JSON values, as a list of changes by path. Lists are matched by what their elements are (a ref, a
// persistent id, equal content), so that one element put in front is one addition and not a change of all others.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';

/**
 * One difference. `path` is a JSON pointer (RFC 6901): into the older value for what was removed, into the newer one for the rest.
 * `move` names elements that stand elsewhere in their list with the same content; `was` is then the old path.
 */
export type Difference =
  | { readonly op: 'add'; readonly path: string; readonly after: Json }
  | { readonly op: 'remove'; readonly path: string; readonly before: Json }
  | { readonly op: 'replace'; readonly path: string; readonly before: Json; readonly after: Json }
  | { readonly op: 'move'; readonly path: string; readonly was: string };

/** The differences from one value to another, in the order of the newer value's properties; [] where they are equal. */
export function differences(before: Json, after: Json, path = ''): readonly Difference[] {
  if (isObject(before) && isObject(after)) return ofObjects(before, after, path);
  if (isList(before) && isList(after)) return ofLists(before, after, path);
  return isEqual(before, after) ? [] : [{ op: 'replace', path, before, after }];
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const step = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Absent, and an empty list, are the same: bodies hold [] for lists that nobody sent. */
const isNothing = (value: Json | undefined): value is undefined | readonly [] =>
  value === undefined || (isList(value) && value.length === 0);

function ofObjects(before: JsonObject, after: JsonObject, path: string): readonly Difference[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return keys.flatMap((key): readonly Difference[] => {
    const [old, now] = [before[key], after[key]];
    if (isNothing(old) && isNothing(now)) return [];
    if (isNothing(old)) return now === undefined ? [] : [{ op: 'add', path: step(path, key), after: now }];
    if (isNothing(now)) return [{ op: 'remove', path: step(path, key), before: old }];
    return differences(old, now, step(path, key));
  });
}

/** Whether two values are equal, whatever the order of keys. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isEqual(a[key], b[key]));
}

/** The text of a value with its keys in order, so that equal values have equal texts. */
function textOf(value: Json | undefined): string {
  if (isList(value)) return `[${value.map(textOf).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${textOf(value[key])}`)
    .join(',')}}`;
}

/** What an element is, whatever it says: the note of a persistent id, the link to a record; undefined where nothing tells. */
function identityOf(item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  for (const key of ['persistent_id', 'ref', 'uri'])
    if (typeof item[key] === 'string') return `${key} ${item[key]} ${String(item['role'] ?? '')}`;
  return undefined;
}

type Pair = { readonly from: number; readonly to: number };

/** Elements that belong together: the same identity, then equal content, then what is left in order where it is of one type. */
function pairsOf(before: readonly Json[], after: readonly Json[]): readonly Pair[] {
  const pairs: Pair[] = [];
  const [oldLeft, newLeft] = [new Set(before.keys()), new Set(after.keys())];
  const matchBy = (key: (item: Json) => string | undefined): void => {
    const waiting = new Map<string, number[]>();
    // The last first, so that the first is at the end, where it is taken at no cost: a list may have a hundred thousand elements of one type.
    for (const from of [...oldLeft].reverse()) {
      const name = key(before[from] ?? null);
      const list = name === undefined ? undefined : waiting.get(name);
      if (list !== undefined) list.push(from);
      else if (name !== undefined) waiting.set(name, [from]);
    }
    for (const to of newLeft) {
      const name = key(after[to] ?? null);
      const from = name === undefined ? undefined : waiting.get(name)?.pop();
      if (from === undefined) continue;
      pairs.push({ from, to });
      oldLeft.delete(from);
      newLeft.delete(to);
    }
  };
  matchBy(textOf);
  matchBy(identityOf);
  // Elements without identity that changed: the first left of a type is taken for the first new one of it.
  matchBy((item) =>
    identityOf(item) === undefined
      ? isObject(item)
        ? `of ${String(item['jsonmodel_type'] ?? '')}`
        : isList(item)
          ? 'list'
          : 'value'
      : undefined,
  );
  return pairs.sort((a, b) => a.to - b.to);
}

function ofLists(before: readonly Json[], after: readonly Json[], path: string): readonly Difference[] {
  const pairs = pairsOf(before, after);
  const byNew = new Map(pairs.map((pair) => [pair.to, pair.from]));
  const kept = new Set(pairs.map((pair) => pair.from));
  const still = inOrder(pairs);
  const removed = before.flatMap((item, from): readonly Difference[] =>
    kept.has(from) ? [] : [{ op: 'remove', path: step(path, from), before: item }],
  );
  const rest = after.flatMap((item, to): readonly Difference[] => {
    const from = byNew.get(to);
    if (from === undefined) return [{ op: 'add', path: step(path, to), after: item }];
    const moved: readonly Difference[] = still.has(to)
      ? []
      : [{ op: 'move', path: step(path, to), was: step(path, from) }];
    return [...moved, ...differences(before[from] ?? null, item, step(path, to))];
  });
  return [...removed, ...rest];
}

/** The new places of a longest run of pairs whose order did not change; all others moved. */
function inOrder(pairs: readonly Pair[]): ReadonlySet<number> {
  // Patience sorting: `tails` holds, for each length, the pair with the least old place that ends a run of it.
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, { from }] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.from ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const places = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) places.add(pairs[at]?.to ?? 0);
  return places;
}
