// Reading what the writers of formats take: a record with its refs resolved, its repository, and the components of a digital object.
import { uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { DigitalTree } from '#domain/formats/writing/digital-tree.ts';
import type { JsonObject } from '#domain/json.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { digitalObjectComponent } from '#domain/kinds/digital_object_component.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Database, Reader } from '../connection/database.ts';
import type { ReadRecord } from '../records/reading/read.ts';
import { readRecord, readRecords } from '../records/reading/read.ts';
import type { ResolveTree, ResolveViewer } from '../records/reading/resolve.ts';
import { resolveRefs } from '../records/reading/resolve.ts';
import type { Step } from '../trees/walk.ts';
import { readingOrder } from './reading-order.ts';

/** A record as writers take it, and the repository it is read in. */
export type ExportRecord = { readonly record: JsonObject; readonly repository: JsonObject };

/** The refs that the writers of descriptions look at; for resolveRefs over many records. `agent_representation` is the repository's. */
export const describedRefs: ResolveTree = {
  linked_agents: {},
  subjects: {},
  resource: {},
  parent: {},
  agent_representation: {},
};
/** What the writers of agents look at. */
const ofAgents: ResolveTree = { related_agents: {}, subjects: {}, places: {} };

/**
 * A resource, archival object or digital object with agents, subjects, parent and root resolved. Three statements. Fails with `not_found`
 * as readRecord.
 */
export async function readDescribed(
  reader: Reader,
  kind: Kind,
  id: number,
  repoId: number,
  viewer: ResolveViewer,
): Promise<ExportRecord> {
  const [{ text }, { text: repositoryText }] = await Promise.all([
    readRecord(reader, kind, id, repoId, viewer),
    readRecord(reader, repository, repoId, null, viewer),
  ]);
  // Records are our own canonical text.
  const read: { readonly record: JsonObject; readonly repository: JsonObject } = {
    record: JSON.parse(text),
    repository: JSON.parse(repositoryText),
  };
  await resolveRefs(reader, [read.record, read.repository], describedRefs, viewer);
  return read;
}

/** An agent with related agents and the subjects of its parts resolved, and the repository in which it is looked at. Three statements. Fails with `not_found`. */
export async function readAgent(
  reader: Reader,
  kind: Kind,
  id: number,
  repoId: number,
  viewer: ResolveViewer,
): Promise<ExportRecord> {
  const [{ text }, { text: repositoryText }] = await Promise.all([
    readRecord(reader, kind, id, null, viewer),
    readRecord(reader, repository, repoId, null, viewer),
  ]);
  // Records are our own canonical text.
  const read: { readonly record: JsonObject; readonly repository: JsonObject } = {
    record: JSON.parse(text),
    repository: JSON.parse(repositoryText),
  };
  await resolveRefs(reader, [read.record], ofAgents, viewer);
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
  const { record, repository: holder } = await readDescribed(tx, digitalObject, id, repoId, viewer);
  const steps = await readingOrder(tx, { repoId, code: componentTree, rootId: id }, publishedOnly);
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
function shownOf(steps: readonly Step[], find: (id: number) => ReadRecord | undefined): DigitalTree['components'] {
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
