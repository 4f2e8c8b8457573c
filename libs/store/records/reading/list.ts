// Lists of a kind: pages, id sets and all ids (contract 4.2). Ids are chosen by one statement, records read by another.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import type { Reader } from '../../connection/database.ts';
import { column, IdRow } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import type { ReadRecord } from './read.ts';
import { readRecords } from './read.ts';
import { publishedLate } from '../../change-log/published-late.ts';
import { savedAround } from '../writing/saved-since.ts';
import type { Viewer } from './viewer.ts';

/** Which records: of a kind, in a repository or everywhere, changed since a time in epoch seconds. */
export type ListFilter = {
  readonly kind: Kind;
  readonly repoId: number | null;
  readonly modifiedSince: number;
  readonly viewer: Viewer;
};

/** Columns of every kind that a list may be ordered by (`sort_field`). */
const columns = [
  'id',
  'create_time',
  'system_mtime',
  'user_mtime',
  'lock_version',
  'created_by',
  'last_modified_by',
  'publish',
  'title',
];
const numbers: ReadonlySet<string> = new Set(['integer', 'number']);
const scalars: ReadonlySet<string> = new Set([...numbers, 'string', 'boolean', 'date', 'date-time']);

/** Whether the identifier of a kind is in four parts, by which together its lists are ordered as `identifier`. */
const isInParts = ({ properties }: Kind): boolean =>
  properties['id_0'] !== undefined && properties['identifier'] === undefined;

/** The names that lists of a kind may be ordered by: columns of every kind, and the kind's own plain properties (contract 4.2). */
export function sortFieldsOf(kind: Kind): readonly string[] {
  const own = Object.entries(kind.properties).flatMap(([name, { type }]) => (scalars.has(type) ? [name] : []));
  return [...new Set([...columns, ...own, ...(isInParts(kind) ? ['identifier'] : [])])];
}

function sortKey(kind: Kind, field: string): Fragment {
  const { properties } = kind;
  if (field === 'title' || field === kind.labelProperty) return sql.fragment`label`;
  // A property of the kinds that can be suppressed, which bodies do not hold.
  if (field === 'suppressed' || columns.includes(field)) return sql.fragment`${sql.identifier([field])}`;
  if (field === 'identifier' && isInParts(kind))
    return sql.fragment`ARRAY[body->>'id_0', coalesce(body->>'id_1', ''), coalesce(body->>'id_2', ''), coalesce(body->>'id_3', '')]`;
  const value = sql.fragment`(body->>${field}::text)`;
  return numbers.has(properties[field]?.type ?? '') ? sql.fragment`${value}::numeric` : value;
}

/** The order of a list; `sortField` is one of `sortFieldsOf`. */
export type Sorting = { readonly sortField: string; readonly descending: boolean };

/** Order and window of a page. */
export type PageRequest = Sorting & { readonly offset: number; readonly limit: number };

const ascendingIds: Sorting = { sortField: 'id', descending: false };

/** The ORDER BY of a list: records that are equal in what was asked for by id, in the same direction. */
function inOrder(kind: Kind, { sortField, descending }: Sorting): Fragment {
  const direction = descending ? sql.fragment`DESC` : sql.fragment`ASC`;
  return sql.fragment`ORDER BY ${sortKey(kind, sortField)} ${direction}, id ${direction}`;
}

function condition(filter: ListFilter, around: readonly number[]): Fragment {
  const repo = filter.repoId === null ? sql.fragment`` : sql.fragment` AND repo_id = ${filter.repoId}`;
  // As a value, of which the planner sees how many there are: it looks a few up by the index, and many in a table that it makes.
  const others = around.length === 0 ? sql.fragment`` : sql.fragment` OR id = ANY(${sql.array([...around], 'int4')})`;
  const since =
    filter.modifiedSince === 0
      ? sql.fragment``
      : sql.fragment` AND (system_mtime >= to_timestamp(${filter.modifiedSince})${others})`;
  const suppressed = filter.viewer.seesSuppressed ? sql.fragment`` : sql.fragment` AND NOT suppressed`;
  return sql.fragment`kind = ${filter.kind.name}${repo}${since}${suppressed}`;
}

