// Whole trees as JSON text in chunks: the nested tree, the small tree of the bulk updater, ordered_records, the containers of a
// collection; and the record types that a graph holds (contract, behaviour-records 4.4, 6.4; trees 6.6).
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { subrecords } from '#domain/subrecords/index.ts';
import type { TreeRecord } from '#domain/tree/nested.ts';
import { nestedNode, nestedRoot, smallNode, smallRoot } from '#domain/tree/nested.ts';
import { containerRefs, levelOf } from '#domain/tree/shown.ts';
import type { Database, Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Page, PageRecord, TreeView } from './answers/page.ts';
import { readPage, readRecords } from './answers/page.ts';
import { idArray, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import type { Outline, OutlineNode } from './outline.ts';
import { flatTexts, nestedTexts, readOutline } from './outline.ts';
import { subtreeIds } from './read.ts';

/** A tree that is read as a whole: who asks, and which root. */
export type WholeTree = { readonly database: Database; readonly view: TreeView; readonly rootId: number };

function keyOf({ view, rootId }: WholeTree): TreeKey {
  const code = view.nodeKind.tree?.code;
  if (code === undefined) throw fail('internal', `${view.nodeKind.name} is in no tree`);
  return { repoId: view.repoId, code, rootId };
}

const outlineOf = (whole: WholeTree, publishedOnly = false): Promise<Outline> =>
  whole.database.transaction((tx) => readOutline(tx, keyOf(whole), { publishedOnly }), { readOnly: true });

/** The root with what its instances point at. Fails with `not_found` where it is absent, or suppressed and hidden. */
async function readRoot({
  database,
  view,
  rootId,
}: WholeTree): Promise<{ readonly record: PageRecord; readonly page: Page }> {
  const page = await readPage(database.reader, view, view.rootKind, [rootId]);
  const record = page.records.get(rootId);
  if (record === undefined || (record.suppressed && !view.seesSuppressed))
    throw fail('not_found', `${view.rootKind.model} not found`);
  return { record, page };
}

const toTreeRecord = (kind: Kind, repoId: number, record: PageRecord): TreeRecord => ({
  ...record,
  kind: kind.name,
  uri: uriOf(kind, record.id, repoId),
});

/** What a form of the tree says of nodes. */
const describeWith =
  ({ database, view }: WholeTree, say: (record: TreeRecord, page: Page) => JsonObject) =>
  async (nodes: readonly OutlineNode[]): Promise<ReadonlyMap<number, JsonObject>> => {
    const page = await readPage(database.reader, view, view.nodeKind, idsOf(nodes));
    return new Map(
      [...page.records.values()].map((record) => [
        record.id,
        say(toTreeRecord(view.nodeKind, view.repoId, record), page),
      ]),
    );
  };

/** The nested tree, as clients of `…/tree` read it. Fails before the first chunk where there is no such root. */
export async function nestedTree(whole: WholeTree): Promise<AsyncIterable<string>> {
  const { record, page } = await readRoot(whole);
  const outline = await outlineOf(whole);
  const root = nestedRoot(toTreeRecord(whole.view.rootKind, whole.view.repoId, record), page);
  return nestedTexts({ ...root, has_children: outline.ids.length > 0 }, outline, describeWith(whole, nestedNode));
}

/** The small tree, for choosing what to update. Fails as nestedTree. */
export async function smallTree(whole: WholeTree): Promise<AsyncIterable<string>> {
  const { record } = await readRoot(whole);
  return nestedTexts(
    smallRoot(toTreeRecord(whole.view.rootKind, whole.view.repoId, record)),
    await outlineOf(whole),
    describeWith(whole, smallNode),
  );
}

/** `{"jsonmodel_type":"resource_ordered_records","uris":[{ref, display_string, depth, level}…]}`: the root, then what is visible below it in reading order; none for a hidden root. Fails as nestedTree. */
export async function orderedRecords(whole: WholeTree): Promise<AsyncIterable<string>> {
  const { view } = whole;
  const { record } = await readRoot(whole);
  const opening = '{"jsonmodel_type":"resource_ordered_records","uris":[';
  if (!isVisible(record)) return parts([opening, ']}']);
  const outline = await outlineOf(whole, true);
  const first = orderedRecord(
    uriOf(view.rootKind, record.id, view.repoId),
    textOf(record.body, 'title') ?? record.label,
    0,
    levelOf(record.body),
  );
  const describe = async (nodes: readonly OutlineNode[]): Promise<ReadonlyMap<number, readonly JsonObject[]>> => {
    const depths = new Map(nodes.map((node) => [node.id, node.depth]));
    const rows = await readLabels(whole, idsOf(nodes));
    return new Map(
      rows.map((row) => [
        row.id,
        [orderedRecord(uriOf(view.nodeKind, row.id, view.repoId), row.label, depths.get(row.id) ?? 1, row.level)],
      ]),
    );
  };
  return parts([`${opening}${JSON.stringify(first)}`, flatTexts(outline, describe, false), ']}']);
}

const idsOf = (nodes: readonly OutlineNode[]): readonly number[] => nodes.map((node) => node.id);
const isVisible = (record: PageRecord): boolean => record.publish === true && !record.suppressed;

function orderedRecord(ref: string, label: string, depth: number, level: string | null): JsonObject {
  return { ref, display_string: label, depth, ...(level === null ? {} : { level }) };
}

const LabelRow = z.strictObject({ id: column.int, label: column.text, level: column.maybeText });

/** Labels and levels of those nodes that are still published, without their bodies: primary keys of record and tree_node. A client may take minutes to read the reply. */
function readLabels(
  { database, view, rootId }: WholeTree,
  ids: readonly number[],
): Promise<readonly z.infer<typeof LabelRow>[]> {
  return database.reader.any(sql.type(LabelRow)`
    SELECT r.id, r.label, t.level FROM record r LEFT JOIN tree_node t ON ${inTree('t', keyOf({ database, view, rootId }))} AND t.id = r.id
    WHERE r.kind = ${view.nodeKind.name} AND r.id = ANY(${idArray(ids)}) AND r.publish AND NOT r.suppressed`);
}

/** `[{ref}…]`: the top containers of the records of orderedRecords, each once, in reading order of what holds them. Fails as nestedTree. */
export async function treeContainers(whole: WholeTree): Promise<AsyncIterable<string>> {
  const { database, view } = whole;
  const { record } = await readRoot(whole);
  if (!isVisible(record)) return parts(['[]']);
  const own = containerRefs(record.body).map((ref) => JSON.stringify({ ref }));
  const describe = async (nodes: readonly OutlineNode[]): Promise<ReadonlyMap<number, readonly JsonObject[]>> => {
    const records = await readRecords(database.reader, view.nodeKind.name, view.repoId, idsOf(nodes));
    const shown = [...records].filter(([, node]) => isVisible(node));
    return new Map(shown.map(([id, { body }]) => [id, containerRefs(body).map((ref) => ({ ref }))]));
  };
  const outline = await outlineOf(whole, true);
  return parts([`[${own.join(',')}`, flatTexts(outline, describe, own.length === 0, new Set(own)), ']']);
}

async function* parts(pieces: readonly (string | AsyncIterable<string>)[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield piece;
    else yield* piece;
  }
}

const bodiesAtOnce = 2000;

/**
 * The names of record types in a record and what it owns, nodes first: of a node with all below it, of a root (`nodeId` null) with its whole tree.
 * Types without rows of their own in the interface, such as notes, are not counted. Looks at every body once, some thousand at a time.
 */
export async function modelsInGraph(
  reader: Reader,
  view: TreeView,
  rootId: number,
  nodeId: number | null,
): Promise<readonly string[]> {
  const code = view.nodeKind.tree?.code ?? 0;
  const below = await subtreeIds(reader, { repoId: view.repoId, code, rootId }, nodeId === null ? null : [nodeId]);
  const found = new Set<string>();
  if (nodeId === null) await addModels(reader, view.rootKind.name, [rootId], found);
  for (let at = 0; at < below.length; at += bodiesAtOnce)
    await addModels(reader, view.nodeKind.name, below.slice(at, at + bodiesAtOnce), found);
  found.delete(view.rootKind.name);
  const owned = [...found].filter((name) => subrecords.get(name)?.audited === true).sort();
  return found.has(view.nodeKind.name) ? [view.nodeKind.name, ...owned] : owned;
}

const NameRow = z.strictObject({ name: column.text });

// The text is split at a byte sequence that stands in a canonical body at objects alone: in a JSON string its quotes would be escaped.
// A regular expression would take fifteen times as long.
async function addModels(reader: Reader, kind: string, ids: readonly number[], found: Set<string>): Promise<void> {
  const rows = await reader.any(sql.type(NameRow)`
    SELECT DISTINCT split_part(part, '"', 1) AS name FROM record r, unnest(string_to_array(r.body::text, '"jsonmodel_type":"')) part WHERE r.kind = ${kind} AND r.id = ANY(${idArray(ids)})`);
  for (const row of rows) found.add(row.name);
}
