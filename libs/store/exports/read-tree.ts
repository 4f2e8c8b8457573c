// A root and the nodes of its tree in reading order with what they point at in place, a block at a time: what EAD, METS, OAI, labels and
// NDJSON are written from. Memory holds the outline (8 bytes a node), three blocks, and some linked records, whatever the size of the tree.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import { column } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { readManyRecords, readRecord, readRecords } from '../records/reading/read.ts';
import type { ResolveViewer } from '../records/reading/resolve.ts';
import { resolveRefs } from '../records/reading/resolve.ts';
import type { ResolveTree } from '../records/reading/resolve-tree.ts';
import { parseResolve } from '../records/reading/resolve-tree.ts';
import { ResolvedRecords } from '../records/reading/resolved-records.ts';
import type { Outline } from '../trees/outline.ts';
import { readOutline } from '../trees/outline.ts';

/** Which tree. */
export type ExportRoot = { readonly kind: Kind; readonly repoId: number; readonly id: number };

/**
 * What is read of a tree. `publishedOnly`: unpublished nodes are left out with all below them; suppressed ones always are. The root is
 * read whatever its flags, if the viewer may see it. `resolve` names refs as in requests. `after`: the id of the node behind which to
 * begin, for resuming. `signal` ends the reading before its next block.
 */
export type ExportOptions = {
  readonly publishedOnly: boolean;
  readonly viewer: ResolveViewer;
  readonly resolve: readonly string[];
  readonly after?: number;
  /**
   * Nodes as a GET answers them, with what is computed from other rows, such as their place, and with who saved them; without, what is
   * stored alone. Resolved records have what is stored of them, and who saved them.
   */
  readonly computed?: boolean;
  /** Levels of description whose nodes are read before all, for a table of contents; at most 2,000, the least deep ones. */
  readonly groups?: readonly string[];
  readonly blockSize?: number;
  readonly signal?: AbortSignal;
};

/** What a part of a tree is read with: nodes as ExportOptions say, from which `resolving` was made. */
export type PartOptions = Pick<ExportOptions, 'publishedOnly' | 'viewer' | 'computed' | 'blockSize' | 'signal'> & {
  readonly resolving: Resolving;
  readonly hiding: Hiding;
};

/** The refs that are resolved, and what those that were read before led to. One for the parts of one tree, so that each is read once. */
export type Resolving = { readonly tree: ResolveTree; readonly known: ResolvedRecords };

/** Below a node that is hidden or gone by now nothing is shown: nodes deeper than `below`, up to one that is not. Nodes are read in order, and change it. */
export type Hiding = { below: number };

/** Starts the resolving of the refs of these names. */
export const makeResolving = (names: readonly string[]): Resolving => ({
  tree: parseResolve(names),
  known: new ResolvedRecords(),
});

/** Where nothing is hidden. */
export const makeHiding = (): Hiding => ({ below: Number.POSITIVE_INFINITY });

/** Who looks at a tree that is exported. Linked records that are suppressed are in no export, whoever asks; a suppressed root is one that the caller asked for. */
export const exportViewer = (viewer: ResolveViewer): ResolveViewer => ({
  ...viewer,
  seesSuppressed: false,
  seesPlain: true,
});

/** A record of a tree; `depth` is 0 for the root, 1 for its children. `record` is what a GET answers (see `computed`), with `_resolved` beside refs. */
type ExportedRecord = {
  readonly id: number;
  readonly uri: string;
  readonly depth: number;
  readonly record: JsonObject;
};

/** A tree that is open for reading: its root, how many nodes at most will come, the depth of the deepest, and the nodes in blocks in reading order. */
export type ExportTree = {
  readonly root: ExportedRecord;
  readonly count: number;
  readonly deepest: number;
  /** Nodes of the levels asked for, in reading order: what a table of contents says of them. */
  readonly groups: readonly ExportedRecord[];
  readonly blocks: AsyncGenerator<readonly ExportedRecord[]>;
  /** The nodes as they were found, for whoever reads them in parts (readPart) and not in blocks. */
  readonly outline: Outline;
};

