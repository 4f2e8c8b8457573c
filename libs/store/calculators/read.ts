// What the calculators ask of the database: one statement for a record's heading, and one for all its parts, however many they are.
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Calculated } from '#domain/calculators/calculated.ts';
import type { DateSpan } from '#domain/dates/span.ts';
import { dateSpanOf } from '#domain/dates/span.ts';
import { fail } from '#domain/errors.ts';
import type { ProfiledContainers } from '#domain/extents/shelf-extent.ts';
import type { JsonObject } from '#domain/json.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

const CalculatedRow = z.strictObject({
  title: column.text,
  root_id: column.maybeInt,
  root_title: column.maybeText,
  is_public: column.bool,
});

/** Where a record is, and whether who asks sees suppressed ones. */
type Wanted = Pick<Calculated, 'kind' | 'id' | 'repoId' | 'seesSuppressed'>;

/** The heading of a record, or null where there is none that is to be seen; a resource above it that is not to be seen is not told. */
export async function readCalculated(
  reader: Reader,
  { kind, id, repoId, seesSuppressed }: Wanted,
): Promise<Calculated | null> {
  const row = await reader.maybeOne(sql.type(CalculatedRow)`
    WITH RECURSIVE above AS (
      SELECT t.parent_id, t.root_id, t.visible FROM tree_node t WHERE ${kind} = 'archival_object' AND t.repo_id = ${repoId} AND t.kind = ${treeCodeOf(archivalObject)} AND t.id = ${id}
      UNION ALL SELECT t.parent_id, t.root_id, t.visible FROM above a JOIN tree_node t ON t.repo_id = ${repoId} AND t.kind = ${treeCodeOf(archivalObject)} AND t.id = a.parent_id
    )
    SELECT coalesce(r.body->>'title', r.label) AS title, CASE WHEN ${seesSuppressed}::boolean OR NOT o.suppressed THEN o.id END AS root_id, coalesce(o.body->>'title', o.label) AS root_title,
      (r.publish AND NOT r.suppressed AND coalesce(o.publish AND NOT o.suppressed, true) AND coalesce((SELECT bool_and(visible) FROM above), true)
        AND (SELECT p.publish FROM record p WHERE p.kind = ${repository.name} AND p.id = r.repo_id)) IS TRUE AS is_public
    FROM record r LEFT JOIN record o ON o.kind = 'resource' AND o.id = CASE WHEN r.kind = 'resource' THEN r.id ELSE (SELECT root_id FROM above LIMIT 1) END
    WHERE r.kind = ${kind} AND r.id = ${id} AND r.repo_id = ${repoId} AND (${seesSuppressed}::boolean OR NOT r.suppressed)`);
  if (row === null) return null;
  return {
    kind,
    id,
    repoId,
    title: row.title,
    resource: row.root_id === null ? null : { id: row.root_id, title: row.root_title ?? '' },
    isPublic: row.is_public,
    seesSuppressed,
  };
}

/** The same; fails with `not_found` where there is none. */
export async function requireCalculated(reader: Reader, wanted: Wanted): Promise<Calculated> {
  const record = await readCalculated(reader, wanted);
  if (record === null) throw fail('not_found', `${kindNamed(wanted.kind).model} not found`);
  return record;
}

/** The components below a record, in a CTE `below` of ids. A resource has its whole tree there, an archival object what is under it, others nothing. OFFSET 0: by the index, level by level, whatever the planner thinks. */
function below({ kind, id, repoId }: Pick<Calculated, 'kind' | 'id' | 'repoId'>): Fragment {
  if (kind === 'resource')
    return sql.fragment`WITH below AS (SELECT id FROM tree_node WHERE repo_id = ${repoId} AND kind = ${treeCodeOf(archivalObject)} AND root_id = ${id})`;
  return sql.fragment`WITH RECURSIVE below AS (
    SELECT t.id, t.root_id FROM tree_node s JOIN tree_node t ON t.repo_id = s.repo_id AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = s.root_id AND t.list_id = s.id
      WHERE ${kind} = 'archival_object' AND s.repo_id = ${repoId} AND s.kind = ${treeCodeOf(archivalObject)} AND s.id = ${id}
    UNION ALL SELECT t.id, t.root_id FROM below b CROSS JOIN LATERAL (SELECT n.id, n.root_id FROM tree_node n WHERE n.repo_id = ${repoId} AND n.kind = ${treeCodeOf(archivalObject)} AND n.root_id = b.root_id AND n.list_id = b.id OFFSET 0) t)`;
}

