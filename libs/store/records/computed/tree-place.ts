// Computed properties of records in trees: the place of a node, and the ref of a root's tree.
import { kindNamed } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';

/** `tree` of a root: a ref to the whole tree (contract 4.1). */
export const treeRef = (): string => `('"tree":' || json_build_object('ref', record_uri(r.kind, r.id, r.repo_id) || '/tree')::text || ',')`;

/**
 * The place of a node: root ref, `parent`, `position` (0-based among all siblings), `ancestors` (nearest first, root last,
 * with level) and `has_unpublished_ancestor`. Index probes only: primary keys for the way up, one bucket for the position.
 * Null for a record that is in no tree. Plain SQL and no function: a function in PL/pgSQL took twice the time.
 */
export const treePlace = (kind: Kind): string => {
  const tree = kind.tree;
  if (tree === undefined) throw new Error(`kind ${kind.name} has no tree`);
  const { code, root, rootProperty } = tree;
  const inList = (alias: string): string => `${alias}.repo_id = t.repo_id AND ${alias}.kind = ${code} AND ${alias}.root_id = t.root_id AND ${alias}.list_id = t.list_id`;
  // The uri templates as constants: record_uri() would choose among them for each ref.
  const ref = (of: Kind, id: string): string => `'{"ref":"${of.uri.replace(':repo_id', `' || t.repo_id || '`).replace(':id', `' || ${id} || '`)}"'`;
  const rootRef = ref(kindNamed(root), 't.root_id');
  const rootLevel = root !== 'resource' ? '' : `|| (SELECT ',"level":' || coalesce(to_json(CASE WHEN x.level = 'otherlevel' THEN coalesce(o.body->>'other_level', x.level) ELSE x.level END)::text, 'null')
      FROM (SELECT o.body->>'level' AS level OFFSET 0) x)`;
  return `(SELECT '"${rootProperty}":' || ${rootRef} || '},' || CASE WHEN t.parent_id IS NULL THEN '' ELSE '"parent":' || ${ref(kind, 't.parent_id')} || '},' END
      || '"position":' || (SELECT count(*) FROM tree_node m WHERE ${inList('m')} AND m.bucket = t.bucket AND m.ord < t.ord)
        + (SELECT coalesce(sum(b.n), 0) FROM tree_bucket b WHERE ${inList('b')} AND b.key < (SELECT own.key FROM tree_bucket own WHERE ${inList('own')} AND own.bucket = t.bucket))
      || ',"ancestors":[' || coalesce(up.refs, '') || ${rootRef} ${rootLevel} || '}]'
      || ',"has_unpublished_ancestor":' || (coalesce(up.hidden, false) OR NOT coalesce(o.publish AND NOT o.suppressed, false)) || ','
    FROM tree_node t LEFT JOIN record o ON o.kind = '${root}' AND o.id = t.root_id
    CROSS JOIN LATERAL (
      WITH RECURSIVE above AS (
        SELECT a.id, a.parent_id, a.level, a.visible, 1 AS step FROM tree_node a WHERE a.repo_id = t.repo_id AND a.kind = ${code} AND a.id = t.parent_id
        UNION ALL
        SELECT a.id, a.parent_id, a.level, a.visible, above.step + 1 FROM above JOIN tree_node a ON a.repo_id = t.repo_id AND a.kind = ${code} AND a.id = above.parent_id
      )
      SELECT string_agg(${ref(kind, 'above.id')} || CASE WHEN above.level IS NULL THEN '' ELSE ',"level":' || to_json(above.level)::text END || '},', '' ORDER BY above.step) AS refs,
        bool_or(NOT above.visible) AS hidden FROM above) up
    WHERE t.repo_id = r.repo_id AND t.kind = ${code} AND t.id = r.id)`;
};
