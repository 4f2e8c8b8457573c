// The uris of what is gone, for those who harvest (contract 5.8, delete feed).
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { buriedLate } from './published-late.ts';

const DeletedRow = z.strictObject({ total: column.int, uris: column.texts });

/** A page of uris deleted at or after a time in epoch seconds, in order of deletion, and how many there are. One may occur more than once. */
export async function listDeleted(
  reader: Reader,
  page: { readonly offset: number; readonly limit: number; readonly modifiedSince: number },
): Promise<{ readonly total: number; readonly uris: readonly string[] }> {
  const time = sql.fragment`to_timestamp(${page.modifiedSince})`;
  // Given as a value, as lists do it: the planner sees how many there are.
  const late =
    page.modifiedSince === 0 ? [] : await reader.any(sql.type(NumberRow)`SELECT n FROM (${buriedLate(time)}) AS late`);
  const since =
    page.modifiedSince === 0
      ? sql.fragment`true`
      : sql.fragment`(at >= ${time} OR n = ANY(${sql.array(
          late.map(({ n }) => n),
          'int8',
        )}))`;
  const found = await reader.one(sql.type(DeletedRow)`
    SELECT (SELECT count(*)::int FROM tombstone WHERE ${since}) AS total,
      ARRAY(SELECT uri FROM tombstone WHERE ${since} ORDER BY at, n OFFSET ${page.offset} LIMIT ${page.limit}) AS uris`);
  return { total: found.total, uris: found.uris };
}
