// Reading nodes of trees with their positions, which are counted among siblings: for one node from memory, for many at once.
import type { Kind } from '#domain/kind.ts';
import type { Reader } from '../../connection/database.ts';
import type { PositionMemory } from '../../trees/position-memory.ts';
import type { ReadRow } from './row.ts';
import { openPlace } from './computed/tree-place.ts';
import { bucketsOf, placesOf, readStatement, siblingsOf } from './statements.ts';
import type { Viewer } from './viewer.ts';

/**
 * Reads a node with its position from memory; where that does not know it, with the siblings that it then remembers. Null where the tree was
 * written meanwhile: record, ancestors and position are to be read together then.
 */
export async function readNode(
  reader: Reader,
  memory: PositionMemory,
  kind: Kind,
  id: number,
  viewer: Viewer,
): Promise<ReadRow | undefined | null> {
  const row = await reader.byId(readStatement([kind], viewer, 'tree versions'), id);
  if (row === undefined || row.tree == null || kind.tree === undefined) return row;
  const [root, version] = keyOf(kind, row.tree);
  let position = memory.find(root, version, id);
  if (position === undefined) {
    const siblings = await reader.byId(siblingsOf(kind, kind.tree.code), id);
    if (siblings === undefined || siblings.tree !== row.tree) return null;
    const ids = siblings.ids.split(',').map(Number);
    memory.keep(root, version, siblings.start, ids);
    // Counted here: memory that is full may have forgotten the tree at once, where that was begun first.
    position = siblings.start + ids.indexOf(id);
  }
  return withPosition(row, position);
}

function keyOf(kind: Kind, tree: string): readonly [string, string] {
  const space = tree.indexOf(' ');
  return [`${kind.name} ${tree.slice(0, space)}`, tree.slice(space + 1)];
}

/**
 * Reads nodes of one kind with their positions from memory; where that does not know some, with all siblings in their buckets, which it then
 * remembers. Null where a tree was written meanwhile: records, ancestors and positions are to be read together then.
 */
export async function readNodesRemembered(
  reader: Reader,
  memory: PositionMemory,
  kind: Kind,
  ids: readonly number[],
  viewer: Viewer,
): Promise<readonly ReadRow[] | null> {
  const rows = await reader.named(readStatement([kind], viewer, 'tree versions'), [ids]);
  const find = ({ tree, id }: ReadRow): number | undefined =>
    tree == null ? 0 : memory.find(...keyOf(kind, tree), id);
  const unknown = rows.filter((row) => find(row) === undefined).map((row) => row.id);
  if (unknown.length > 0 && kind.tree !== undefined)
    for (const { tree, start, ids: siblings } of await reader.named(bucketsOf(kind, kind.tree.code), [unknown]))
      memory.keep(...keyOf(kind, tree), start, siblings.split(',').map(Number));
  const placed: ReadRow[] = [];
  for (const row of rows) {
    const position = find(row);
    if (position === undefined) return null;
    placed.push(row.tree == null ? row : withPosition(row, position));
  }
  return placed;
}

/**
 * Reads nodes of one kind, what is above siblings and the bucket they are counted in once and not once for each of them; other records as they
 * are. Two statements: a node that is moved between them has either place.
 */
export async function readNodes(
  reader: Reader,
  kind: Kind,
  ids: readonly number[],
  viewer: Viewer,
): Promise<readonly ReadRow[]> {
  const apart = viewer.seesPlain === true ? null : placesOf(kind);
  const rows = await reader.named(readStatement([kind], viewer, apart === null ? 'positions' : 'apart'), [ids]);
  if (apart === null || rows.length === 0) return rows;
  const places = new Map<number, string>();
  for (const { first, rest, nodes } of await reader.named(apart, [ids]))
    for (const node of nodes.split(',')) {
      const [id = '', position = ''] = node.split(' ');
      places.set(Number(id), `${first}${position}${rest}`);
    }
  return rows.map((row) => ({ ...row, computed: row.computed.replace(openPlace, () => places.get(row.id) ?? '') }));
}

/** The row with the position put in. In a JSON string its quotes would be escaped, so these characters stand in the place of the node alone. */
const withPosition = (row: ReadRow, position: number): ReadRow => ({
  ...row,
  computed: row.computed.replace('"position":?', `"position":${position}`),
});
