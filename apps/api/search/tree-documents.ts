// The documents of public trees, answered from the trees as they are now: always those of the public, whoever asks.
import { Failure, fail } from '#domain/errors.ts';
import type { TreeDocumentKey } from '#domain/search/documents/tree-documents.ts';
import { parseTreeDocumentId, toTreeDocument } from '#domain/search/documents/tree-documents.ts';
import type { Visibility } from '#store/search/port.ts';
import type { TreeView } from '#store/trees/answers.ts';
import { treeNode, treeNodeFromRoot, treeRoot, treeWaypoint } from '#store/trees/answers.ts';
import { orderedRecords } from '#store/trees/whole.ts';
import { sluggedUrls } from '../record-routes/tree.ts';
import type { Call } from '../route.ts';

type Hits = readonly { readonly id: string; readonly stored: string }[];

/** Each costs some statements; public interfaces ask for one. */
const mostAtOnce = 50;

/**
 * The documents of these ids and uris in the order asked, of records and of public trees; those that are not there, or that the public (for trees)
 * or the caller (for records) does not see, are left out. Throws `bad_parameter` for more than 50 parts of trees.
 */
export async function readDocuments(
  call: Pick<Call<unknown, unknown>, 'services' | 'release'>,
  ids: readonly string[],
  visibility: Visibility,
): Promise<Hits> {
  const keys = [...new Set(ids)].flatMap((id) => parseTreeDocumentId(id) ?? []);
  if (keys.length === 0) return call.services.search.read(ids, visibility);
  if (keys.length > mostAtOnce) throw fail('bad_parameter', { uri: [`takes at most ${mostAtOnce} parts of trees`] });
  const parts = new Set(keys.map(({ id }) => id));
  const records = await call.services.search.read(
    ids.filter((id) => !parts.has(id)),
    visibility,
  );
  const trees = await readTrees(call, keys, visibility);
  const placeOf = ({ id, stored }: Hits[number]): number => {
    const place = ids.indexOf(id);
    // A record may have been asked for by its uri and found as the public's copy.
    return place >= 0 ? place : ids.indexOf(uriIn(stored));
  };
  const placed = [...records, ...trees].map((hit) => ({ hit, place: placeOf(hit) }));
  return placed.sort((a, b) => a.place - b.place).map(({ hit }) => hit);
}

async function readTrees(
  call: Pick<Call<unknown, unknown>, 'services' | 'release'>,
  keys: readonly TreeDocumentKey[],
  visibility: Visibility,
): Promise<Hits> {
  const asPublic: Visibility = { ...visibility, mayNotSeeUnpublished: true, seesSuppressed: false };
  const shown = await call.services.search.read(
    [...new Set(keys.flatMap(({ root, parent }) => [root.uri, parent]))],
    asPublic,
  );
  const seen = new Set(shown.map(({ stored }) => uriIn(stored)));
  const wanted = keys.filter(({ root, parent }) => seen.has(root.uri) && seen.has(parent));
  return (await Promise.all(wanted.map((key) => readTree(call, key)))).flatMap((hit) => hit ?? []);
}

async function readTree(
  { services, release }: Pick<Call<unknown, unknown>, 'services' | 'release'>,
  key: TreeDocumentKey,
): Promise<Hits[number] | null> {
  const { root, part } = key;
  const view: TreeView = {
    repoId: root.repoId,
    rootKind: root.kind,
    nodeKind: root.nodeKind,
    release,
    publishedOnly: true,
    seesSuppressed: false,
    sluggedUrl: sluggedUrls(services),
  };
  const { database } = services;
  const { reader } = database;
  const answer = async (): Promise<string> => {
    switch (part.type) {
      case 'tree_root':
        return JSON.stringify(await treeRoot(reader, view, root.id));
      case 'tree_waypoint':
        return JSON.stringify(await treeWaypoint(reader, view, root.id, part.parentId, part.offset));
      case 'tree_node':
        return JSON.stringify(await treeNode(reader, view, root.id, part.nodeId));
      case 'tree_node_from_root':
        return [...(await treeNodeFromRoot(reader, view, root.id, [part.nodeId]))].join('');
      case 'resource_ordered_records':
        return textOf(await orderedRecords({ database, view, rootId: root.id }));
    }
  };
  try {
    return { id: key.id, stored: toTreeDocument(key, await answer()) };
  } catch (error) {
    // Moved to another tree, or gone, since the index looked.
    if (error instanceof Failure && error.code === 'not_found') return null;
    throw error;
  }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  const texts: string[] = [];
  for await (const chunk of chunks) texts.push(chunk);
  return texts.join('');
}

/** The uri of a stored document. */
export function uriIn(stored: string): string {
  // The index stores what document.ts made: an object.
  const document = JSON.parse(stored) as { readonly uri?: unknown };
  return typeof document.uri === 'string' ? document.uri : '';
}
