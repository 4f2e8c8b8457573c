// What a process remembers is bounded: the latest of many are kept.

/** Keeps a value under its key as the latest of a map, which holds `most` at the most: the oldest go first. */
export function keepLatest<Key, Value>(kept: Map<Key, Value>, most: number, key: Key, value: Value): void {
  kept.delete(key);
  for (const oldest of kept.keys()) if (kept.size >= most) kept.delete(oldest);
  kept.set(key, value);
}
