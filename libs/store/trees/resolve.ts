// `resolve[]=tree`: puts the nested tree beside the `tree` ref of a root (contract, behaviour-records 4.1).
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Database } from '../connection/database.ts';
import type { ResolveViewer } from '../records/reading/resolve.ts';
import { nestedTree } from './whole.ts';

type Mutable = { [property: string]: Json | undefined };

/**
 * Completes the `tree` refs of records, at the top of each and of what is resolved in them, in place. Trees are read one after the
 * other, so that one at a time is in the making; each costs the statements of `GET …/tree`. `records` come from JSON.parse.
 */
export async function resolveTrees(
  database: Database,
  records: readonly JsonObject[],
  viewer: ResolveViewer,
): Promise<void> {
  const holders: Mutable[] = [];
  for (const record of records) findTreeRefs(record, holders);
  await holders.reduce((before, holder) => before.then(() => resolveTree(database, holder, viewer)), Promise.resolve());
}

function findTreeRefs(value: unknown, found: Mutable[]): void {
  if (Array.isArray(value)) return value.forEach((item) => findTreeRefs(item, found));
  if (!isObject(value)) return;
  for (const [property, child] of Object.entries(value)) {
    // Records come from JSON.parse of our own text, so they are plain objects that may be completed in place.
    if (property === 'tree' && isObject(child) && textOf(child, 'ref')?.endsWith('/tree') === true)
      found.push(child as Mutable);
    else findTreeRefs(child, found);
  }
}

async function resolveTree(database: Database, holder: Mutable, viewer: ResolveViewer): Promise<void> {
  const root = parseUri(String(holder['ref']).slice(0, -'/tree'.length));
  if (root === null || root.repoId === null || !viewer.mayView(root.repoId)) return;
  const rootKind = kindNamed(root.kind);
  const nodeKind = nodeKindOf(rootKind);
  if (nodeKind === null) return;
  const view = {
    repoId: root.repoId,
    nodeKind,
    rootKind,
    release: 'R-B' as const,
    publishedOnly: false,
    seesSuppressed: viewer.seesSuppressed,
  };
  const texts = await Array.fromAsync(await nestedTree({ database, view, rootId: root.id }));
  holder['_resolved'] = JSON.parse(texts.join(''));
}