const IdsRow = z.strictObject({ ids: column.ints });

/** The ids of records that are shown otherwise since another was saved, or were told of late; one statement where a time is asked for. */
async function idsAround(reader: Reader, { kind, repoId, modifiedSince }: ListFilter): Promise<readonly number[]> {
  if (modifiedSince === 0) return [];
  const time = sql.fragment`to_timestamp(${modifiedSince})`;
  const saved = savedAround(kind, { repoId, time });
  const parts = [publishedLate(kind, repoId, time), ...(saved === null ? [] : [saved])];
  return (await reader.one(sql.type(IdsRow)`SELECT ARRAY(${sql.join(parts, sql.fragment` UNION `)})::int[] AS ids`))
    .ids;
}

const ChosenRow = z.strictObject({ total: column.int, ids: column.ints.nullable() });

/**
 * One page of records in the asked order, with the total. Two round trips; three for a long list, which is counted, and gone through up to the page,
 * only where something has changed since (list-memory.ts), and for what has changed since a time.
 */
export async function listPage(
  reader: Reader,
  filter: ListFilter,
  page: PageRequest,
): Promise<{ readonly total: number; readonly records: readonly ReadRecord[] }> {
  const memory = filter.modifiedSince === 0 ? reader.lists : undefined;
  const key = `${filter.kind.name} ${filter.repoId} ${filter.viewer.seesSuppressed}`;
  const generation = memory?.isLong(key) === true ? ((await reader.resolved?.current()) ?? null) : null;
  const known = generation === null ? null : (memory?.find(key, generation, page.offset) ?? null);
  const isById = page.sortField === 'id' && !page.descending;
  const from = isById && known !== null ? known.from : { offset: 0, id: 0 };
  const chosenBy = condition(filter, await idsAround(reader, filter));
  const total =
    known === null
      ? sql.fragment`(SELECT count(*)::int FROM record WHERE ${chosenBy})`
      : sql.fragment`${known.total}::int`;
  const behind = from.id === 0 ? sql.fragment`` : sql.fragment` AND id > ${from.id}`;
  const chosen = await reader.one(sql.type(ChosenRow)`SELECT
    ${total} AS total,
    ARRAY(SELECT id FROM record WHERE ${chosenBy}${behind} ${inOrder(filter.kind, page)} OFFSET ${page.offset - from.offset} LIMIT ${page.limit}) AS ids`);
  const ids = chosen.ids ?? [];
  const last = ids.at(-1);
  memory?.keep(
    key,
    generation,
    chosen.total,
    isById && last !== undefined ? { offset: page.offset + ids.length, id: last } : null,
  );
  return { total: chosen.total, records: await readInOrder(reader, filter, ids) };
}

/** The records of an id set that exist and pass the filter, in the asked order; ascending by id where none is. */
export async function listIdSet(
  reader: Reader,
  filter: ListFilter,
  ids: readonly number[],
  sorting: Sorting = ascendingIds,
): Promise<readonly ReadRecord[]> {
  const around = await idsAround(reader, filter);
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE ${condition(filter, around)} AND id = ANY(${sql.array([...ids], 'int4')}) ${inOrder(filter.kind, sorting)}`);
  return readInOrder(
    reader,
    filter,
    rows.map((row) => row.id),
  );
}

/** All ids in the asked order; ascending where none is. */
export async function listAllIds(
  reader: Reader,
  filter: ListFilter,
  sorting: Sorting = ascendingIds,
): Promise<readonly number[]> {
  const around = await idsAround(reader, filter);
  const row = await reader.one(sql.type(IdsRow)`
    SELECT ARRAY(SELECT id FROM record WHERE ${condition(filter, around)} ${inOrder(filter.kind, sorting)}) AS ids`);
  return row.ids;
}

async function readInOrder(reader: Reader, filter: ListFilter, ids: readonly number[]): Promise<readonly ReadRecord[]> {
  const found = await readRecords(reader, new Map([[filter.kind.name, ids]]), filter.viewer);
  const byId = new Map([...found.values()].map((record) => [record.row.id, record]));
  return ids.map((id) => byId.get(id)).filter((record) => record !== undefined);
}
