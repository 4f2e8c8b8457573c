// The outline of a whole tree: ids and depths in reading order, and the texts that replies make of it, a chunk of records at a time.
// An outline of a million nodes is 8 MB; bodies are in memory by the hundred, and no connection is held while a client reads slowly.
import { z } from 'zod';
import type { Json, JsonObject } from '#domain/json.ts';
import { column } from '../connection/columns.ts';
import type { Reader } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import type { TreeKey } from './conditions.ts';
import { inTree } from './conditions.ts';
import type { Visibility } from './read.ts';

/** Ids and depths of nodes in reading order; depth is 1 for the children of the root. */
export type Outline = { readonly ids: Int32Array; readonly depths: Int32Array };

// A list of siblings in order, its ids with commas between: a row for each list costs a fraction of a row for each node.
const ListRow = z.strictObject({ list_id: column.int, ids: column.text });

/**
 * The outline of a tree as it is at one moment, by one statement; with `publishedOnly` without hidden nodes and what is below them. Reads
 * 100,000 nodes in some 100 ms.
 */
export async function readOutline(
  reader: Reader,
  tree: TreeKey,
  { publishedOnly = false }: Visibility = {},
): Promise<Outline> {
  const rows = await reader.any(sql.type(ListRow)`
    SELECT t.list_id, string_agg(t.id::text, ',' ORDER BY b.key, t.ord) AS ids
    FROM tree_bucket b JOIN tree_node t ON ${inTree('t', tree)} AND t.list_id = b.list_id AND t.bucket = b.bucket
    WHERE ${inTree('b', tree)} ${publishedOnly ? sql.fragment`AND t.visible` : sql.fragment``} GROUP BY t.list_id`);
  const lists = new Map(rows.map((row) => [row.list_id, Int32Array.from(row.ids.split(','), Number)]));
  return inReadingOrder(lists);
}

/** What is reached from the list directly under the root (0), each node before the list below it. */
function inReadingOrder(lists: ReadonlyMap<number, Int32Array>): Outline {
  let most = 0;
  for (const list of lists.values()) most += list.length;
  const [ids, depths] = [new Int32Array(most), new Int32Array(most)];
  let count = 0;
  // The lists that are open, the deepest last, and how much of each was taken.
  const open = [{ list: lists.get(0) ?? new Int32Array(), taken: 0 }];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const id = at.list[at.taken++];
    if (id === undefined) {
      open.pop();
      continue;
    }
    ids[count] = id;
    depths[count++] = open.length;
    const below = lists.get(id);
    if (below !== undefined) open.push({ list: below, taken: 0 });
  }
  return { ids: ids.subarray(0, count), depths: depths.subarray(0, count) };
}

/** A node of an outline. */
export type OutlineNode = { readonly id: number; readonly depth: number };

/** The nodes of an outline, or so many from a place on. */
export const nodesOf = ({ ids, depths }: Outline, first = 0, count = ids.length): readonly OutlineNode[] =>
  Array.from(ids.subarray(first, first + count), (id, index) => ({ id, depth: depths[first + index] ?? 1 }));

/** Gives what a reply says of nodes, by id; ids without a record, and of what is not to be shown any more, are left out. Called with some hundred nodes at a time. */
export type Describe<Said> = (nodes: readonly OutlineNode[]) => Promise<ReadonlyMap<number, Said>>;

const nodesAtOnce = 500;

function* chunks(outline: Outline): Generator<{ readonly first: number; readonly nodes: readonly OutlineNode[] }> {
  for (let first = 0; first < outline.ids.length; first += nodesAtOnce)
    yield { first, nodes: nodesOf(outline, first, nodesAtOnce) };
}

/**
 * JSON text of what is said of the nodes in reading order, with commas between, and before unless `isFirst`; in chunks. A node of which nothing is said
 * any more takes what is below it along. With `known`, what is said is said once: neither what is in it nor what came before.
 */
export async function* flatTexts(
  outline: Outline,
  describe: Describe<readonly JsonObject[]>,
  isFirst: boolean,
  known?: Set<string>,
): AsyncGenerator<string> {
  let isEmpty = isFirst;
  let hiddenFrom = Infinity;
  for (const { nodes } of chunks(outline)) {
    const said = await describe(nodes);
    const texts: string[] = [];
    for (const { id, depth } of nodes) {
      if (depth > hiddenFrom) continue;
      const each = said.get(id);
      hiddenFrom = each === undefined ? depth : Infinity;
      for (const one of each ?? []) {
        const text = JSON.stringify(one);
        if (known?.has(text) === true) continue;
        known?.add(text);
        texts.push(text);
      }
    }
    if (texts.length === 0) continue;
    yield `${isEmpty ? '' : ','}${texts.join(',')}`;
    isEmpty = false;
  }
}

/**
 * JSON text of the nested tree below `root`, in chunks: each object is what is said of it, `has_children` for nodes, and `children`. A
 * node without a record stands as an object with its children alone, which a consistent tree never has.
 */
export async function* nestedTexts(
  root: JsonObject,
  outline: Outline,
  describe: Describe<JsonObject>,
): AsyncGenerator<string> {
  let depth = 0;
  yield opened(root);
  for (const { first, nodes } of chunks(outline)) {
    const said = await describe(nodes);
    let text = '';
    for (const [index, { id, depth: here }] of nodes.entries()) {
      // After a parent comes its first child; after anything else what is deeper or as deep is closed first.
      if (here <= depth) text += `${']}'.repeat(depth - here + 1)},`;
      const hasChildren = (outline.depths[first + index + 1] ?? 0) > here;
      text += opened({ ...said.get(id), has_children: hasChildren });
      depth = here;
    }
    yield text;
  }
  yield ']}'.repeat(depth + 1);
}

/** An object's text up to the list of its children. */
function opened(object: { readonly [key: string]: Json | undefined }): string {
  const text = JSON.stringify(object);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"children":[`;
}
