// What rows of spreadsheets name within a resource: its archival objects, and the containers that they are in. One statement each.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { KnownComponent, KnownContainer } from '#domain/spreadsheets/load/facts.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

const ComponentRow = z.strictObject({
  id: column.int,
  refId: column.text,
  title: column.text,
  publish: column.bool,
  parentId: column.maybeInt,
});

/** Archival objects of a resource by ref_id or id. Suppressed ones count as absent: nobody may change them. */
export async function readComponents(
  reader: Reader,
  repoId: number,
  resourceId: number,
  { refIds, ids }: { readonly refIds: readonly string[]; readonly ids: readonly number[] },
): Promise<readonly KnownComponent[]> {
  if (refIds.length + ids.length === 0) return [];
  // The nodes by themselves: joined one by one, trees without statistics get the wrong index.
  return reader.any(sql.type(ComponentRow)`
    WITH named AS MATERIALIZED (
        SELECT r.id, r.body->>'ref_id' AS "refId", r.label AS title, coalesce(r.publish, false) AS publish FROM record r WHERE r.kind = 'archival_object' AND r.repo_id = ${repoId} AND NOT r.suppressed AND r.body->>'ref_id' = ANY(${sql.array([...refIds], 'text')})
        UNION SELECT r.id, r.body->>'ref_id', r.label, coalesce(r.publish, false) FROM record r WHERE r.kind = 'archival_object' AND r.repo_id = ${repoId} AND NOT r.suppressed AND r.id = ANY(${sql.array([...ids], 'int4')})),
      nodes AS MATERIALIZED (SELECT t.id, t.parent_id AS "parentId" FROM tree_node t WHERE t.repo_id = ${repoId} AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = ${resourceId})
    SELECT * FROM named JOIN nodes USING (id)`);
}

/** The top containers that a resource and its archival objects are in, the oldest first. */
export async function readUsedContainers(
  reader: Reader,
  repoId: number,
  resourceId: number,
): Promise<readonly KnownContainer[]> {
  return containersIn(
    reader,
    repoId,
    sql.fragment`
    SELECT l.target_id FROM tree_node t JOIN link l ON l.source_kind = 'archival_object' AND l.source_id = t.id AND l.property = 'instances.sub_container.top_container' WHERE t.repo_id = ${repoId} AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = ${resourceId}
    UNION SELECT l.target_id FROM link l WHERE l.source_kind = 'resource' AND l.source_id = ${resourceId} AND l.property = 'instances.sub_container.top_container'`,
  );
}

/** The top containers of a repository that have one of the barcodes. */
export async function readBarcoded(
  reader: Reader,
  repoId: number,
  barcodes: readonly string[],
): Promise<readonly KnownContainer[]> {
  if (barcodes.length === 0) return [];
  return containersIn(
    reader,
    repoId,
    sql.fragment`SELECT r.id FROM record r WHERE r.kind = 'top_container' AND r.repo_id = ${repoId} AND r.body->>'barcode' = ANY(${sql.array([...barcodes], 'text')})`,
  );
}

const ContainerRow = z.strictObject({
  id: column.int,
  type: column.maybeText,
  indicator: column.maybeText,
  barcode: column.maybeText,
});

async function containersIn(reader: Reader, repoId: number, ids: Fragment): Promise<readonly KnownContainer[]> {
  const rows = await reader.any(sql.type(ContainerRow)`
    SELECT c.id, c.body->>'type' AS type, c.body->>'indicator' AS indicator, c.body->>'barcode' AS barcode FROM (${ids}) AS u (id) JOIN record c ON c.kind = 'top_container' AND c.id = u.id ORDER BY c.id`);
  return rows.map(({ id, ...container }) => ({ uri: uriOf(topContainer, id, repoId), ...container }));
}

const RefIdRow = z.strictObject({ id: column.int, refId: column.text });

/** The ref_ids of archival objects by id. */
export async function readRefIds(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.any(sql.type(RefIdRow)`
    SELECT r.id, r.body->>'ref_id' AS "refId" FROM record r WHERE r.kind = 'archival_object' AND r.id = ANY(${sql.array([...ids], 'int4')})`);
  return new Map(rows.map(({ id, refId }) => [id, refId]));
}
