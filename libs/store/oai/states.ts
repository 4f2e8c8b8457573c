// What harvesters may see of records, computed from the records themselves, for any number at once: whether a record is published with
// all above it and its repository, its level and sponsor, and a digest of what records below show of it (docs/decisions/0012).
import { z } from 'zod';
import type { HarvestedKind } from '#domain/formats/oai/format.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** A record at an address. */
export type OaiKey = { readonly kind: string; readonly id: number; readonly repoId: number };

/** Records by kind. */
export type Ids = { readonly resource: readonly number[]; readonly archival_object: readonly number[] };

/** A repository that is harvested, with the levels it allows, joined by commas; null: all. */
export type OpenRepository = { readonly id: number; readonly levels: string | null };

const RepositoryRow = z.strictObject({ id: column.int, sets: column.maybeText });

const ValueRow = z.strictObject({ id: column.int, value: column.text });

/** The repositories that are harvested (contract OAI 5). Two statements. */
export async function readOpenRepositories(reader: Reader): Promise<readonly OpenRepository[]> {
  const rows = await reader.any(sql.type(RepositoryRow)`
    SELECT id, body->>'oai_sets_available' AS sets FROM record
    WHERE kind = 'repository' AND publish AND NOT suppressed AND coalesce(body->>'oai_is_disabled', 'false') <> 'true' ORDER BY id`);
  const values = await reader.any(sql.type(ValueRow)`
    SELECT v.id, v.value FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id WHERE e.name = 'archival_record_level'
    UNION ALL SELECT b.value_id, b.new_value FROM renaming_begun b JOIN enumeration e ON e.id = b.enumeration_id WHERE e.name = 'archival_record_level'`);
  // Two of a level that is being renamed in steps: records of either are harvested.
  const names = Map.groupBy(values, ({ id }) => String(id));
  return rows.map(({ id, sets }) => {
    const wanted = idsIn(sets);
    return {
      id,
      levels:
        wanted.length === 0
          ? null
          : wanted.flatMap((value) => (names.get(value) ?? []).map(({ value: text }) => text)).join(','),
    };
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

// Of components only where there is something below: reading the properties of every component of an import would cost more than all the rest.
// A resource has it always, or its first component would make it look changed, and all that came with that component later.
const echo = sql.fragment`md5(concat_ws(' ', r.parent_id, r.root_id, r.label, r.body->>'title', r.body->>'component_id', r.body->>'id_0', r.body->>'id_1', r.body->>'id_2', r.body->>'id_3',
  r.body->>'finding_aid_title', r.body->>'finding_aid_sponsor', r.body->'dates', r.body->'extents', r.body->'lang_materials', r.body->'linked_agents',
  (SELECT string_agg(note::text, ' ') FROM json_array_elements(r.body->'notes') AS note WHERE note->>'type' = ANY(${sql.array(inheritedNotes, 'text')}))))`;

/**
 * A node by its primary key, as a lateral table `t`. A plain join is undecided between this index and that of the order before the table
 * is analysed, and the wrong one reads the whole repository for each node; only the key has this order.
 */
export const nodeAt = (repoId: Fragment, id: Fragment): Fragment => sql.fragment`LATERAL (
  SELECT k.* FROM (SELECT n.id, n.repo_id, n.kind, n.root_id, n.parent_id FROM tree_node n WHERE (n.repo_id, n.kind, n.id) >= (${repoId}, 1::smallint, ${id}) ORDER BY n.repo_id, n.kind, n.id LIMIT 1) AS k
  WHERE k.repo_id = ${repoId} AND k.kind = ${treeCodeOf(archivalObject)} AND k.id = ${id}) AS t`;

/** The nodes of a list in order, as a lateral table `t`: by the index of the order, for the same reason. */
export const nodesIn = (repoId: Fragment, rootId: Fragment, listId: Fragment): Fragment => sql.fragment`LATERAL (
  SELECT n.id, n.repo_id, n.root_id FROM tree_node n WHERE n.repo_id = ${repoId} AND n.kind = ${treeCodeOf(archivalObject)} AND n.root_id = ${rootId} AND n.list_id = ${listId}
  ORDER BY n.repo_id, n.kind, n.root_id, n.list_id, n.bucket, n.ord) AS t`;

/**
 * A record by its primary key, as a lateral table. Estimates of keys that come in arrays are wrong in a table that grew since it was
 * analysed, and a plain join then reads the whole table for each key; what has a limit is read for one key at a time, by its index.
 */
const recordAt = (kind: HarvestedKind, id: Fragment, columns: Fragment): Fragment =>
  sql.fragment`LATERAL (SELECT ${columns} FROM record WHERE kind = ${kind} AND id = ${id} LIMIT 1)`;

/**
 * CTEs (to stand behind WITH RECURSIVE) that end in `state`: kind, id, repo_id, mtime, visible, is_public (visible but for its level), level, sponsor, echo of the records that
 * are there; `wanted` must not be empty. What harvesters neither see nor have seen is left out before anything is looked up above it: most of an
 * import that is to be published later. Siblings are walked up from together, by the primary keys of tree_node and record. The sponsor of components
 * is that of the item of their root, which is written first, as bodies of resources are too long to be read for each list; of a root that is not listed, that of its body.
 */
export function statesOf(wanted: Ids, open: readonly OpenRepository[]): Fragment {
  const states: Fragment[] = [];
  const ctes: Fragment[] = [
    sql.fragment`open AS MATERIALIZED (SELECT id, string_to_array(levels, ',') AS levels FROM ${sql.unnest(
      open.map(({ id, levels }) => [id, levels]),
      ['int4', 'text'],
    )} AS p (id, levels))`,
  ];
  if (wanted.resource.length > 0) {
    states.push(sql.fragment`
      SELECT 'resource'::text AS kind, r.id, r.repo_id, r.system_mtime, nullif(r.body->>'finding_aid_sponsor', '') AS sponsor, r.publish IS TRUE AND NOT r.suppressed AS visible, r.id AS root_id, NULL::int AS parent_id, 0 AS list_id, r.label, r.body
      FROM unnest(${idArray(wanted.resource)}) AS w (id) CROSS JOIN ${recordAt('resource', sql.fragment`w.id`, sql.fragment`*`)} AS r`);
  }
  if (wanted.archival_object.length > 0) {
    ctes.push(
      sql.fragment`lists AS (
      SELECT r.repo_id, t.root_id, t.parent_id, array_agg(r.id) AS ids
      FROM unnest(${idArray(wanted.archival_object)}) AS w (id) CROSS JOIN ${recordAt('archival_object', sql.fragment`w.id`, sql.fragment`kind, id, repo_id, publish, suppressed`)} AS r
      CROSS JOIN ${nodeAt(sql.fragment`r.repo_id`, sql.fragment`r.id`)}
      WHERE (r.publish AND NOT r.suppressed AND r.repo_id IN (SELECT id FROM open)) OR (SELECT NOT i.deleted FROM oai_item i WHERE i.kind = r.kind AND i.id = r.id AND i.repo_id = r.repo_id)
        OR EXISTS (SELECT FROM oai_heading h WHERE h.kind = r.kind AND h.id = r.id)
      GROUP BY r.repo_id, t.root_id, t.parent_id
    )`,
      sql.fragment`up AS (
      SELECT repo_id, root_id, parent_id, ids, parent_id AS above, true AS visible FROM lists
      UNION ALL
      SELECT up.repo_id, up.root_id, up.parent_id, up.ids, t.parent_id, up.visible AND a.publish IS TRUE AND NOT a.suppressed
      FROM up CROSS JOIN ${nodeAt(sql.fragment`up.repo_id`, sql.fragment`up.above`)} CROSS JOIN ${recordAt('archival_object', sql.fragment`up.above`, sql.fragment`publish, suppressed`)} AS a
    )`,
      // The kind is that of the record read, since as a constant it would let the indexes of resources' items serve, which are not by id.
      sql.fragment`placed AS MATERIALIZED (
      SELECT u.*, root.publish IS TRUE AND NOT root.suppressed AS root_visible,
        CASE WHEN i.listed THEN i.sponsor ELSE nullif(root.body->>'finding_aid_sponsor', '') END AS sponsor
      FROM up u CROSS JOIN ${recordAt('resource', sql.fragment`u.root_id`, sql.fragment`kind, publish, suppressed, body`)} AS root
      LEFT JOIN LATERAL (SELECT NOT i.deleted AS listed, i.sponsor FROM oai_item i WHERE i.kind = root.kind AND i.id = u.root_id AND i.repo_id = u.repo_id LIMIT 1) AS i ON true WHERE u.above IS NULL
    )`,
    );
    states.push(sql.fragment`
      SELECT 'archival_object', r.id, p.repo_id, r.system_mtime, p.sponsor, p.visible AND p.root_visible AND r.publish IS TRUE AND NOT r.suppressed, p.root_id, p.parent_id, r.id, r.label, r.body
      FROM placed p CROSS JOIN unnest(p.ids) AS c (id) CROSS JOIN ${recordAt('archival_object', sql.fragment`c.id`, sql.fragment`id, publish, suppressed, system_mtime, label, body`)} AS r`);
  }
  return sql.fragment`${sql.join(
    [
      ...ctes,
      sql.fragment`state AS (
      SELECT r.kind, r.id, r.repo_id, r.system_mtime AS mtime, r.body->>'level' AS level, r.sponsor,
        r.visible AND open.id IS NOT NULL AND (open.levels IS NULL OR coalesce(r.body->>'level', '') = ANY(open.levels)) AS visible,
        r.visible AND open.id IS NOT NULL AS is_public,
        CASE WHEN r.kind = 'resource' OR (SELECT true FROM tree_bucket b WHERE b.repo_id = r.repo_id AND b.kind = ${treeCodeOf(archivalObject)} AND b.root_id = r.root_id AND b.list_id = r.list_id AND b.n > 0 LIMIT 1) THEN ${echo} ELSE '' END AS echo
      FROM (${sql.join(states, sql.fragment` UNION ALL `)}) AS r (kind, id, repo_id, system_mtime, sponsor, visible, root_id, parent_id, list_id, label, body) LEFT JOIN open ON open.id = r.repo_id
    )`,
    ],
    sql.fragment`, `,
  )}`;
}

const idArray = (ids: readonly number[]): Fragment => sql.fragment`${sql.array([...ids], 'int4')}`;

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

/** How many there are. */
export const countOf = ({ resource, archival_object: components }: Ids): number => resource.length + components.length;

const VisibleRow = z.strictObject({ kind: column.text, id: column.int, repo_id: column.int, mtime: column.time });

/** Which of some records harvesters may see at this moment, whatever the follower has read: with the time of their last change. One statement, and two for repositories. */
export async function readVisible(
  reader: Reader,
  keys: readonly OaiKey[],
): Promise<ReadonlyMap<string, { readonly changed: string }>> {
  const ids = idsOf(keys);
  if (countOf(ids) === 0) return new Map();
  const open = await readOpenRepositories(reader);
  if (open.length === 0) return new Map();
  const rows = await reader.any(sql.type(VisibleRow)`
    WITH RECURSIVE ${statesOf(ids, open)} SELECT kind, id, repo_id, mtime FROM state WHERE visible`);
  return new Map(
    rows.map(({ kind, id, repo_id: repoId, mtime }) => [textOfKey({ kind, id, repoId }), { changed: mtime }]),
  );
}

/** A key as text, for maps. */
export const textOfKey = ({ kind, id, repoId }: OaiKey): string => `${repoId}/${kind}/${id}`;