// Large enough that a block's statements cost little each, small enough that it holds the event loop for a few milliseconds (test/bench/export.ts).
const defaultBlockSize = 64;

/**
 * Opens a tree. Fails with `not_found` before anything is read where there is no such root, and with `bad_parameter` where `after` is no
 * node of what would be read. The order is that of one moment; records are as they are when their block is read, without a transaction,
 * so that a slow client holds no connection, and at most two blocks early. What was hidden, moved out or deleted meanwhile is left out with
 * all below it. A block costs one statement for the nodes, and one for each level of refs to records that no block before it named.
 */
export async function exportTree(
  database: Database,
  { kind, repoId, id }: ExportRoot,
  options: ExportOptions,
): Promise<ExportTree> {
  const node = nodeKindOf(kind);
  if (node?.tree === undefined) throw fail('internal', `${kind.name} is no root`);
  const found = await readRecord(database.reader, kind, id, repoId, options.viewer);
  const tree = { repoId, code: node.tree.code, rootId: id };
  const outline = await database.transaction((tx) => readOutline(tx, tree, { publishedOnly: options.publishedOnly }), {
    readOnly: true,
  });
  const first = options.after === undefined ? 0 : outline.ids.indexOf(options.after) + 1;
  if (options.after !== undefined && first === 0)
    throw fail('bad_parameter', { after: ['Must be the id of a record of the tree'] });
  const viewer = exportViewer(options.viewer);
  const record: JsonObject = JSON.parse(found.text);
  await resolveRefs(database.reader, [record], parseResolve(options.resolve), viewer);
  const asked = { ids: outline.ids.subarray(first), depths: outline.depths.subarray(first) };
  const resolving = makeResolving(options.resolve);
  return {
    root: { id, uri: found.uri, depth: 0, record },
    count: asked.ids.length,
    outline: asked,
    deepest: outline.depths.reduce((deepest, depth) => Math.max(deepest, depth), 0),
    groups:
      options.groups === undefined
        ? []
        : await readGroups(database, { node, repoId }, tree, outline, { ...options, groups: options.groups, viewer }),
    blocks: readBlocks(database, { node, repoId }, asked, { ...options, viewer, resolving, hiding: makeHiding() }),
  };
}

/** The nodes of a part of a tree's outline, in blocks; as exportTree() reads them. */
export function readPart(
  database: Database,
  { kind, repoId }: Pick<ExportRoot, 'kind' | 'repoId'>,
  part: Outline,
  options: PartOptions,
): AsyncGenerator<readonly ExportedRecord[]> {
  const node = nodeKindOf(kind);
  if (node === null) throw fail('internal', `${kind.name} is no root`);
  return readBlocks(database, { node, repoId }, part, options);
}

// What contents say of a node: bodies with their notes would fill memory.
const saidOfGroups = ['title', 'display_string', 'ref_id', 'level', 'publish'];
const mostGroups = 2000;
const Group = z.strictObject({ id: column.int });

async function readGroups(
  database: Database,
  place: { readonly node: Kind; readonly repoId: number },
  { repoId, code, rootId }: { readonly repoId: number; readonly code: number; readonly rootId: number },
  outline: Outline,
  options: ExportOptions & { readonly groups: readonly string[] },
): Promise<readonly ExportedRecord[]> {
  const rows = await database.reader.any(sql.type(Group)`
    SELECT id FROM tree_node
    WHERE repo_id = ${repoId} AND kind = ${code}::smallint AND root_id = ${rootId} AND level = ANY(${sql.array([...options.groups], 'text')})`);
  const wanted = new Set(rows.map(({ id }) => id));
  const found = [...outline.ids].flatMap((id, at) => (wanted.has(id) ? [{ id, depth: outline.depths[at] ?? 1 }] : []));
  // The least deep ones, in reading order.
  const kept = found
    .toSorted((a, b) => a.depth - b.depth)
    .slice(0, mostGroups)
    .map(({ id }) => id);
  const isKept = new Set(kept);
  const chosen = found.filter(({ id }) => isKept.has(id));
  const part = { ids: Int32Array.from(chosen, ({ id }) => id), depths: Int32Array.from(chosen, ({ depth }) => depth) };
  const groups: ExportedRecord[] = [];
  const nothing = { resolving: makeResolving([]), hiding: makeHiding() };
  for await (const block of readBlocks(database, place, part, { ...options, ...nothing }))
    for (const { record, ...rest } of block)
      groups.push({ ...rest, record: Object.fromEntries(saidOfGroups.flatMap((name) => [[name, record[name]]])) });
  return groups;
}

