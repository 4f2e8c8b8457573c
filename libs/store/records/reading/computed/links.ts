// Computed properties that show links from their far side: events, instances, and links that both sides write.
import type { Kind } from '#domain/kind.ts';
import { archivalObject, event, kinds, resource } from '#domain/kinds/index.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';

type Hiding = { readonly hides: boolean };

/** Names of ours, each once, as a list of texts for IN. */
export const quoted = (names: readonly string[]): string => [...new Set(names)].map((name) => `'${name}'`).join(', ');

/**
 * Two facts about the links of `r`, as columns of `f`, that spare most records the look-ups behind them: whether any link points at it,
 * and whether one of its own is mutual or representative.
 */
export const linkFacts = (kind: Kind): string => `CROSS JOIN LATERAL (SELECT
  EXISTS (SELECT FROM link l WHERE l.target_kind = '${kind.name}' AND l.target_id = r.id) AS is_target,
  EXISTS (SELECT FROM link l WHERE l.source_kind = '${kind.name}' AND l.source_id = r.id AND (l.mutual IS NOT NULL OR l.role = 'representative')) AS has_marked
  OFFSET 0) f`;

/** Leaves out links to and from suppressed records where the reader may not know of them (contract 5.2). */
const unlessHidden = (alias: string, { hides }: Hiding): string => (hides ? ` AND NOT ${alias}.suppressed` : '');

const uriOfSource = (alias: string): string => `record_uri(${alias}.source_kind, ${alias}.source_id, ${alias}.repo_id)`;

/**
 * `linked_events`: refs of the events that name the record (contract relationships, event_link). IS TRUE keeps the planner
 * from going through all events where its statistics were made before there were many.
 */
export const linkedEvents = (
  kind: Kind,
  asked: Hiding,
): string => `CASE WHEN NOT f.is_target THEN '"linked_events":[],' ELSE (SELECT '"linked_events":' || coalesce(json_agg(json_build_object('ref', ${uriOfSource('l')}) ORDER BY l.source_id)::text, '[]') || ','
  FROM link l WHERE l.target_kind = '${kind.name}' AND l.target_id = r.id AND l.property = 'linked_records' AND (l.source_kind = '${event.name}') IS TRUE${unlessHidden('l', asked)}) END`;

/** `linked_instances` of a digital object: refs of the records whose instances use it (contract 6.5). */
export const linkedInstances = (
  kind: Kind,
  asked: Hiding,
): string => `(SELECT '"linked_instances":' || coalesce(json_agg(json_build_object('ref', ${uriOfSource('l')}) ORDER BY l.source_kind, l.source_id)::text, '[]') || ','
  FROM (SELECT DISTINCT source_kind, source_id, repo_id FROM link
    WHERE target_kind = '${kind.name}' AND target_id = r.id AND property = 'instances.digital_object'${unlessHidden('link', asked)}) l)`;

/** `collection` of a digital object: the resources (and accessions) whose published parts show it (contract 6.5). */
export const objectCollection = (
  kind: Kind,
  asked: Hiding,
): string => `(SELECT '"collection":' || coalesce(json_agg(json_build_object('ref', record_uri(c.kind, c.id, r.repo_id)) ORDER BY c.kind, c.id)::text, '[]') || ','
  FROM (SELECT DISTINCT CASE WHEN t.root_id IS NULL THEN l.source_kind ELSE '${resource.name}' END AS kind, coalesce(t.root_id, l.source_id) AS id
    FROM link l LEFT JOIN tree_node t ON l.source_kind = '${archivalObject.name}' AND t.repo_id = l.repo_id AND t.kind = ${treeCodeOf(archivalObject)} AND t.id = l.source_id
    WHERE l.target_kind = '${kind.name}' AND l.target_id = r.id AND l.property = 'instances.digital_object' AND coalesce(t.visible, true)${unlessHidden('l', asked)}) c)`;

// Named, so that the planner leaves out the partitions of all other kinds: opening them costs more than the links.
const endsOf = (relation: string): string =>
  quoted(
    [...kinds.values()]
      .filter((kind) => Object.values(kind.mutual ?? {}).some((link) => link.relation === relation))
      .map((kind) => kind.name),
  );

// Named, so that the index passes over all other links to a record, of which an agent may have a hundred thousand.
const propertiesOf = (relation: string): string =>
  quoted(
    [...kinds.values()]
      .flatMap((kind) => Object.entries(kind.mutual ?? {}))
      .flatMap(([property, link]) => (link.relation === relation ? [property] : [])),
  );

/**
 * A property whose links both sides write: rows of the relation in which the record stands on either side, in the order
 * of that side. The far side is marked by "_far", which the reader replaces by the inverse of the link's properties.
 */
export const mutualLinks = (
  kind: Kind,
  property: string,
  relation: string,
  asked: Hiding,
): string => `CASE WHEN NOT (f.is_target OR f.has_marked) THEN '"${property}":[],' ELSE (SELECT '"${property}":[' || coalesce(string_agg(
    '{"ref":' || to_json(record_uri(m.kind, m.id, o.repo_id))::text || CASE WHEN m.far THEN ',"_far":true' ELSE '' END
      || CASE WHEN m.ref IS NULL OR m.ref::text = '{}' THEN '' ELSE ',' || substr(m.ref::text, 2, length(m.ref::text) - 2) END || '}', ',' ORDER BY m.place, m.kind, m.id), '') || '],'
  FROM (
    SELECT target_kind AS kind, target_id AS id, ref, ordinal AS place, false AS far FROM link
      WHERE source_kind = '${kind.name}' AND source_id = r.id AND mutual = '${relation}'${unlessHidden('link', asked)}
    UNION ALL
    SELECT source_kind, source_id, ref, target_ordinal, true FROM link
      WHERE target_kind = '${kind.name}' AND target_id = r.id AND property IN (${propertiesOf(relation)}) AND mutual = '${relation}'${unlessHidden('link', asked)}
  ) m JOIN record o ON o.kind = m.kind AND o.id = m.id AND o.kind IN (${endsOf(relation)})) END`;
