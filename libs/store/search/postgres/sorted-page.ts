// The page in the order of fields. How matches are spread over an order nobody can tell, the planner least of all: those of one agent may all stand behind a million others, as
// numbers go by import and titles begin alike. So no statement here follows an order until it has found enough, reading the vector of each document that it passes.
import { z } from 'zod';
import type { SortKey } from '#domain/search/query/request.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment, RowQuery } from '../../connection/sql.ts';
import type { FoundPage, PartPage, Slice } from './query.ts';
import { FoundPage as FoundPageRow, toDirection, toSortValue } from './query.ts';
import type { Fitting } from './some-documents.ts';
import { documents, isPartial, someDocuments } from './some-documents.ts';

/**
 * What matches: the condition on documents `d`, what follows from it for their short columns, and how many these are, as an expression; null: only some are counted. `most`: how many
 * documents of an order are looked at for it, where that is told; 0: none.
 */
export type Matching = Fitting & {
  readonly columns: Fragment;
  readonly size: Fragment | null;
  readonly most?: number;
};

/** How many documents match, and about how many there are. `isPart`: more match than were counted. */
export const MatchSize = z.strictObject({ total: column.int, documents: column.int, isPart: column.bool });
export type MatchSize = z.infer<typeof MatchSize>;

const PageRow = z.strictObject({ page: column.ints });

/** Reads how many documents match, and the size of the index. */
export function sizeOf(reader: Reader, { size, ...fitting }: Omit<Matching, 'columns' | 'most'>): Promise<MatchSize> {
  if (size !== null)
    return reader.one(sql.type(MatchSize)`SELECT ${size} AS total, ${documents}::int AS documents, false AS "isPart"`);
  return reader.one(sql.type(MatchSize)`
    SELECT count(*) AS total, ${documents}::int AS documents,
      ${isPartial(sql.fragment`count(*)`, sql.fragment`coalesce(bool_or(is_sampled), false)`)} AS "isPart"
    FROM ${someDocuments(sql.fragment`d.no`, fitting)}`);
}

/** The page in the order of fields, or of entry where no key is given, with the count. A score among the keys is the first round's. */
export function readSortedPage(
  reader: Reader,
  condition: Fragment,
  keys: readonly SortKey[],
  score: Fragment,
  slice: Slice,
): Promise<FoundPage> {
  const [first] = keys;
  return keys.length === 1 && first !== undefined && isTitle(first)
    ? readPageByTitle(reader, condition, first, slice)
    : readGathered(reader, condition, keys, score, slice);
}

/**
 * The same where the count costs nothing, or is of some documents alone: the page is looked for among the first documents of the order, of which enough match mostly. Null where they
 * do not, and where no index has the order. `most`: how many of them, in place of what the count lets expect.
 */
export async function readWalkedPage(
  reader: Reader,
  matching: Matching,
  keys: readonly SortKey[],
  score: Fragment,
  slice: Slice,
): Promise<PartPage | null> {
  const size = await sizeOf(reader, matching);
  const { total, isPart } = size;
  if (total <= slice.offset) return { total, isPart, page: [] };
  const most = matching.most ?? toWalked(size, slice.offset + slice.size);
  if (most === 0 || !hasIndex(keys)) return null;
  // To pass by a document takes a fourth of what it takes to gather one, which comes next where it was in vain.
  const passed = matching.most === undefined ? Math.min(mostPassed, Math.max(most, total / 4)) : mostPassed;
  const walk = { most, passed: Math.ceil(passed) };
  const order = orderOf(keys, score);
  const isWhole = ({ page }: { readonly page: readonly number[] }): boolean =>
    page.length >= Math.min(slice.size, total - slice.offset);
  const first = await reader.one(firstOfOrder(matching, order, walk, slice));
  const found =
    isWhole(first) || order.value === null ? first : await reader.one(allOfOrder(matching, order, walk, slice));
  return isWhole(found) ? { total, isPart, page: found.page } : null;
}

