// A whole tree in reading order (a node, then what is below it), a few thousand rows in memory however large the tree is.
// For exports and ordered_records; callers fetch bodies for the ids, some hundred at a time.
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';
import { inList, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { countChildren } from './read.ts';
import type { Visibility } from './read.ts';

/** A node on the walk; `depth` is 1 for the children of the start. */
export type Step = { readonly id: number; readonly depth: number };

/** `under`: the node whose descendants are walked (null: the whole tree). With publishedOnly nothing below a hidden node is visited. */
export type WalkOptions = Visibility & { readonly under?: number | null; readonly batchRows?: number };

type Item = { readonly id: number; readonly depth: number; readonly childCount: number };
// The rest of a list too long for one read: buckets with keys beyond `afterKey`.
type Rest = { readonly listId: number; readonly depth: number; readonly afterKey: number };
const ChildRow = z.strictObject({ list_id: column.int, id: column.int, child_count: column.int, key: column.int });
type ChildRow = z.infer<typeof ChildRow>;

const smallestKey = -(2 ** 53);
const bucketsAtOnce = 7;

/**
 * Walks a tree depth first. One statement per `batchRows` nodes (4,000): when a node's children are needed, those of the nodes that
 * come next are read with them. Run it in a read-only transaction (`Database.transaction(…, { readOnly: true })`), or a move
 * meanwhile may show a node twice or not at all.
 */
export async function* walkTree(reader: Reader, tree: TreeKey, options: WalkOptions = {}): AsyncGenerator<Step> {
  const { under = null, batchRows = 4000 } = options;
  const stack: (Item | Rest)[] = [];
  const opened = new Map<number, readonly Item[]>();
  let top: Item | Rest | undefined = {
    id: under ?? 0,
    depth: 0,
    childCount: await countChildren(reader, tree, under, options),
  };
  for (; top !== undefined; top = stack.pop()) {
    if ('listId' in top) {
      const part = await readPart(reader, tree, top, options);
      pushAll(stack, part);
      continue;
    }
    if (top.depth > 0) yield { id: top.id, depth: top.depth };
    if (top.childCount === 0) continue;
    if (top.childCount > batchRows) {
      stack.push({ listId: top.id, depth: top.depth, afterKey: smallestKey });
      continue;
    }
    if (!opened.has(top.id)) await openNext(reader, tree, { top, stack, opened, batchRows, options });
    pushAll(stack, opened.get(top.id) ?? []);
    opened.delete(top.id);
  }
}

function pushAll(stack: (Item | Rest)[], items: readonly (Item | Rest)[]): void {
  for (const item of items.toReversed()) stack.push(item);
}

type Opening = {
  readonly top: Item;
  readonly stack: readonly (Item | Rest)[];
  readonly opened: Map<number, readonly Item[]>;
  readonly batchRows: number;
  readonly options: Visibility;
};

// Reads the children of `top` and of the unopened items that come after it, until enough rows are expected.
async function openNext(
  reader: Reader,
  tree: TreeKey,
  { top, stack, opened, batchRows, options }: Opening,
): Promise<void> {
  const depths = new Map([[top.id, top.depth]]);
  let expected = top.childCount;
  for (let i = stack.length - 1; i >= 0 && expected < batchRows; i--) {
    const item = stack[i];
    if (item === undefined || 'listId' in item || item.childCount === 0 || opened.has(item.id)) continue;
    if (expected + item.childCount > batchRows) break;
    expected += item.childCount;
    depths.set(item.id, item.depth);
  }
  const listIds = sql.array([...depths.keys()], 'int4');
  const rows = await reader.any(sql.type(ChildRow)`
    SELECT t.list_id, t.id, b.key, ${childCount(tree, options)} AS child_count
    FROM tree_bucket b JOIN tree_node t ON ${inTree('t', tree)} AND t.list_id = b.list_id AND t.bucket = b.bucket
    WHERE ${inTree('b', tree)} AND b.list_id = ANY(${listIds})${visible(options)} ORDER BY b.list_id, b.key, t.ord`);
  const children = Map.groupBy(rows, (row) => row.list_id);
  for (const [id, depth] of depths) {
    opened.set(
      id,
      (children.get(id) ?? []).map((row) => ({ id: row.id, depth: depth + 1, childCount: row.child_count })),
    );
  }
}

// The next buckets of a long list, and what is then left of it.
async function readPart(
  reader: Reader,
  tree: TreeKey,
  rest: Rest,
  options: Visibility,
): Promise<readonly (Item | Rest)[]> {
  const parentId = rest.listId === 0 ? null : rest.listId;
  const rows = await reader.any(sql.type(ChildRow)`
    SELECT t.list_id, t.id, b.key, ${childCount(tree, options)} AS child_count
    FROM (SELECT b.bucket, b.key FROM tree_bucket b WHERE ${inList('b', tree, parentId)} AND b.key > ${rest.afterKey}::bigint${options.publishedOnly === true ? sql.fragment` AND b.nv > 0` : sql.fragment``}
          ORDER BY b.key LIMIT ${bucketsAtOnce}) b
    JOIN tree_node t ON ${inList('t', tree, parentId)} AND t.bucket = b.bucket${visible(options)} ORDER BY b.key, t.ord`);
  const last = rows.at(-1);
  if (last === undefined) return [];
  const items = rows.map((row) => ({ id: row.id, depth: rest.depth + 1, childCount: row.child_count }));
  return [...items, { ...rest, afterKey: last.key }];
}

const visible = (options: Visibility): Fragment =>
  options.publishedOnly === true ? sql.fragment` AND t.visible` : sql.fragment``;

function childCount(tree: TreeKey, options: Visibility): Fragment {
  const count = options.publishedOnly === true ? sql.fragment`k.nv` : sql.fragment`k.n`;
  return sql.fragment`(SELECT coalesce(sum(${count}), 0)::int FROM tree_bucket k WHERE ${inTree('k', tree)} AND k.list_id = t.id)`;
}
