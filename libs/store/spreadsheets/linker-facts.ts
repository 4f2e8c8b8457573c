// What rows of a template of top containers name: one statement for each kind of thing.
import type { LinkerFacts, LinkerWanted } from '#domain/spreadsheets/container-links.ts';
import { pairKey } from '#domain/spreadsheets/container-links.ts';
import type { Reader } from '../database.ts';
import { sql } from '../sql.ts';

/** Looks everything up for a resource. Suppressed components count as absent: nobody may change them. */
export async function readLinkerFacts(reader: Reader, repoId: number, resource: { readonly id: number; readonly eadId: string | null }, wanted: LinkerWanted): Promise<LinkerFacts> {
  // The nodes by themselves: joined one by one, trees without statistics get the wrong index.
  const components = await reader.any<{ id: number; name: string }>(sql`
    WITH named AS MATERIALIZED (SELECT r.id, r.body->>'ref_id' AS name FROM record r WHERE r.kind = 'archival_object' AND r.repo_id = ${repoId} AND NOT r.suppressed AND r.body->>'ref_id' = ANY(${sql.array([...wanted.refIds], 'text')})),
      nodes AS MATERIALIZED (SELECT t.id FROM tree_node t WHERE t.repo_id = ${repoId} AND t.kind = 1 AND t.root_id = ${resource.id})
    SELECT id, name FROM named JOIN nodes USING (id)`);
  const used = await reader.any<{ type: string | null; indicator: string | null }>(sql`SELECT DISTINCT c.body->>'type' AS type, c.body->>'indicator' AS indicator
    FROM (SELECT l.target_id FROM tree_node t JOIN link l ON l.source_kind = 'archival_object' AND l.source_id = t.id AND l.property = 'instances.sub_container.top_container' WHERE t.repo_id = ${repoId} AND t.kind = 1 AND t.root_id = ${resource.id}
      UNION SELECT l.target_id FROM link l WHERE l.source_kind = 'resource' AND l.source_id = ${resource.id} AND l.property = 'instances.sub_container.top_container') u
    JOIN record c ON c.kind = 'top_container' AND c.id = u.target_id`);
  const barcodes = wanted.barcodes.length === 0 ? [] : await reader.any<{ name: string }>(sql`SELECT r.body->>'barcode' AS name FROM record r
    WHERE r.kind = 'top_container' AND r.repo_id = ${repoId} AND r.body->>'barcode' = ANY(${sql.array([...wanted.barcodes], 'text')})`);
  return {
    eadId: resource.eadId,
    components: new Map(components.map(({ id, name }) => [name, id])),
    used: new Set(used.map(({ type, indicator }) => pairKey(type, indicator))),
    containerIds: await existing(reader, 'top_container', repoId, wanted.containerIds),
    barcodes: new Set(barcodes.map(({ name }) => name)),
    childBarcodes: await childBarcodes(reader, repoId, wanted.childBarcodes),
    locationIds: await existing(reader, 'location', null, wanted.locationIds),
    profileIds: await existing(reader, 'container_profile', null, wanted.profileIds),
  };
}

async function existing(reader: Reader, kind: string, repoId: number | null, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await reader.any<{ id: number }>(sql`SELECT id FROM record WHERE kind = ${kind} AND repo_id IS NOT DISTINCT FROM ${repoId}::int AND id = ANY(${sql.array([...ids], 'int4')})`);
  return new Set(rows.map(({ id }) => id));
}

// No index knows barcodes of sub-containers: bodies that mention any are looked through, once for a job.
async function childBarcodes(reader: Reader, repoId: number, barcodes: readonly string[]): Promise<ReadonlySet<string>> {
  if (barcodes.length === 0) return new Set();
  const rows = await reader.any<{ name: string }>(sql`SELECT DISTINCT i->'sub_container'->>'barcode_2' AS name FROM record r CROSS JOIN LATERAL json_array_elements(r.body->'instances') i
    WHERE r.kind IN ('archival_object', 'resource', 'accession') AND r.repo_id = ${repoId} AND strpos(r.body::text, '"barcode_2":') > 0 AND i->'sub_container'->>'barcode_2' = ANY(${sql.array([...barcodes], 'text')})`);
  return new Set(rows.map(({ name }) => name));
}
