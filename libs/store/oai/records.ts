// Reads records as harvesting formats need them: as GET answers them, with agents, subjects, the repository, and the ancestors that
// components take things from. A fixed number of statements for a page.
import type { TreeSource } from '#domain/formats/define-export.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import type { JsonObject } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import type { Database, Reader } from '../connection/database.ts';
import { exportTree } from '../exports/read-tree.ts';
import { readRecords } from '../records/reading/read.ts';
import { resolveRefs } from '../records/reading/resolve.ts';
import { parseResolve } from '../records/reading/resolve-tree.ts';
import type { OaiKey } from './states.ts';
import { textOfKey } from './states.ts';

const embedded = parseResolve([
  'linked_agents',
  'subjects',
  'repository',
  'resource',
  'parent',
  'ancestors::linked_agents',
]);
// Suppressed records are nobody's to see here, contact details neither; repositories were chosen by who calls.
const viewer = { seesSuppressed: false, mayView: (): boolean => true };

/** The published tree of a resource, as finding aids show it. Fails with `not_found` where it is gone or suppressed. */
export async function openOaiTree(database: Database, { repoId, id }: OaiKey): Promise<TreeSource> {
  const { root, blocks, deepest } = await exportTree(
    database,
    { kind: resource, repoId, id },
    { publishedOnly: true, viewer, resolve: findingAidRefs },
  );
  return { root: root.record, blocks, deepest };
}

/** The records of keys, by textOfKey; those that are gone or suppressed are left out. */
export async function readOaiRecords(
  reader: Reader,
  keys: readonly OaiKey[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const wanted = new Map<string, number[]>();
  for (const { kind, id } of keys) wanted.set(kind, [...(wanted.get(kind) ?? []), id]);
  const found = [...(await readRecords(reader, wanted, viewer)).values()];
  // Our own replies: JSON objects.
  const records = found.map(({ text }) => JSON.parse(text) as JsonObject);
  await resolveRefs(reader, records, embedded, viewer);
  return new Map(
    found.flatMap(({ row }, place) => {
      const record = records[place];
      return record === undefined || row.repo_id === null
        ? []
        : [[textOfKey({ kind: row.kind, id: row.id, repoId: row.repo_id }), record] as const];
    }),
  );
}