/**
 * The blocks in order. While one is written the next has its links looked up and the one behind it is read, from the first on that is asked for: one
 * statement after the other, the database was waited for as long as anything was done.
 */
async function* readBlocks(
  database: Database,
  place: { readonly node: Kind; readonly repoId: number },
  outline: Outline,
  options: PartOptions,
): AsyncGenerator<readonly ExportedRecord[]> {
  const { signal, blockSize = defaultBlockSize } = options;
  const { read, show } = blockReader(database, place, outline, options);
  const ends = outline.ids.length;
  const readAt = (at: number): Promise<Texts> | null => (at < ends ? quiet(read(at, blockSize)) : null);
  const showAt = (at: number, texts: Promise<Texts> | null): Promise<readonly ExportedRecord[]> | null =>
    texts === null ? null : quiet(show(at, blockSize, texts));
  let next = showAt(0, readAt(0));
  let behind = readAt(blockSize);
  try {
    for (let at = 0; next !== null; at += blockSize) {
      signal?.throwIfAborted();
      const block = await next;
      next = showAt(at + blockSize, behind);
      behind = readAt(at + 2 * blockSize);
      yield block;
    }
  } finally {
    await Promise.allSettled([next, behind]);
  }
}

/** What is awaited in its turn; where nobody comes for it, its failure is nobody's. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** What is stored of the nodes of a block, by uri. */
type Texts = Awaited<ReturnType<typeof readRecords>>;

/**
 * Reads what is stored of so many nodes from a place of the outline on; and makes of that the block as it is shown, which is to be done for
 * one block after the other, in order.
 */
function blockReader(
  database: Database,
  { node, repoId }: { readonly node: Kind; readonly repoId: number },
  { ids, depths }: Outline,
  { publishedOnly, viewer, computed: isWhole = false, resolving, hiding }: PartOptions,
): {
  readonly read: (at: number, size: number) => Promise<Texts>;
  readonly show: (at: number, size: number, texts: Promise<Texts>) => Promise<readonly ExportedRecord[]>;
} {
  // Positions of neighbours are counted together, where they are read.
  const read = (at: number, size: number): Promise<Texts> =>
    (isWhole ? readManyRecords : readRecords)(
      database.reader,
      new Map([[node.name, [...ids.subarray(at, at + size)]]]),
      {
        ...viewer,
        seesPlain: !isWhole,
        seesSaves: isWhole,
      },
    );
  const show = async (at: number, size: number, reading: Promise<Texts>): Promise<readonly ExportedRecord[]> => {
    const texts = await reading;
    const block = ids.subarray(at, at + size);
    const shown: ExportedRecord[] = [];
    for (const [index, id] of block.entries()) {
      const depth = depths[at + index] ?? 1;
      if (depth > hiding.below) continue;
      const uri = uriOf(node, id, repoId);
      const found = texts.get(uri);
      const isHidden = found === undefined || (publishedOnly && found.row.publish === false);
      hiding.below = isHidden ? depth : Number.POSITIVE_INFINITY;
      if (!isHidden && found !== undefined) shown.push({ id, uri, depth, record: JSON.parse(found.text) });
    }
    await resolveRefs(
      database.reader,
      shown.map((each) => each.record),
      resolving.tree,
      viewer,
      resolving.known,
    );
    return shown;
  };
  return { read, show };
}
