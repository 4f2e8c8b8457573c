// Pages of a walk by cursor: what comes after a position, read from there on and never counted off from the beginning.
import { z } from 'zod';
import type { Position, SearchRequest, SortKey } from '#domain/search/query/request.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment, RowQuery } from '../../connection/sql.ts';
import type { PartPage } from './query.ts';
import { toDirection, toSortValue } from './query.ts';
import type { Matching } from './sorted-page.ts';
import {
  beginning,
  gathered,
  isIndexed,
  isLookedUp,
  listed,
  lookedUp,
  sizeOf,
  toFetched,
  toIndexDirection,
  toWalked,
} from './sorted-page.ts';

const Row = z.strictObject({ no: column.int, position: z.array(column.maybeText) });
type Row = z.infer<typeof Row>;

/** A page of a walk. `last` is the position of its last document, absent where none follows. */
export async function readCursorPage(
  reader: Reader,
  request: SearchRequest,
  { condition, visibleWords, size: counted, most }: Omit<Matching, 'columns'>,
): Promise<PartPage & { readonly last?: Position }> {
  const { after } = request.cursor ?? {};
  const [leading] = request.sort;
  const wanted = request.pageSize + 1;
  const known = request.cursor?.total;
  const size = await sizeOf(reader, {
    condition,
    visibleWords,
    size: known === undefined ? counted : sql.fragment`${known}::int`,
  });
  const statement = (matching: Parameters<typeof cursorPageStatement>[0]): RowQuery<Row> =>
    cursorPageStatement(matching, request.sort, after, wanted, 'valued');
  const isBehind = leading !== undefined && after !== undefined && after[0] === null;
  // Documents with a value come first, whichever way; then those without one, as a list of their own, so that each is one stretch of an index.
  const rows: Row[] = isBehind ? [] : [...(await readValued())];
  if (leading !== undefined && rows.length < wanted) {
    rows.push(
      ...(await reader.any(
        cursorPageStatement(
          { condition, isGathered: true },
          request.sort,
          isBehind ? after : undefined,
          wanted - rows.length,
          'valueless',
        ),
      )),
    );
  }
  const page = rows.slice(0, request.pageSize);
  const last = rows.length > page.length ? page.at(-1)?.position : undefined;
  return {
    total: size.total,
    isPart: size.isPart,
    page: page.map(({ no }) => no),
    ...(last === undefined ? {} : { last }),
  };

  // What comes next is looked for where the walk stands; where too little of that is near, by the numbers of what matches, or among all of it.
  async function readValued(): Promise<readonly Row[]> {
    const isWalked = leading === undefined || isIndexed(leading);
    const walked = most ?? toWalked(size, wanted);
    if (isWalked && walked > 0) {
      const near = await reader.any(statement({ condition, most: walked }));
      if (near.length === wanted) return near;
    }
    return reader.any(
      statement(isWalked && isLookedUp(size) ? { condition: lookedUp(condition) } : { condition, isGathered: true }),
    );
  }
}

/** The condition on documents `d`. `most`: how many documents of the order are looked at for it; `isGathered`: all that matches is gathered, and put in order. */
type CursorMatching = { readonly condition: Fragment; readonly most?: number; readonly isGathered?: boolean };

/**
 * The statement of a page: those of the documents that match and come `after` a position in the order of `keys` and uri. Without keys it is one stretch of
 * search_doc_uri_idx; with one of the title or the time of change as first key, of that column's index.
 */
export function cursorPageStatement(
  { condition, most, isGathered = false }: CursorMatching,
  keys: readonly SortKey[],
  after: Position | undefined,
  size: number,
  part: 'valued' | 'valueless',
): RowQuery<Row> {
  const [leading, ...others] = keys;
  const values = keys.map((key) => toSortValue(key.field));
  const valueOf = (key: SortKey): Fragment =>
    isGathered ? toFetched(key, toSortValue(key.field)) : toSortValue(key.field);
  const own = leading === undefined ? undefined : toSortValue(leading.field);
  // Of the key that parts the two lists no null is among the first and nothing else among the second.
  const order = listed([
    ...(leading === undefined || part === 'valueless'
      ? []
      : [sql.fragment`${valueOf(leading)} ${toIndexDirection(leading)}`]),
    ...others.map((key) => sql.fragment`${valueOf(key)} ${toDirection(key)}`),
    sql.fragment`${isGathered && leading === undefined ? sql.fragment`(d.uri || '')` : sql.fragment`d.uri`} USING ~<~`,
  ]);
  const conditions = [
    sql.fragment`true`,
    ...(own === undefined ? [] : [part === 'valued' ? sql.fragment`${own} IS NOT NULL` : sql.fragment`${own} IS NULL`]),
    ...start(leading, others, after, part),
  ];
  const following = sql.fragment`${isGathered ? gathered(condition) : sql.fragment`search_doc d`} WHERE ${sql.join(conditions, sql.fragment` AND `)}`;
  // Positions are of those of the page alone: each is of texts that stand beside the row.
  const from = isGathered
    ? sql.fragment`(SELECT d.* FROM ${following} ORDER BY ${order} LIMIT ${size}) AS d`
    : most === undefined
      ? sql.fragment`${following} AND ${condition}`
      : sql.fragment`${beginning(following, order, most)} WHERE ${condition}`;
  return sql.type(Row)`
    SELECT d.no::int AS no, ARRAY[${sql.join([...values.map((value) => sql.fragment`${value}::text`), sql.fragment`d.uri`], sql.fragment`, `)}] AS position
    FROM ${from} ORDER BY ${order} LIMIT ${size}`;
}

// Where the page begins: a bound that an index can start from, and what is equal to it told apart by the other keys.
function start(
  leading: SortKey | undefined,
  others: readonly SortKey[],
  after: Position | undefined,
  part: 'valued' | 'valueless',
): readonly Fragment[] {
  if (after === undefined) return [];
  const rest = beyond(others, leading === undefined ? after : after.slice(1));
  if (leading === undefined || part === 'valueless') return [rest];
  const value = toSortValue(leading.field);
  const bound = toBound(leading, after[0] ?? '');
  return leading.isDescending
    ? [sql.fragment`${value} <= ${bound}`, sql.fragment`(${value} < ${bound} OR ${rest})`]
    : [sql.fragment`${value} >= ${bound}`, sql.fragment`(${value} > ${bound} OR ${rest})`];
}

// Nulls last, whichever way.
function beyond(keys: readonly SortKey[], after: Position): Fragment {
  const [key, ...others] = keys;
  const [at, ...rest] = after;
  if (key === undefined) return sql.fragment`d.uri ~>~ ${at ?? ''}`;
  const value = toSortValue(key.field);
  const further = beyond(others, rest);
  if (at === undefined || at === null) return sql.fragment`(${value} IS NULL AND ${further})`;
  const bound = toBound(key, at);
  return sql.fragment`(${value} ${key.isDescending ? sql.fragment`<` : sql.fragment`>`} ${bound} OR ${value} IS NULL OR (${value} = ${bound} AND ${further}))`;
}

function toBound({ field }: SortKey, text: string): Fragment {
  if (field === 'score') return sql.fragment`NULL`;
  if (field.column === 'create_time' || field.column === 'user_mtime' || field.column === 'system_mtime')
    return sql.fragment`${text}::timestamptz`;
  return field.column === undefined && field.type === 'int'
    ? sql.fragment`${text}::numeric`
    : sql.fragment`${text}::text`;
}
