// Facet counts on Typesense. Collections count the numbers that PostgreSQL gave the values: whole values could be cut short there, and the
// names come back from search_value.
import { z } from 'zod';
import type { FacetCounts } from '#domain/search/reply/page.ts';
import type { Field } from '#domain/search/fields.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Found, Search } from './multi-search.ts';

/** Values counted for a field at most. */
const mostValues = 100;

/** The field of the collection whose values count for an index field. */
export const facetFieldOf = (field: Pick<Field, 'name'>): string => `v_${field.name}`;

/** A search that counts the values of a field over the documents of a filter. */
export function facetSearch(field: Pick<Field, 'name'>, filter: string | undefined): Search {
  return { filter, limit: 0, facet: facetFieldOf(field), mostValues };
}

const NameCountRow = z.strictObject({ id: column.int, value: column.text });

/** Names the counted numbers: for each field its values, most frequent first, equal ones in order of their bytes. One statement for all. */
export async function nameCounts(
  reader: Reader,
  counted: readonly { readonly field: string; readonly found: Found }[],
): Promise<readonly FacetCounts[]> {
  const ids = [...new Set(counted.flatMap(({ found }) => found.counts.map(([value]) => Number(value))))];
  const rows =
    ids.length === 0
      ? []
      : await reader.any(sql.type(NameCountRow)`
        SELECT id, value FROM search_value WHERE id = ANY(${sql.array(ids, 'int4')})`);
  const names = new Map(rows.map(({ id, value }) => [String(id), value]));
  return counted.map(({ field, found }) => ({
    field,
    counts: found.counts
      .flatMap(([id, count]): readonly (readonly [string, number])[] => {
        const name = names.get(id);
        return name === undefined ? [] : [[name, count]];
      })
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)),
  }));
}

/** Adds types that documents have only to the public: as many as there are shared documents. */
export function withCopyTypes(
  facets: readonly FacetCounts[],
  copyTypes: readonly string[],
  shared: number,
): readonly FacetCounts[] {
  if (shared === 0) return facets;
  return facets.map((facet) => {
    if (facet.field !== 'types') return facet;
    const counts = new Map(facet.counts);
    for (const type of copyTypes) counts.set(type, (counts.get(type) ?? 0) + shared);
    return {
      field: facet.field,
      counts: [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)).slice(0, mostValues),
    };
  });
}
