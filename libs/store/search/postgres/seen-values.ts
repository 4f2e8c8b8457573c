// The values of a field that a caller's documents have at all, for facets that are asked for with a count of 0 as well: those that the counts
// by scope tell of.
import type { Field } from '#domain/search/fields.ts';
import type { Reader } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { toVisibleCondition } from './conditions.ts';
import { sizeOfScopes, valuesOfScopes } from './facet-counts.ts';

/** Values in the order of their text. `alsoThere`: values that stand in no document but may be seen in some, as the types of copies. */
export type SeenValues = {
  first(reader: Reader, field: Field, visibility: Visibility, alsoThere: readonly string[]): Promise<readonly string[]>;
};

/** A reply has at most 100 values of a field, so that among twice as many there are always enough that are not in it. */
const wanted = 200;
const candidatesAtOnce = 250;
// Values stay in the dictionary when their last document goes; so many pages of it are looked through at most.
const mostPages = 5;
const keptMs = 60_000;
const mostKept = 2000;

/** Makes the memory of one service: what was found is good for a minute, for callers who may see the same. */
export function createSeenValues(now: () => number = Date.now): SeenValues {
  const kept = new Map<string, { readonly at: number; readonly values: readonly string[] }>();
  return {
    first: async (reader, field, visibility, alsoThere) => {
      const key = JSON.stringify([field.name, visibility]);
      const found = kept.get(key);
      if (found !== undefined && now() - found.at < keptMs) return found.values;
      const values = await readSeen(reader, field, visibility, alsoThere);
      // The oldest go first.
      kept.delete(key);
      for (const oldest of kept.keys()) if (kept.size >= mostKept) kept.delete(oldest);
      kept.set(key, { at: now(), values });
      return values;
    },
  };
}

async function readSeen(
  reader: Reader,
  field: Field,
  visibility: Visibility,
  alsoThere: readonly string[],
): Promise<readonly string[]> {
  const visible = toVisibleCondition(visibility);
  const seen = new Set(alsoThere.length > 0 && (await hasShared(reader, visible)) ? alsoThere : []);
  let after = '';
  for (let page = 0; page < mostPages && seen.size < wanted; page++) {
    const candidates = await reader.any<{ id: number; value: string }>(sql`
      SELECT id, value FROM search_value WHERE field = ${field.name} AND value COLLATE "C" > ${after} ORDER BY value COLLATE "C" LIMIT ${candidatesAtOnce}`);
    const there = await reader.any<{ id: number }>(
      sql`${valuesOfScopes(
        [field.name],
        visible,
        candidates.map(({ id }) => id),
      )}`,
    );
    const ids = new Set(there.map(({ id }) => id));
    for (const { id, value } of candidates) if (ids.has(id)) seen.add(value);
    if (candidates.length < candidatesAtOnce) break;
    after = candidates.at(-1)?.value ?? '';
  }
  return [...seen].sort().slice(0, wanted);
}

async function hasShared(reader: Reader, visible: Fragment): Promise<boolean> {
  return (
    (
      await reader.one<{ shared: number }>(
        sql`SELECT ${sizeOfScopes(sql.fragment`${visible} AND d.audience = 3`)} AS shared`,
      )
    ).shared > 0
  );
}
