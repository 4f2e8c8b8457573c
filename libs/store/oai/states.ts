// What harvesters may see of records, computed from the records themselves, for any number at once: whether a record is published with
// all above it and its repository, its level and sponsor, and a digest of what records below show of it (docs/decisions/0012).
import type { HarvestedKind } from '#domain/formats/oai/format.ts';
import type { Reader } from '../database.ts';
import type { Fragment } from '../sql.ts';
import { sql } from '../sql.ts';

/** A record at an address. */
export type OaiKey = { readonly kind: string; readonly id: number; readonly repoId: number };

/** Records by kind. */
export type Ids = { readonly resource: readonly number[]; readonly archival_object: readonly number[] };

type OpenRepository = { readonly id: number; readonly levels: string | null };

/** The repositories that are harvested, with the levels they allow, joined by commas; null: all (contract OAI 5). */
export async function readOpenRepositories(reader: Reader): Promise<readonly OpenRepository[]> {
  const rows = await reader.any<{ id: number; sets: string | null }>(sql`
    SELECT id, body->>'oai_sets_available' AS sets FROM record
    WHERE kind = 'repository' AND publish AND NOT suppressed AND coalesce(body->>'oai_is_disabled', 'false') <> 'true' ORDER BY id`);
  const values = await reader.any<{ id: number; value: string }>(sql`
    SELECT v.id, v.value FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id WHERE e.name = 'archival_record_level'`);
  const names = new Map(values.map(({ id, value }) => [String(id), value]));
  return rows.map(({ id, sets }) => {
    const wanted = idsIn(sets);
    return { id, levels: wanted.length === 0 ? null : wanted.flatMap((value) => names.get(value) ?? []).join(',') };
  });
}

// A client's text: a JSON list of ids, as numbers or texts. Anything else allows every level.
function idsIn(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.map(String) : [];
  } catch {
    return [];
  }
}

/** Notes that components take from above where they have none of the type (contract search 9, "Inheritance"). */
const inheritedNotes = ['accessrestrict', 'scopecontent', 'langmaterial'];

// Only where there is something below: reading the properties of every component of an import would cost more than all the rest.
const echo = sql.fragment`md5(concat_ws(' ', u.parent_id, u.root_id, r.label, r.body->>'title', r.body->>'component_id', r.body->>'id_0', r.body->>'id_1', r.body->>'id_2', r.body->>'id_3',
  r.body->>'finding_aid_title', r.body->>'finding_aid_sponsor', r.body->'dates', r.body->'extents', r.body->'lang_materials', r.body->'linked_agents',
  (SELECT string_agg(note::text, ' ') FROM json_array_elements(r.body->'notes') AS note WHERE note->>'type' = ANY(${sql.array(inheritedNotes, 'text')}))))`;

/**
 * A node by its primary key, as a lateral table `t`. A plain join is undecided between this index and that of the order before the table
 * is analysed, and the wrong one reads the whole repository for each node; only the key has this order.
 */
export const nodeAt = (repoId: Fragment, id: Fragment): Fragment => sql.fragment`LATERAL (
  SELECT k.* FROM (SELECT n.id, n.repo_id, n.kind, n.root_id, n.parent_id FROM tree_node n WHERE (n.repo_id, n.kind, n.id) >= (${repoId}, 1::smallint, ${id}) ORDER BY n.repo_id, n.kind, n.id LIMIT 1) AS k
  WHERE k.repo_id = ${repoId} AND k.kind = 1 AND k.id = ${id}) AS t`;

/** The nodes of a list in order, as a lateral table `t`: by the index of the order, for the same reason. */
export const nodesIn = (repoId: Fragment, rootId: Fragment, listId: Fragment): Fragment => sql.fragment`LATERAL (
  SELECT n.id, n.repo_id, n.root_id FROM tree_node n WHERE n.repo_id = ${repoId} AND n.kind = 1 AND n.root_id = ${rootId} AND n.list_id = ${listId}
  ORDER BY n.repo_id, n.kind, n.root_id, n.list_id, n.bucket, n.ord) AS t`;

/** Records whose state is wanted; `all`: every one of a kind. */
export type Wanted = Ids | { readonly all: HarvestedKind };

/**
 * A table expression of CTEs (to stand behind WITH RECURSIVE) that ends in `state`: kind, id, repo_id, mtime, visible, level, sponsor, echo.
 * Walks up by the primary keys of tree_node and record. The sponsor of components is that of the item of their root, which is written first:
 * bodies of resources are too long to be read for each component.
 */