const DatesRow = z.strictObject({ dates: column.text });

/**
 * The dates of what is below a record, and of its own where `withOwn`; those with one label alone where one is given. Each pair of begin and end
 * once, as JSON text for dateSpanOf: it is read where there is time for it.
 */
export async function readDates(
  reader: Reader,
  record: Calculated,
  label: string | null,
  withOwn: boolean,
): Promise<string> {
  // A collection of 100,000 components has far fewer different dates; `strpos` spares bodies without any the parsing.
  const { dates } = await reader.one(sql.type(DatesRow)`${below(record)},
    dated AS (SELECT DISTINCT d->>'begin' AS begin, d->>'end' AS "end"
      FROM (SELECT r.body FROM below b JOIN record r ON r.kind = 'archival_object' AND r.id = b.id
        UNION ALL SELECT r.body FROM record r WHERE ${withOwn}::boolean AND r.kind = ${record.kind} AND r.id = ${record.id}) r
      CROSS JOIN LATERAL json_array_elements(CASE WHEN strpos(r.body::text, '"dates":[{') > 0 THEN r.body->'dates' END) d
      WHERE coalesce(d->>'begin', d->>'end') IS NOT NULL AND (${label}::text IS NULL OR d->>'label' = ${label}))
    SELECT coalesce(json_agg(json_build_array(begin, "end") ORDER BY begin, "end"), '[]')::text AS dates FROM dated`);
  return dates;
}

/** The span of the same dates. */
export async function readDateSpan(
  reader: Reader,
  record: Calculated,
  label: string | null,
  withOwn: boolean,
): Promise<DateSpan> {
  return dateSpanOf(await readDates(reader, record, label, withOwn));
}

const ContainersByProfileRow = z.strictObject({
  profile: column.maybeText,
  label: column.maybeText,
  count: column.int,
});

/** The containers in use by a record and all below it, each once, counted by profile; the profile of the oldest container first. */
export async function readContainersByProfile(
  reader: Reader,
  record: Calculated,
): Promise<readonly ProfiledContainers[]> {
  const rows = await reader.any(sql.type(ContainersByProfileRow)`${below(record)}
    SELECT p.body AS profile, p.label, c.count FROM (
      SELECT l.target_id AS profile_id, count(*)::int AS count, min(used.target_id) AS first
      FROM (SELECT DISTINCT i.target_id
        FROM (SELECT l.target_id FROM below b JOIN link l ON l.source_kind = 'archival_object' AND l.source_id = b.id AND l.property = 'instances.sub_container.top_container'
          UNION ALL SELECT l.target_id FROM link l WHERE l.source_kind = ${record.kind} AND l.source_id = ${record.id} AND l.property = 'instances.sub_container.top_container') i) used
      LEFT JOIN link l ON l.source_kind = 'top_container' AND l.source_id = used.target_id AND l.property = 'container_profile'
      GROUP BY l.target_id) c
    LEFT JOIN record p ON p.kind = 'container_profile' AND p.id = c.profile_id ORDER BY c.first`);
  // A stored body is our own canonical text.
  return rows.map((row) => ({
    profile: row.profile === null ? null : (JSON.parse(row.profile) as JsonObject),
    label: row.label ?? '',
    count: row.count,
  }));
}