// Documents of an order that are passed by for what their columns say. Those of a kind come together, as imports have them: after the newest containers come the newest components.
const mostPassed = 100_000;

/** How many documents of an order are passed by at most, and of how many of these the vectors are read. */
type Walk = { readonly passed: number; readonly most: number };

/** An order that an index has: the value of its first key, by which documents that have one are ordered, and how the others are. */
type IndexOrder = { readonly value: Fragment | null; readonly order: Fragment; readonly valueless: Fragment };

function orderOf(keys: readonly SortKey[], score: Fragment): IndexOrder {
  const [first, ...behind] = keys;
  const others = [...behind.map((key) => sql.fragment`${toValue(key, score)} ${toDirection(key)}`), toEntry(keys)];
  const valueless = listed(others);
  if (first === undefined) return { value: null, order: valueless, valueless };
  const value = toValue(first, score);
  return { value, order: listed([sql.fragment`${value} ${toIndexDirection(first)}`, ...others]), valueless };
}

/** The parts of an order, one behind the other. */
export const listed = (parts: readonly Fragment[]): Fragment => sql.fragment`${sql.join(parts, sql.fragment`, `)}`;

type WalkStatement = (
  matching: Matching,
  order: IndexOrder,
  walk: Walk,
  slice: Slice,
) => RowQuery<z.infer<typeof PageRow>>;

/** The page among documents that have a value, as far as it goes: no more vectors are read than come before its end. */
const firstOfOrder: WalkStatement = ({ condition, columns }, { value, order }, walk, slice) => {
  const from = passing(value === null ? sql.fragment`true` : sql.fragment`${value} IS NOT NULL`, columns, order, walk);
  return sql.type(PageRow)`
    SELECT ARRAY(SELECT d.no::int FROM ${from} WHERE ${condition} ORDER BY ${order} OFFSET ${slice.offset} LIMIT ${slice.size}) AS page`;
};

/** The page among all documents, where so few have a value that all of these are looked at. */
const allOfOrder: WalkStatement = ({ condition, columns }, { value, order, valueless }, walk, slice) => {
  const has = sql.fragment`${value} IS NOT NULL`;
  const placed = (from: Fragment, by: Fragment, part: number): Fragment =>
    sql.fragment`SELECT d.no, ${part}::int AS part, row_number() OVER (ORDER BY ${by}) AS place FROM ${from} WHERE ${condition}`;
  return sql.type(PageRow)`
    WITH few AS MATERIALIZED (SELECT NOT EXISTS (SELECT FROM search_doc d WHERE ${has} ORDER BY ${order} OFFSET ${walk.passed} LIMIT 1) AS are),
    b AS MATERIALIZED (SELECT d.* FROM ${passing(has, columns, order, walk)} WHERE (SELECT are FROM few))
    SELECT ARRAY(SELECT no::int FROM (
        ${placed(sql.fragment`b AS d`, order, 0)}
        UNION ALL ${placed(passing(sql.fragment`${value} IS NULL`, columns, valueless, walk), valueless, 1)}
          AND (SELECT are FROM few) AND (SELECT count(*) FROM b) < ${walk.most}::int
      ) AS p ORDER BY part, place OFFSET ${slice.offset} LIMIT ${slice.size}) AS page`;
};

/** The first documents `d` of an order that are something, but for those whose columns say that they cannot match. */
const passing = (is: Fragment, columns: Fragment, order: Fragment, { passed, most }: Walk): Fragment =>
  sql.fragment`(SELECT d.* FROM ${beginning(sql.fragment`search_doc d WHERE ${is}`, order, passed)} WHERE ${columns} ORDER BY ${order} LIMIT ${most}) AS d`;

/** The documents `d` that fit a condition, gathered before anything is done with them: OFFSET keeps the planner from following an order inside. Further conditions may follow a WHERE. */
export const gathered = (condition: Fragment): Fragment =>
  sql.fragment`(SELECT d.* FROM search_doc d WHERE ${condition} OFFSET 0) AS d`;

