// The values of a field that a caller's documents have at all, for facets that are asked for with a count of 0 as well: those that the counts
// by scope tell of.
import { z } from 'zod';
import type { Field } from '#domain/search/fields.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { toScopeCondition } from './conditions.ts';
import type { Scopes } from './facet-counts.ts';
import { sizeOfScopes, valuesOfScopes } from './facet-counts.ts';
import { hiddenDocuments } from './hidden.ts';
import type { Hidden } from './hidden.ts';
import { keepLatest } from '#domain/keep-latest.ts';

/** Who asks: what is visible, and what of it is hidden at this moment. */
type Caller = { readonly visibility: Visibility; readonly hidden: Hidden };

/** Values in the order of their text. `alsoThere`: values that stand in no document but may be seen in some, as the types of copies. */
export type SeenValues = {
  first(reader: Reader, field: Field, caller: Caller, alsoThere: readonly string[]): Promise<readonly string[]>;
};

/** A reply has at most 100 values of a field, so that among twice as many there are always enough that are not in it. */
const wanted = 200;
const candidatesAtOnce = 250;
// Values stay in the dictionary when their last document goes; so many pages of it are looked through at most.
const mostPages = 5;
const keptMs = 60_000;
const mostKept = 2000;

// What was hidden is dated before its commit, which may take its time.
const committingMs = 10_000;

/** Makes the memory of one service: what was found is good for a minute, for callers who may see the same, while nothing is hidden. Without `remembers` it is found anew each time. */
export function createSeenValues(now: () => number = Date.now, remembers = true): SeenValues {
  const kept = new Map<string, { readonly at: number; readonly foundAt: number; readonly values: readonly string[] }>();
  return {
    first: async (reader, field, { visibility, hidden }, alsoThere) => {
      const key = JSON.stringify([field.name, visibility, hidden.repositories]);
      const found = kept.get(key);
      const isGood =
        found !== undefined &&
        now() - found.at < keptMs &&
        hidden.records === null &&
        (hidden.at === null || hidden.at < found.foundAt - committingMs);
      if (isGood) return found.values;
      const scopes = { condition: toScopeCondition(visibility, hidden), hidden: hiddenDocuments(hidden) };
      const values = await readSeen(reader, field, scopes, alsoThere);
      if (hidden.records !== null || !remembers) return values;
      keepLatest(kept, mostKept, key, { at: now(), foundAt: hidden.now, values });
      return values;
    },
  };
}

const CountedRow = z.strictObject({ id: column.int, count: column.int });
const CandidateRow = z.strictObject({ id: column.int, value: column.text });

async function readSeen(
  reader: Reader,
  field: Field,
  scopes: Scopes,
  alsoThere: readonly string[],
): Promise<readonly string[]> {
  const seen = new Set(alsoThere.length > 0 && (await hasShared(reader, scopes)) ? alsoThere : []);
  let after = '';
  for (let page = 0; page < mostPages && seen.size < wanted; page++) {
    const candidates = await reader.any(sql.type(CandidateRow)`
      SELECT id, value FROM search_value WHERE field = ${field.name} AND value COLLATE "C" > ${after} ORDER BY value COLLATE "C" LIMIT ${candidatesAtOnce}`);
    const there = await reader.any(
      sql.type(CountedRow)`${valuesOfScopes(
        [field.name],
        scopes,
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

const SharedRow = z.strictObject({ shared: column.int });

async function hasShared(reader: Reader, scopes: Scopes): Promise<boolean> {
  return (
    (
      await reader.one(sql.type(SharedRow)`
        SELECT ${sizeOfScopes({ ...scopes, condition: sql.fragment`${scopes.condition} AND d.audience = 3` })} AS shared`)
    ).shared > 0
  );
}
