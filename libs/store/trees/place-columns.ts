// The place of a record in its tree as columns of the statement that reads the record: part of every GET of a node.
import { type Fragment, sql } from '../sql.ts';

/** What `placeColumns` adds to a row; all null where the record is in no tree. `ancestors` is JSON text. */
export type PlaceColumns = {
  readonly root_id: number | null;
  readonly parent_id: number | null;
  readonly position: number | null;
  /** `[{"id":7,"level":"file"},…]`, nearest first, without the root; '[]' directly under it. */
  readonly ancestors: string | null;
};

/**
 * The columns root_id, parent_id, position (0-based, hidden siblings counted) and ancestors for the record row `alias` (which has
 * repo_id and id), as scalar subselects: a row that the statement cuts off costs nothing. `code` is the kind's tree code.
 */
export function placeColumns(alias: string, code: number): Fragment {
  const node = sql.fragment`tree_node t WHERE t.repo_id = ${sql.identifier([alias, 'repo_id'])} AND t.kind = ${code}::smallint AND t.id = ${sql.identifier([alias, 'id'])}`;
  const list = (of: string): Fragment => {
    const column = (name: string): ReturnType<typeof sql.identifier> => sql.identifier([of, name]);
    return sql.fragment`${column('repo_id')} = t.repo_id AND ${column('kind')} = t.kind AND ${column('root_id')} = t.root_id AND ${column('list_id')} = t.list_id`;
  };
  return sql.fragment`
    (SELECT t.root_id FROM ${node}) AS root_id,
    (SELECT t.parent_id FROM ${node}) AS parent_id,
    (SELECT (
       (SELECT coalesce(sum(b.n), 0) FROM tree_bucket b WHERE ${list('b')} AND b.key < (SELECT o.key FROM tree_bucket o WHERE ${list('o')} AND o.bucket = t.bucket))
       + (SELECT count(*) FROM tree_node m WHERE ${list('m')} AND m.bucket = t.bucket AND m.ord < t.ord))::int FROM ${node}) AS position,
    (SELECT CASE WHEN t.parent_id IS NULL THEN '[]' ELSE (
       WITH RECURSIVE a AS (
         SELECT p.id, p.level, p.parent_id, 1 AS i FROM tree_node p WHERE p.repo_id = t.repo_id AND p.kind = t.kind AND p.id = t.parent_id
         UNION ALL SELECT p.id, p.level, p.parent_id, a.i + 1 FROM a JOIN tree_node p ON p.repo_id = t.repo_id AND p.kind = t.kind AND p.id = a.parent_id)
       SELECT json_agg(json_build_object('id', id, 'level', level) ORDER BY i)::text FROM a) END FROM ${node}) AS ancestors`;
}
