// Which records a save concerns besides the one that was saved (contract 6.4, 6.5, 6.7, 6.10, 7.3). Lists by `modified_since` name these as
// well; nothing is written for them: a resource of 100,000 components is saved in one row, and whoever mirrors it still asks for all of them.
// `user_mtime` tells saves from touches of the service, such as publishing, which re-date what they change themselves.
import { kindNamed } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';

type Since = { readonly repoId: number | null; readonly time: Fragment };

/** A SELECT of ids of a kind's records that a save since then concerns without having written them; null for kinds that no other record's save concerns. */
export function savedAround(kind: Kind, since: Since): Fragment | null {
  const parts = [...inTree(kind, since), ...aboveNodes(kind, since), ...throughLinks(kind, since)];
  return parts.length === 0 ? null : sql.fragment`${sql.join(parts, sql.fragment` UNION `)}`;
}

/** Records of these kinds that were saved, by the index of `system_mtime`, which is never before `user_mtime`. Global ones whatever the repository. */
function saved(names: readonly string[], { repoId, time }: Since): Fragment {
  const inRepository =
    repoId === null ? sql.fragment`` : sql.fragment` AND (s.repo_id = ${repoId} OR s.repo_id IS NULL)`;
  return sql.fragment`(SELECT s.kind, s.id, s.repo_id FROM record s WHERE s.kind = ANY(${sql.array([...names], 'text')}) AND s.system_mtime >= ${time} AND s.user_mtime >= ${time}${inRepository}) AS s`;
}

/** Nodes below a saved root, or below a saved node of other trees: after an import, whose roots are new, none are looked for one by one. OFFSET 0: by the index, level by level, whatever the planner thinks. */
function inTree(kind: Kind, since: Since): readonly Fragment[] {
  if (kind.tree === undefined) return [];
  const { code, root } = kind.tree;
  return [
    sql.fragment`SELECT n.id FROM ${saved([root], since)} JOIN tree_node n ON n.repo_id = s.repo_id AND n.kind = ${code} AND n.root_id = s.id`,
    sql.fragment`(WITH RECURSIVE under AS (
      SELECT n.repo_id, n.root_id, n.id FROM ${saved([kind.name], since)} JOIN tree_node n ON n.repo_id = s.repo_id AND n.kind = ${code} AND n.id = s.id
        WHERE n.root_id <> ALL(ARRAY(SELECT s.id FROM ${saved([root], since)}))
      UNION SELECT c.repo_id, c.root_id, c.id FROM under u CROSS JOIN LATERAL (SELECT n.repo_id, n.root_id, n.id FROM tree_node n WHERE n.repo_id = u.repo_id AND n.kind = ${code} AND n.root_id = u.root_id AND n.list_id = u.id OFFSET 0) c
    ) SELECT id FROM under)`,
  ];
}

/** Roots of saved nodes, and those that show something saved anywhere in their tree: resources their digital objects. */
function aboveNodes(kind: Kind, since: Since): readonly Fragment[] {
  const node = nodeKindOf(kind);
  if (node?.tree === undefined) return [];
  const code = node.tree.code;
  const ofNodes = sql.fragment`SELECT n.root_id FROM ${saved([node.name], since)} JOIN tree_node n ON n.repo_id = s.repo_id AND n.kind = ${code} AND n.id = s.id`;
  const shown = kind.modifiedWith?.shownInTree;
  if (shown === undefined) return [ofNodes];
  const below = nodeKindOf(kindNamed(shown.kind));
  const ofTheirNodes =
    below?.tree === undefined
      ? sql.fragment``
      : sql.fragment` UNION SELECT n.root_id FROM ${saved([below.name], since)} JOIN tree_node n ON n.repo_id = s.repo_id AND n.kind = ${below.tree.code} AND n.id = s.id`;
  return [
    ofNodes,
    sql.fragment`SELECT coalesce(n.root_id, l.source_id) FROM (SELECT s.id FROM ${saved([shown.kind], since)}${ofTheirNodes}) AS o (id)
    JOIN link l ON l.target_kind = ${shown.kind} AND l.target_id = o.id AND l.property = ${shown.property} AND l.source_kind IN (${kind.name}, ${node.name})
    LEFT JOIN tree_node n ON l.source_kind = ${node.name} AND n.repo_id = l.repo_id AND n.kind = ${code} AND n.id = l.source_id`,
  ];
}

/** What shows a saved record that it links to, or that links to it. */
function throughLinks(
  { name, modifiedWith: { targets = [], sources = [] } = {} }: Kind,
  since: Since,
): readonly Fragment[] {
  const toTargets = sql.fragment`SELECT l.source_id FROM ${saved(targets, since)} JOIN link l ON l.target_kind = s.kind AND l.target_id = s.id AND l.source_kind = ${name}`;
  const fromSources = sql.fragment`SELECT l.target_id FROM ${saved(sources, since)} JOIN link l ON l.source_kind = s.kind AND l.source_id = s.id AND l.target_kind = ${name}`;
  return [...(targets.length > 0 ? [toTargets] : []), ...(sources.length > 0 ? [fromSources] : [])];
}
