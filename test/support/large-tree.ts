// A resource with so many components that what concerns all of them is a job's.
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import type { TestApi } from './api.ts';
import { idOf } from './api.ts';
import { importInto } from './batch.ts';
import { resourceBody } from './records.ts';

/** Makes the resource, and imports `count` components directly below it; `bodyOf` tells what each has besides title and level. */
export async function largeTree(
  api: TestApi,
  repoId: number,
  { code, count, root = {}, bodyOf }: LargeTree,
): Promise<string> {
  const resource = await api.create(`/repositories/${repoId}/resources`, resourceBody(code, root));
  const components = Array.from({ length: count }, (_, n) => ({
    jsonmodel_type: 'archival_object',
    uri: `/repositories/${repoId}/archival_objects/import_${n}`,
    title: `File ${n}`,
    level: 'file',
    resource: { ref: resource },
    position: n,
    ...bodyOf?.(n),
  }));
  await importInto(api.database, components, { repoId, blockBytes: 100_000, chunkBytes: 65_536 });
  return resource;
}

type LargeTree = {
  readonly code: string;
  readonly count: number;
  readonly root?: JsonObject;
  readonly bodyOf?: (n: number) => JsonObject;
};

/**
 * Makes a resource whose components, `count` of them in the order of their titles `File 0` and so on, are written as rows: a hundred thousand in
 * seconds. They have no history, and search knows them once they are saved. Gives the uri of the resource, and the id of the first component; the
 * others count on.
 */
export async function siblingsAsRows(
  api: TestApi,
  repoId: number,
  {
    code,
    count,
    root = {},
    between,
  }: Omit<LargeTree, 'bodyOf'> & {
    /** Done when the resource is there, before what is in it. */
    readonly between?: () => Promise<unknown>;
  },
): Promise<{ readonly resource: string; readonly first: number }> {
  const resource = await api.create(`/repositories/${repoId}/resources`, resourceBody(code, root));
  await between?.();
  const tree = treeUnder(kindNamed('archival_object'), repoId, idOf(resource));
  const first = await api.database.transaction(async (tx) => {
    const { id } = await tx.one(sql.type(IdRow)`SELECT nextval('archival_object_id_seq')::int AS id`);
    await tx.run(sql`INSERT INTO record (kind, id, repo_id, publish, label, body)
      SELECT 'archival_object', ${id}::int + n, ${repoId}, false, 'File ' || n,
        json_build_object('jsonmodel_type', 'archival_object', 'title', 'File ' || n, 'level', 'file', 'ref_id', md5(${code} || n), 'publish', false)
      FROM generate_series(0, ${count - 1}::int) n`);
    await tx.any(sql.type(IdRow)`SELECT setval('archival_object_id_seq', ${id + count}::bigint)::int AS id`);
    await bulkLoadTree(
      tx,
      tree,
      sql.fragment`SELECT ${id}::int + n AS id, ${tree.rootId}::int AS root_id, NULL::int AS parent_id, n AS position, n AS seq, false AS visible, 'file' AS level
        FROM generate_series(0, ${count - 1}::int) n`,
      { keepsPositions: true },
    );
    return id;
  });
  return { resource, first };
}
