// What rows of a template of top containers name: one statement for each kind of thing.
import { z } from 'zod';
import type { LinkerFacts, LinkerWanted } from '#domain/spreadsheets/container-links.ts';
import { pairKey } from '#domain/spreadsheets/container-links.ts';
import type { Reader } from '../connection/database.ts';
import { IdRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { readBarcoded, readComponents, readUsedContainers } from './collection.ts';

/** Looks everything up for a resource. Suppressed components count as absent: nobody may change them. */
export async function readLinkerFacts(
  reader: Reader,
  repoId: number,
  resource: { readonly id: number; readonly eadId: string | null },
  wanted: LinkerWanted,
): Promise<LinkerFacts> {
  const components = await readComponents(reader, repoId, resource.id, { refIds: wanted.refIds, ids: [] });
  const used = await readUsedContainers(reader, repoId, resource.id);
  const barcoded = await readBarcoded(reader, repoId, wanted.barcodes);
  return {
    eadId: resource.eadId,
    components: new Map(components.map(({ id, refId }) => [refId, id])),
    used: new Set(used.map(({ type, indicator }) => pairKey(type, indicator))),
    containerIds: await existingIds(reader, 'top_container', repoId, wanted.containerIds),
    barcodes: new Set(barcoded.flatMap(({ barcode }) => barcode ?? [])),
    childBarcodes: await childBarcodes(reader, repoId, wanted.childBarcodes),
    locationIds: await existingIds(reader, 'location', null, wanted.locationIds),
    profileIds: await existingIds(reader, 'container_profile', null, wanted.profileIds),
  };
}

/** Those of the ids that records of a kind have. */
export async function existingIds(
  reader: Reader,
  kind: string,
  repoId: number | null,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = ${kind} AND repo_id IS NOT DISTINCT FROM ${repoId}::int AND id = ANY(${sql.array([...ids], 'int4')})`);
  return new Set(rows.map(({ id }) => id));
}

const NameRow = z.strictObject({ name: column.text });

// No index knows barcodes of sub-containers: bodies that mention any are looked through, once for a job.
async function childBarcodes(
  reader: Reader,
  repoId: number,
  barcodes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (barcodes.length === 0) return new Set();
  const rows = await reader.any(sql.type(NameRow)`
    SELECT DISTINCT i->'sub_container'->>'barcode_2' AS name FROM record r CROSS JOIN LATERAL json_array_elements(r.body->'instances') i
    WHERE r.kind IN ('archival_object', 'resource', 'accession') AND r.repo_id = ${repoId} AND strpos(r.body::text, '"barcode_2":') > 0 AND i->'sub_container'->>'barcode_2' = ANY(${sql.array([...barcodes], 'text')})`);
  return new Set(rows.map(({ name }) => name));
}