/** The first documents `d` of an order, so many, whatever they are; `from` may end in a WHERE. */
export const beginning = (from: Fragment, order: Fragment, most: number): Fragment =>
  sql.fragment`(SELECT d.ctid, d.* FROM ${from} ORDER BY ${order} LIMIT ${most}) AS d`;

// Where matches are spread evenly they are met four times before; not more vectors are read than all matches would take, or a thousand, which is the time of a statement.
const timesAsMany = 4;
const leastWalked = 1000;

/** How many documents of an order are looked at for so many matches, before all matches are gathered; 0: there are too few to be met soon. */
export function toWalked({ total, documents: all }: MatchSize, wanted: number): number {
  const expected = (wanted * Math.max(all, total)) / Math.max(total, 1);
  return expected >= total / 2 ? 0 : Math.max(leastWalked, Math.min(total, Math.ceil(timesAsMany * expected)));
}

/** Whether an index has the order of fields, either way. */
const hasIndex = ([first]: readonly SortKey[]): boolean => first === undefined || isIndexed(first);

/** The direction of a key among documents that have a value for it. An index that is read backwards has nulls first, and these are last in any order. */
export const toIndexDirection = ({ isDescending }: SortKey): Fragment =>
  isDescending ? sql.fragment`DESC` : sql.fragment`ASC`;

/** What is equal in all keys is in the order of entry: backwards where the first key is, as the index that is read backwards has it. */
const toEntry = ([first]: readonly SortKey[]): Fragment =>
  first !== undefined && first.field !== 'score' && first.isDescending ? sql.fragment`d.no DESC` : sql.fragment`d.no`;

const indexedColumns: readonly (string | undefined)[] = ['title_sort', 'identifier_sort', 'create_time', 'user_mtime'];

/** Whether an index begins with the field of a key, and has the order of entry behind it. */
export const isIndexed = ({ field }: SortKey): boolean => field !== 'score' && indexedColumns.includes(field.column);

const isTitle = ({ field }: SortKey): boolean => field !== 'score' && field.column === 'title_sort';

/** The page, and the count, of all that matches: looked at once, by the lexemes. */
function readGathered(
  reader: Reader,
  condition: Fragment,
  keys: readonly SortKey[],
  score: Fragment,
  slice: Slice,
): Promise<FoundPage> {
  const parts = keys.map((key, place) => ({ key, name: sql.identifier([`key_${place}`]) }));
  const values = parts.map(({ key, name }) => sql.fragment`, ${toFetched(key, score)} AS ${name}`);
  const order = listed([...parts.map(({ key, name }) => sql.fragment`${name} ${toDirection(key)}`), toEntry(keys)]);
  return reader.one(sql.type(FoundPageRow)`
    WITH m AS MATERIALIZED (SELECT d.no${sql.join([sql.fragment``, ...values], sql.fragment``)} FROM search_doc d WHERE ${condition})
    SELECT (SELECT count(*) FROM m) AS total, ARRAY(
      SELECT no::int FROM m AS d ORDER BY ${order} OFFSET ${slice.offset} LIMIT ${slice.size}) AS page`);
}

// A title of a match is fetched from beside its row in the time in which two entries of the index of titles are gone through.
const entriesPerTitle = 2;
// Numbers that are looked up in a table in memory; more of them than that has room for would be looked through again for each entry.
const mostLookedUp = 1_000_000;

/** Whether what matches is looked up by numbers, as an order is gone through: of many documents that is less than to fetch what they are ordered by. */
export const isLookedUp = ({ total, documents: all }: MatchSize): boolean =>
  total <= mostLookedUp && total * entriesPerTitle >= all;

/** The condition that a document `d` is one of those that fit a condition, by its number: these are found once, and no vector is read. */
export const lookedUp = (condition: Fragment): Fragment =>
  isAmong(sql.fragment`SELECT d.no FROM search_doc d WHERE ${condition}`);

