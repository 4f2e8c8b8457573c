// Computed properties of classifications and their terms: the place of a term, and the way to it from the root by title and identifier
// (contract 6.10). Index probes only: primary keys for the way up, one bucket for the position.
import type { Kind } from '#domain/kind.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';

const step = "json_build_object('title', x.body->>'title', 'identifier', x.body->>'identifier')";

/** `path_from_root`: of a root itself alone, of a node its ancestors and itself; with the place of a node, or whether a root has nodes. */
export const treePath = (kind: Kind): string => (kind.tree === undefined ? rootPath(kind) : nodePath(kind));

function rootPath(kind: Kind): string {
  const node = nodeKindOf(kind);
  if (node?.tree === undefined) throw new Error(`kind ${kind.name} is no root`);
  return `(SELECT '"path_from_root":' || json_build_array(${step})::text || ',"has_${node.name}s":' || EXISTS (SELECT FROM tree_bucket b
      WHERE b.repo_id = x.repo_id AND b.kind = ${node.tree.code} AND b.root_id = x.id AND b.list_id = 0 AND b.n > 0)::text || ','
    FROM (SELECT r.id, r.repo_id, r.body) x)`;
}

function nodePath(kind: Kind): string {
  const tree = kind.tree;
  if (tree === undefined) throw new Error(`kind ${kind.name} is no node`);
  return `(WITH RECURSIVE up AS (
      SELECT t.*, 0 AS depth FROM tree_node t WHERE t.repo_id = r.repo_id AND t.kind = ${tree.code} AND t.id = r.id
      UNION ALL SELECT t.*, up.depth + 1 FROM up JOIN tree_node t ON t.repo_id = up.repo_id AND t.kind = ${tree.code} AND t.id = up.parent_id
    ), path AS (
      SELECT o.body, up.depth FROM up JOIN record o ON o.kind = '${kind.name}' AND o.id = up.id
      UNION ALL SELECT o.body, 1000000 FROM up JOIN record o ON o.kind = '${tree.root}' AND o.id = up.root_id WHERE up.depth = 0
    )
    SELECT '"${tree.rootProperty}":{"ref":"' || record_uri('${tree.root}', me.root_id, me.repo_id) || '"},'
      || CASE WHEN me.parent_id IS NULL THEN '' ELSE '"parent":{"ref":"' || record_uri('${kind.name}', me.parent_id, me.repo_id) || '"},' END
      || '"position":' || (SELECT count(*) FROM tree_node m JOIN tree_bucket mb ON mb.repo_id = m.repo_id AND mb.kind = m.kind AND mb.root_id = m.root_id AND mb.list_id = m.list_id AND mb.bucket = m.bucket
          WHERE m.repo_id = me.repo_id AND m.kind = me.kind AND m.root_id = me.root_id AND m.list_id = me.list_id AND (mb.key, m.ord) < (own.key, me.ord))
      || ',"path_from_root":' || (SELECT json_agg(${step} ORDER BY x.depth DESC)::text FROM path x) || ','
    FROM up me JOIN tree_bucket own ON own.repo_id = me.repo_id AND own.kind = me.kind AND own.root_id = me.root_id AND own.list_id = me.list_id AND own.bucket = me.bucket
    WHERE me.depth = 0)`;
}
