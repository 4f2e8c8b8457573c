// Computed property `representative_file_version` of records that show a digital object (contract 6.4).
// Digital objects and components hold theirs in the body, where it is generated at each save.
import type { Kind } from '#domain/kind.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { digitalObjectComponent } from '#domain/kinds/digital_object_component.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';

// So many components of a digital object are looked at, level by level: one of 100,000 pages without such a file costs no more.
const componentsAtMost = 250;

/** The file of a record in `alias` without its last brace, and whose it is; null where it has none. */
const fileOf = (alias: string, kind: Kind): string =>
  `left((${alias}.body->'representative_file_version')::text, -1) || ',"derived_from":"' || record_uri('${kind.name}', ${alias}.id, ${alias}.repo_id) || '"}'`;

/** The visible components in a list of the digital object `d`, in order, as `id` and `place`; read bucket by bucket, as far as is asked for. */
const componentsIn = (list: string, above: string): string => {
  const inList = (alias: string): string =>
    `${alias}.repo_id = d.repo_id AND ${alias}.kind = ${treeCodeOf(digitalObjectComponent)} AND ${alias}.root_id = d.id AND ${alias}.list_id = ${list}`;
  return `SELECT t.id, ${above} || ARRAY[b.key, t.ord] AS place FROM (SELECT b.key, b.bucket FROM tree_bucket b WHERE ${inList('b')} ORDER BY b.key) b
    CROSS JOIN LATERAL (SELECT t.id, t.ord FROM tree_node t WHERE ${inList('t')} AND t.bucket = b.bucket AND t.visible ORDER BY t.ord) t`;
};

/** The file of the first component of the digital object `d` that has one. */
const fileOfComponent = `(WITH RECURSIVE below (id, place) AS (
    SELECT * FROM (${componentsIn('0', `ARRAY[]::bigint[]`)} LIMIT ${componentsAtMost}) first
    UNION ALL SELECT n.id, n.place FROM below CROSS JOIN LATERAL (${componentsIn('below.id', 'below.place')} LIMIT ${componentsAtMost}) n
  ) SELECT c.file FROM (SELECT id, place FROM below LIMIT ${componentsAtMost}) below
    CROSS JOIN LATERAL (SELECT ${fileOf('c', digitalObjectComponent)} AS file FROM record c WHERE c.kind = '${digitalObjectComponent.name}' AND c.id = below.id
      AND strpos(c.body::text, '"representative_file_version"') > 0 OFFSET 0) c
    WHERE c.file IS NOT NULL ORDER BY below.place LIMIT 1)`;

/** That of the digital object whose instance is flagged representative, else of its components; absent where there is none. What is not published shows none. */
export const representativeFile = (
  kind: Kind,
): string => `CASE WHEN f.has_marked THEN (SELECT '"representative_file_version":' || x.file || ','
  FROM link l JOIN record d ON d.kind = '${digitalObject.name}' AND d.id = l.target_id
  CROSS JOIN LATERAL (SELECT coalesce(${fileOf('d', digitalObject)}, ${fileOfComponent}) AS file OFFSET 0) x
  WHERE l.source_kind = '${kind.name}' AND l.source_id = r.id AND l.property = 'instances.digital_object' AND l.role = 'representative'
    AND d.publish AND NOT d.suppressed AND x.file IS NOT NULL ORDER BY l.ordinal LIMIT 1) END`;
