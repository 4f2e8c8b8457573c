// The values of a field that a caller's documents have at all, for facets that are asked for with a count of 0 as well. Counting them over
// every document takes seconds on a million; whether a value is there is one look into the index.
import type { Field } from '#domain/search/fields.ts';
import { toExactLexeme } from '#domain/search/lexeme.ts';
import { lexemeQueriesOf, lexemes } from '#domain/search/predicate.ts';
import { forPublic } from '#domain/search/public-copy.ts';
import { toTsquery, word } from '#domain/search/tsquery.ts';
import type { Reader } from '../../database.ts';
import { sql } from '../../sql.ts';
import type { Visibility } from '../port.ts';
import { toVisibleCondition } from './conditions.ts';

/** Values in the order of their text. `alsoThere`: values that stand in no document but may be seen in some, as the types of copies. */
export type SeenValues = { first(reader: Reader, field: Field, visibility: Visibility, alsoThere: readonly string[]): Promise<readonly string[]> };

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

async function readSeen(reader: Reader, field: Field, visibility: Visibility, alsoThere: readonly string[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  let after = '';
  for (let page = 0; page < mostPages && seen.size < wanted; page++) {
    const candidates = await reader.any<{ value: string }>(sql`
      SELECT value FROM search_value WHERE field = ${field.name} AND value COLLATE "C" > ${after} ORDER BY value COLLATE "C" LIMIT ${candidatesAtOnce}`);
    for (const value of await there(reader, field, visibility, [...(page === 0 ? alsoThere : []), ...candidates.map((candidate) => candidate.value)])) seen.add(value);
    if (candidates.length < candidatesAtOnce) break;
    after = candidates.at(-1)?.value ?? '';
  }
  return [...seen].sort().slice(0, wanted);
}

/** Those of some values that a document which the caller may see has. One look into search_doc_tsv_idx for each. */
async function there(reader: Reader, field: Field, visibility: Visibility, values: readonly string[]): Promise<readonly string[]> {
  const queries = values.map((value) => {
    const own = lexemes(word(toExactLexeme(field, value)));
    const [query] = lexemeQueriesOf(visibility.mayNotSeeUnpublished ? forPublic(own) : own);
    return [value, query === undefined ? '' : toTsquery(query, new Map())];
  });
  if (queries.length === 0) return [];
  const rows = await reader.any<{ value: string }>(sql`
    SELECT c.value FROM ${sql.unnest(queries, ['text', 'text'])} AS c (value, query)
    WHERE EXISTS (SELECT FROM search_doc d WHERE d.tsv @@ c.query::tsquery AND ${toVisibleCondition(visibility)})`);
  return rows.map(({ value }) => value);
}
