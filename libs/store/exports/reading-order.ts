// A whole tree in reading order by one statement, for documents that are put together in memory anyway; trees/walk.ts is for those that
// are streamed, and takes more statements the deeper a tree is.
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { inTree } from '../trees/conditions.ts';
import type { TreeKey } from '../trees/conditions.ts';
import type { Step } from '../trees/walk.ts';

const Row = z.strictObject({ id: column.int, parent_id: column.maybeInt, visible: column.bool });
type Row = z.infer<typeof Row>;

/** All nodes, each before what is below it; with `publishedOnly` no hidden one and nothing below it. Served by tree_node_order. */
export async function readingOrder(reader: Reader, tree: TreeKey, publishedOnly: boolean): Promise<readonly Step[]> {
  const rows = await reader.any(sql.type(Row)`
    SELECT t.id, t.parent_id, t.visible FROM tree_node t
    JOIN tree_bucket b ON ${inTree('b', tree)} AND b.list_id = t.list_id AND b.bucket = t.bucket
    WHERE ${inTree('t', tree)} ORDER BY t.list_id, b.key, t.ord`);
  const children = Map.groupBy(publishedOnly ? rows.filter((row) => row.visible) : rows, (row) => row.parent_id);
  const steps: Step[] = [];
  // What is still to come, the next one last.
  const stack: Step[] = [];
  const push = (parentId: number | null, depth: number): void => {
    for (const row of (children.get(parentId) ?? []).toReversed()) stack.push({ id: row.id, depth });
  };
  push(null, 1);
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    steps.push(step);
    push(step.id, step.depth + 1);
  }
  return steps;
}
