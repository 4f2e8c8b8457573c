// Reading what the writers of formats take: a record with its refs resolved, its repository, and the components of a digital object.
import { uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { DigitalTree } from '#domain/formats/digital-tree.ts';
import type { JsonObject } from '#domain/json.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { digitalObjectComponent } from '#domain/kinds/digital_object_component.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Database, Reader } from '../database.ts';
import { readRecord, readRecords } from '../records/read.ts';
import type { ResolveTree, ResolveViewer } from '../records/resolve.ts';
import { resolveRefs } from '../records/resolve.ts';
import type { Step } from '../trees/walk.ts';
import { walkTree } from '../trees/walk.ts';

/** A record as writers take it, and the repository it is read in. */
export type ExportRecord = { readonly record: JsonObject; readonly repository: JsonObject };

/** The refs that the writers of descriptions look at; for resolveRefs over many records. `agent_representation` is the repository's. */
export const describedRefs: ResolveTree = { linked_agents: {}, subjects: {}, resource: {}, parent: {}, agent_representation: {} };
/** What the writers of agents look at. */
const ofAgents: ResolveTree = { related_agents: {}, subjects: {}, places: {} };

/**
 * A resource, archival object or digital object with agents, subjects, parent and root resolved. Three statements. Fails with `not_found`
 * as readRecord.
 */
export async function readDescribed(reader: Reader, kind: Kind, id: number, repoId: number, viewer: ResolveViewer): Promise<ExportRecord> {
  const [{ text }, { text: repositoryText }] = await Promise.all([readRecord(reader, kind, id, repoId, viewer), readRecord(reader, repository, repoId, null, viewer)]);
  // Records are our own canonical text.
  const read: { readonly record: JsonObject; readonly repository: JsonObject } = { record: JSON.parse(text), repository: JSON.parse(repositoryText) };
  await resolveRefs(reader, [read.record, read.repository], describedRefs, viewer);
  return read;
}

/** An agent with related agents and the subjects of its parts resolved, and the repository in which it is looked at. Three statements. Fails with `not_found`. */
export async function readAgent(reader: Reader, kind: Kind, id: number, repoId: number, viewer: ResolveViewer): Promise<ExportRecord> {
  const [{ text }, { text: repositoryText }] = await Promise.all([readRecord(reader, kind, id, null, viewer), readRecord(reader, repository, repoId, null, viewer)]);
  // Records are our own canonical text.
  const read: { readonly record: JsonObject; readonly repository: JsonObject } = { record: JSON.parse(text), repository: JSON.parse(repositoryText) };
  await resolveRefs(reader, [read.record], ofAgents, viewer);
  return read;
}

/**
 * A digital object with all its components in reading order, refs of each resolved: a snapshot. With `publishedOnly` nothing unpublished
 * and nothing below it; suppressed components and what is below them never. Five statements for up to 4,000 components, and one for each
 * further 4,000. Fails with `not_found`.
 */
export function readDigitalTree(database: Database, id: number, repoId: number, viewer: ResolveViewer, publishedOnly: boolean): Promise<DigitalTree & { readonly repository: JsonObject }> {
  return database.transaction(async (tx) => {
    const { record, repository: holder } = await readDescribed(tx, digitalObject, id, repoId, viewer);
    const steps: Step[] = [];
    for await (const step of walkTree(tx, { repoId, code: 2, rootId: id }, { publishedOnly })) steps.push(step);
    const found = await readRecords(tx, new Map([[digitalObjectComponent.name, steps.map((step) => step.id)]]), { ...viewer, seesSuppressed: false });
    const components: { readonly record: JsonObject; readonly depth: number }[] = [];
    let hiddenDepth = Infinity;
    for (const { id: componentId, depth } of steps) {
      if (depth > hiddenDepth) continue;
      const component = found.get(uriOf(digitalObjectComponent, componentId, repoId));
      hiddenDepth = component === undefined ? depth : Infinity;
      if (component !== undefined) components.push({ record: JSON.parse(component.text), depth });
    }
    await resolveRefs(tx, components.map((component) => component.record), { linked_agents: {}, subjects: {} }, viewer);
    return { object: record, components, repository: holder };
  }, { readOnly: true });
}