export function statesOf(wanted: Wanted, open: readonly OpenRepository[]): Fragment {
  const repositories = sql.fragment`open AS MATERIALIZED (SELECT id, string_to_array(levels, ',') AS levels FROM ${sql.unnest(open.map(({ id, levels }) => [id, levels]), ['int4', 'text'])} AS p (id, levels))`;
  const recordsOf = (kind: HarvestedKind): Fragment => {
    if ('all' in wanted) return wanted.all === kind ? sql.fragment`record r` : sql.fragment`(SELECT * FROM record WHERE false) AS r`;
    return sql.fragment`unnest(${sql.array([...wanted[kind]], 'int4')}) AS w (id) JOIN record r ON r.kind = ${kind} AND r.id = w.id`;
  };
  return sql.fragment`${repositories},
    up AS (
      SELECT r.id, t.repo_id, t.root_id, t.parent_id, t.parent_id AS above, r.publish IS TRUE AND NOT r.suppressed AS visible
      FROM ${recordsOf('archival_object')} CROSS JOIN ${nodeAt(sql.fragment`r.repo_id`, sql.fragment`r.id`)} WHERE r.kind = 'archival_object'
      UNION ALL
      SELECT up.id, t.repo_id, t.root_id, up.parent_id, t.parent_id, up.visible AND a.publish IS TRUE AND NOT a.suppressed
      FROM up CROSS JOIN ${nodeAt(sql.fragment`up.repo_id`, sql.fragment`up.above`)} JOIN record a ON a.kind = 'archival_object' AND a.id = up.above
    ), place AS (
      SELECT 'archival_object'::text AS kind, u.id, u.repo_id, u.root_id, u.parent_id, u.visible AND root.publish IS TRUE AND NOT root.suppressed AS visible,
        (SELECT i.sponsor FROM oai_item i WHERE i.kind = 'resource' AND i.id = u.root_id AND i.repo_id = u.repo_id) AS sponsor
      FROM up u JOIN record root ON root.kind = 'resource' AND root.id = u.root_id WHERE u.above IS NULL
      UNION ALL
      SELECT 'resource', r.id, r.repo_id, r.id, NULL, r.publish IS TRUE AND NOT r.suppressed, nullif(r.body->>'finding_aid_sponsor', '') FROM ${recordsOf('resource')} WHERE r.kind = 'resource'
    ), state AS (
      SELECT u.kind, u.id, u.repo_id, r.system_mtime AS mtime, r.body->>'level' AS level, u.sponsor,
        u.visible AND open.id IS NOT NULL AND (open.levels IS NULL OR r.body->>'level' = ANY(open.levels)) AS visible,
        CASE WHEN EXISTS (SELECT FROM tree_bucket b WHERE b.repo_id = u.repo_id AND b.kind = 1 AND b.root_id = u.root_id AND b.list_id = CASE WHEN u.kind = 'resource' THEN 0 ELSE u.id END AND b.n > 0)
          THEN ${echo} ELSE '' END AS echo
      FROM place u JOIN record r ON r.kind = u.kind AND r.id = u.id LEFT JOIN open ON open.id = u.repo_id
    )`;
}

/** The ids of keys by kind; other kinds than the harvested ones are left out. */
export function idsOf(keys: Iterable<{ readonly kind: string; readonly id: number }>): Ids {
  const resource = new Set<number>();
  const node = new Set<number>();
  for (const { kind, id } of keys) {
    if (kind === 'resource') resource.add(id);
    if (kind === 'archival_object') node.add(id);
  }
  return { resource: [...resource], archival_object: [...node] };
}

/** Which of some records harvesters may see at this moment, whatever the follower has read: with the time of their last change. One statement, and two for repositories. */
export async function readVisible(reader: Reader, keys: readonly OaiKey[]): Promise<ReadonlyMap<string, { readonly changed: string }>> {
  if (keys.length === 0) return new Map();
  const open = await readOpenRepositories(reader);
  if (open.length === 0) return new Map();
  const rows = await reader.any<{ kind: string; id: number; repo_id: number; mtime: string }>(sql`
    WITH RECURSIVE ${statesOf(idsOf(keys), open)} SELECT kind, id, repo_id, mtime FROM state WHERE visible`);
  return new Map(rows.map(({ kind, id, repo_id: repoId, mtime }) => [textOfKey({ kind, id, repoId }), { changed: mtime }]));
}

/** A key as text, for maps. */
export const textOfKey = ({ kind, id, repoId }: OaiKey): string => `${repoId}/${kind}/${id}`;
