// Reading what the writers of formats take: a record with its refs resolved, its repository, and the components of a digital object.
import { uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { DigitalTree } from '#domain/formats/writing/digital-tree.ts';
import { describedRefs } from '#domain/formats/writing/refs.ts';
import type { JsonObject } from '#domain/json.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { digitalObjectComponent } from '#domain/kinds/digital_object_component.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Database, Reader } from '../connection/database.ts';
import type { ReadRecord } from '../records/reading/read.ts';
import { readRecord, readRecords } from '../records/reading/read.ts';
import type { ResolveViewer } from '../records/reading/resolve.ts';
import { resolveRefs } from '../records/reading/resolve.ts';
import { parseResolve } from '../records/reading/resolve-tree.ts';
import type { OutlineNode } from '../trees/outline.ts';
import { nodesOf, readOutline } from '../trees/outline.ts';

/** A record as writers take it, and the repository it is read in. */
export type ExportRecord = { readonly record: JsonObject; readonly repository: JsonObject };

/** Which record, and the repository in which it is looked at; records of some kinds belong to none. */
export type ExportPlace = { readonly kind: Kind; readonly id: number; readonly repoId: number };

/**
 * A record and the repository in which it is looked at, with `refs` (as `resolve` names them) resolved in both. Two statements, and one for
 * each level of refs. Fails with `not_found` as readRecord.
 */
export async function readExportRecord(
  reader: Reader,
  { kind, id, repoId }: ExportPlace,
  refs: readonly string[],
  viewer: ResolveViewer,
): Promise<ExportRecord> {
  const isGlobal = !kind.uri.includes(':repo_id');
  const [{ text }, { text: repositoryText }] = await Promise.all([
    readRecord(reader, kind, id, isGlobal ? null : repoId, viewer),
    readRecord(reader, repository, repoId, null, viewer),
  ]);
  // Records are our own canonical text.
  const read: ExportRecord = { record: JSON.parse(text), repository: JSON.parse(repositoryText) };
  await resolveRefs(reader, [read.record, read.repository], parseResolve(refs), viewer);
  return read;
}

/** A digital object with its components, and the repository in which it is. */
export type DigitalRecords = DigitalTree & { readonly repository: JsonObject };

/** The components that are asked for: published ones with nothing unpublished above them, or all. */
export type Components = { readonly publishedOnly: boolean };

/** A digital object with all its components in reading order, refs of each resolved: a snapshot. Otherwise as digitalRecords. */
export function readDigitalTree(
  database: Database,
  id: number,
  repoId: number,
  viewer: ResolveViewer,
  components: Components,
): Promise<DigitalRecords> {
  return database.transaction((tx) => digitalRecords(tx, id, repoId, viewer, components), { readOnly: true });
}

/**
 * The same in a transaction. Suppressed components and what is below them are left out for everybody. Six statements whatever their
 * number; all are in memory. Fails with `not_found`.
 */
export async function digitalRecords(
  tx: Reader,
  id: number,
  repoId: number,
  viewer: ResolveViewer,
  { publishedOnly }: Components,
): Promise<DigitalRecords> {
  const { record, repository: holder } = await readExportRecord(
    tx,
    { kind: digitalObject, id, repoId },
    describedRefs,
    viewer,
  );
  const steps = nodesOf(await readOutline(tx, { repoId, code: componentTree, rootId: id }, { publishedOnly }));
  const found = await readRecords(tx, new Map([[digitalObjectComponent.name, steps.map((step) => step.id)]]), {
    ...viewer,
    seesSuppressed: false,
  });
  const components = shownOf(steps, (componentId) => found.get(uriOf(digitalObjectComponent, componentId, repoId)));
  await resolveRefs(
    tx,
    components.map((component) => component.record),
    { linked_agents: {}, subjects: {} },
    viewer,
  );
  return { object: record, components, repository: holder };
}

// The code of the tree of components (tree_node.kind).
const componentTree = digitalObjectComponent.tree?.code ?? 0;

/** The records of the walk, without those that were not found and what is below them. */
function shownOf(
  steps: readonly OutlineNode[],
  find: (id: number) => ReadRecord | undefined,
): DigitalTree['components'] {
  const components: { readonly record: JsonObject; readonly depth: number }[] = [];
  let hiddenDepth = Infinity;
  for (const { id, depth } of steps) {
    if (depth > hiddenDepth) continue;
    const found = find(id);
    hiddenDepth = found === undefined ? depth : Infinity;
    if (found !== undefined) components.push({ record: JSON.parse(found.text), depth });
  }
  return components;
}
