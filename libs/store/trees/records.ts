// The records of a whole tree as clients read them, root first, then in reading order; some hundred bodies in memory at a time.
import { uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { Database } from '../connection/database.ts';
import { readRecords } from '../records/reading/read.ts';
import { readOutline } from './outline.ts';

/** Which tree, and whether suppressed records are shown; without them what is below them is left out as well. */
export type TreeRecords = {
  readonly rootKind: Kind;
  readonly nodeKind: Kind;
  readonly repoId: number;
  readonly rootId: number;
  readonly seesSuppressed: boolean;
};

const recordsAtOnce = 500;

/** Yields the root and then its nodes. Nothing where there is no root. */
export async function* treeRecords(database: Database, tree: TreeRecords): AsyncGenerator<JsonObject> {
  const { rootKind, nodeKind, repoId, rootId, seesSuppressed } = tree;
  const read = (kind: Kind, ids: readonly number[]) =>
    readRecords(database.reader, new Map([[kind.name, ids]]), { seesSuppressed });
  const root = (await read(rootKind, [rootId])).get(uriOf(rootKind, rootId, repoId));
  if (root === undefined) return;
  yield JSON.parse(root.text);
  const key = { repoId, code: nodeKind.tree?.code ?? 0, rootId };
  const { ids } = await database.transaction((tx) => readOutline(tx, key), { readOnly: true });
  const left = new Set<string>();
  // One statement for some hundred records.
  for (let at = 0; at < ids.length; at += recordsAtOnce) {
    const block = [...ids.subarray(at, at + recordsAtOnce)];
    const found = await read(nodeKind, block);
    for (const id of block) {
      const uri = uriOf(nodeKind, id, repoId);
      const text = found.get(uri)?.text;
      const record: JsonObject | null = text === undefined ? null : JSON.parse(text);
      const parent = textOf(objectOf(record ?? undefined, 'parent'), 'ref');
      if (record === null || (parent !== undefined && left.has(parent))) left.add(uri);
      else yield record;
    }
  }
}