// What is no condition of its own to the planner stays a look-up for each entry of an order; by the limit it knows that there is room.
const isAmong = (numbers: Fragment): Fragment =>
  sql.fragment`coalesce(d.no IN (WITH n AS MATERIALIZED (${numbers}) SELECT no FROM n LIMIT ${mostLookedUp}), false)`;

// Entries of the index of titles that are looked at whatever is found: where matches are spread evenly, the first page of a hundredth of all is among them.
const firstEntries = 2000;

/**
 * The same by titles alone. They stand beside their rows, and each is to be fetched; the index of titles has them with the numbers of their documents. So the page is looked for in the
 * beginning of that index, then in all of it where half of all documents match, and else titles are fetched.
 */
function readPageByTitle(reader: Reader, condition: Fragment, key: SortKey, slice: Slice): Promise<FoundPage> {
  const wanted = slice.offset + slice.size;
  const direction = toIndexDirection(key);
  const entry = toEntry([key]);
  const order = sql.fragment`ORDER BY d.title_sort ${direction}, ${entry}`;
  const titled = sql.fragment`FROM search_doc d WHERE d.title_sort IS NOT NULL`;
  const isMatch = isAmong(sql.fragment`SELECT no FROM m`);
  // Documents without a title are last, whichever way.
  return reader.one(sql.type(FoundPageRow)`
    WITH m AS MATERIALIZED (SELECT d.no FROM search_doc d WHERE ${condition}),
    n AS MATERIALIZED (SELECT (SELECT count(*) FROM m) AS total, ${documents}::int AS documents),
    f AS MATERIALIZED (SELECT ARRAY(SELECT d.no::int FROM (SELECT d.no, d.title_sort ${titled} ${order} LIMIT ${firstEntries}) AS d WHERE ${isMatch} ${order} LIMIT ${wanted}) AS page)
    SELECT total, CASE WHEN total > ${mostLookedUp} OR total < ${wanted}::float8 * ${timesAsMany}::int THEN ${byFetched()}
      WHEN cardinality((SELECT page FROM f)) = ${wanted} THEN (SELECT page[${slice.offset + 1}::int:] FROM f)
      WHEN total::float8 * ${entriesPerTitle}::int >= documents THEN ARRAY(SELECT no::int FROM (
        (SELECT d.no, 0 AS part, d.title_sort AS title ${titled} AND ${isMatch} ${order} LIMIT ${wanted})
        UNION ALL (SELECT d.no, 1, NULL FROM search_doc d WHERE d.title_sort IS NULL AND ${isMatch} ORDER BY ${entry} LIMIT ${wanted})
      ) AS d ORDER BY part, title ${direction}, ${entry} OFFSET ${slice.offset} LIMIT ${slice.size})
      ELSE ${byFetched()} END AS page
    FROM n`);

  function byFetched(): Fragment {
    return sql.fragment`ARRAY(SELECT no::int FROM (SELECT d.no, ${toFetched(key, sql.fragment`0`)} AS title FROM search_doc d WHERE d.no = ANY(ARRAY(SELECT no FROM m)) OFFSET 0) AS d
        ORDER BY title ${toDirection(key)}, ${entry} OFFSET ${slice.offset} LIMIT ${slice.size})`;
  }
}

const toValue = ({ field }: SortKey, score: Fragment): Fragment => (field === 'score' ? score : toSortValue(field));

/**
 * The same value where documents are sorted by it, and no index has the order. Rows are short, and have long titles elsewhere: these are fetched once, where each comparison
 * would fetch both of its own.
 */
export function toFetched(key: SortKey, score: Fragment): Fragment {
  const value = toValue(key, score);
  const { field } = key;
  return field !== 'score' && (field.column === 'title_sort' || field.column === 'identifier_sort')
    ? sql.fragment`(${value} || '')`
    : value;
}
