// The report of what locations hold of a repository (contract trees-and-jobs 7.3, location_holdings_report): which locations, and what of them.
import type { LocationChoice } from '#domain/reports/choice.ts';
import { shelfRange } from '#domain/reports/shelf-range.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { Reader } from '../connection/database.ts';
import { StoredRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Definition } from './definition.ts';
import type { ReportField } from './parts.ts';
import { bySomethingShown, identifier, locationFields, locationProfile, standsAt } from './parts.ts';

// link_target_idx finds the containers.
const standing = `link s JOIN record c ON c.kind = 'top_container' AND c.id = s.source_id AND c.repo_id = $1 AND ($2 OR NOT c.suppressed) AND ${standsAt('c', 's.target_id')}`;
const here =
  "s.target_kind = 'location' AND s.target_id = r.id AND s.source_kind = 'top_container' AND s.property = 'container_locations'";
const inside = `${standing} JOIN link i ON i.target_kind = 'top_container' AND i.target_id = c.id AND i.property = 'instances.sub_container.top_container'`;

/** What has containers at the location now: accessions, or resources, their components included. */
const held = (ids: string, kind: string): ReportField => ({
  from: `(${ids}) u JOIN record o ON o.kind = '${kind}' AND o.id = u.id AND o.repo_id = $1 AND ($2 OR NOT o.suppressed)`,
  order: 'o.id',
  parts: { identifier: identifier.replaceAll('r.body', 'o.body'), record_title: 'o.label' },
});

/** Accessions that have containers at the location now. */
export const heldAccessions = held(
  `SELECT DISTINCT i.source_id AS id FROM ${inside} WHERE ${here} AND i.source_kind = 'accession'`,
  'accession',
);
/** The same of resources. */
export const heldResources = held(
  `SELECT DISTINCT CASE WHEN i.source_kind = 'resource' THEN i.source_id ELSE t.root_id END AS id FROM ${inside}
  LEFT JOIN tree_node t ON i.source_kind = 'archival_object' AND t.repo_id = i.repo_id AND t.kind = ${treeCodeOf(archivalObject)} AND t.id = i.source_id WHERE ${here} AND i.source_kind IN ('resource', 'archival_object') AND ${bySomethingShown('i')}`,
  'resource',
);
const heldContainers: ReportField = {
  from: `(SELECT DISTINCT c.id, c.label, c.body::text AS body FROM ${standing} WHERE ${here}) u`,
  order: 'u.id',
  parts: { top_container: 'u.label', barcode: "u.body::json->>'barcode'" },
};

const holdings = (which: string): Definition => ({
  of: `record r WHERE r.kind = 'location' AND ${which}`,
  order: 'r.label, r.id',
  fields: {
    ...locationFields,
    location_profile: locationProfile,
    accessions: heldAccessions,
    resources: heldResources,
    top_containers: heldContainers,
  },
});

// $5: properties that must be the same; $6: the one in which places differ, from $7 to $8; $9: by number, which places with other words there do not have.
const ranged = `NOT EXISTS (SELECT FROM json_each_text($5::json) m WHERE m.value IS DISTINCT FROM r.body->>m.key) AND ($6::text IS NULL
  OR CASE WHEN $9::boolean THEN CASE WHEN r.body->>$6 ~ '^[0-9]{1,15}$' THEN lpad(r.body->>$6, 15, '0') BETWEEN lpad($7::text, 15, '0') AND lpad($8::text, 15, '0') ELSE false END
    ELSE (r.body->>$6) COLLATE "C" BETWEEN $7::text AND $8::text END)`;

/** The report for a choice of locations, and the values from $5 on. Fails with `bad_parameter` where a location is not there or none lies between. */
export async function holdingsOf(
  reader: Reader,
  choice: LocationChoice | null,
): Promise<{ readonly definition: Definition; readonly values: readonly unknown[] }> {
  if (choice === null) return { definition: holdings('true'), values: [] };
  if (choice.by === 'building')
    return { definition: holdings("r.body->>'building' = $5::text"), values: [choice.building] };
  if (choice.by === 'repository') {
    return {
      definition: holdings(
        "EXISTS (SELECT FROM link l WHERE l.source_kind = 'location' AND l.source_id = r.id AND l.property = 'owner_repo' AND l.target_kind = 'repository' AND l.target_id = $5::int)",
      ),
      values: [choice.repoId],
    };
  }
  const rows = await reader.any(sql.type(StoredRow)`
    SELECT id, body FROM record WHERE kind = 'location' AND id = ANY(${sql.array([choice.start, ...(choice.end === null ? [] : [choice.end])], 'int4')})`);
  const bodyOf = (id: number, name: string): JsonObject => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined)
      throw fail('bad_parameter', { [name]: [`Reference does not exist! (Reference: '/locations/${id}')`] });
    return JSON.parse(row.body);
  };
  const start = bodyOf(choice.start, 'location_start');
  if (choice.end === null) return { definition: holdings('r.id = $5::int'), values: [choice.start] };
  const range = shelfRange(start, bodyOf(choice.end, 'location_end'));
  if (range === null)
    throw fail('bad_parameter', { location_end: ['Must say where it is as far as location_start does'] });
  const { same, between } = range;
  return {
    definition: holdings(ranged),
    values: [
      JSON.stringify(same),
      between?.property ?? null,
      between?.least ?? null,
      between?.greatest ?? null,
      between?.isNumber ?? false,
    ],
  };
}
