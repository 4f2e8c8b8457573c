// What the space calculator asks of the database: locations with their profiles, and what stands there now. Set statements: their number
// does not depend on how many locations or containers there are, and containers come counted by profile.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import type { Whereabouts } from '#domain/locations/buildings.ts';
import type { Box, Shelf } from '#domain/locations/free-space.ts';
import { sizeOf } from '#domain/locations/lengths.ts';
import type { Reader } from '../connection/database.ts';
import { BodyRow, IdRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A kind of container from the body of its profile; null where it states no size. */
function boxOf(profileId: number, profile: JsonObject): Box | null {
  const size = sizeOf(profile);
  const limit = textOf(profile, 'stacking_limit');
  return size === null || size.width === 0 || size.height === 0 || size.depth === 0
    ? null
    : { profileId, size, stackingLimit: limit === undefined ? null : Number(limit) };
}

/** The box of a container profile; undefined where there is no such profile, null where it states no size. */
export async function readBox(reader: Reader, profileId: number): Promise<Box | null | undefined> {
  const row = await reader.maybeOne(sql.type(BodyRow)`
    SELECT body FROM record WHERE kind = 'container_profile' AND id = ${profileId}`);
  return row === null ? undefined : boxOf(profileId, JSON.parse(row.body));
}

/** Which locations of a building: of a floor, room and area where these are given. Ids ascending. */
export async function locationIdsIn(reader: Reader, where: Whereabouts): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'location' AND body->>'building' = ${where.building}
    AND (${where.floor}::text IS NULL OR body->>'floor' = ${where.floor}) AND (${where.room}::text IS NULL OR body->>'room' = ${where.room})
    AND (${where.area}::text IS NULL OR body->>'area' = ${where.area}) ORDER BY id`);
  return rows.map((row) => row.id);
}

const PlaceRow = z.strictObject({
  building: column.text,
  floor: column.maybeText,
  room: column.maybeText,
  area: column.maybeText,
});

/** Everything that locations say of where they are, by building, floor, room and area; each combination once. */
export async function readWhereabouts(reader: Reader): Promise<readonly Whereabouts[]> {
  return reader.any(sql.type(PlaceRow)`
    SELECT DISTINCT body->>'building' AS building, body->>'floor' AS floor, body->>'room' AS room, body->>'area' AS area
    FROM record WHERE kind = 'location' AND body->>'building' IS NOT NULL ORDER BY 1, 2 NULLS FIRST, 3 NULLS FIRST, 4 NULLS FIRST`);
}

const ShelfRow = z.strictObject({ id: column.int, profile: column.maybeText });
type ShelfRow = z.infer<typeof ShelfRow>;
const StandingRow = z.strictObject({
  location_id: column.int,
  profile_id: column.maybeInt,
  profile: column.maybeText,
  count: column.int,
});
type StandingRow = z.infer<typeof StandingRow>;

/** Shelves by id of their location; ids that no location has are absent. Containers that stood there before do not count. */
export async function readShelves(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, Shelf>> {
  const wanted = sql.array([...ids], 'int4');
  const rows = await reader.any(sql.type(ShelfRow)`SELECT r.id, p.body AS profile FROM record r
    LEFT JOIN link l ON l.source_kind = 'location' AND l.source_id = r.id AND l.property = 'location_profile'
    LEFT JOIN record p ON p.kind = 'location_profile' AND p.id = l.target_id WHERE r.kind = 'location' AND r.id = ANY(${wanted}) ORDER BY r.id`);
  // link_target_idx finds the containers; whether one stands there now only its body says.
  const standing = await reader.any(sql.type(StandingRow)`
    SELECT c.location_id, c.profile_id, p.body AS profile, c.count FROM (
      SELECT at.target_id AS location_id, l.target_id AS profile_id, count(*)::int AS count
      FROM (SELECT DISTINCT target_id, source_id FROM link WHERE target_kind = 'location' AND target_id = ANY(${wanted}) AND property = 'container_locations' AND source_kind = 'top_container') at
      JOIN record r ON r.kind = 'top_container' AND r.id = at.source_id
      LEFT JOIN link l ON l.source_kind = 'top_container' AND l.source_id = r.id AND l.property = 'container_profile'
      WHERE EXISTS (SELECT FROM json_array_elements(r.body->'container_locations') e WHERE e->>'status' = 'current' AND e->>'ref' = '/locations/' || at.target_id)
      GROUP BY at.target_id, l.target_id) c
    LEFT JOIN record p ON p.kind = 'container_profile' AND p.id = c.profile_id ORDER BY c.location_id, c.profile_id`);
  const byLocation = Map.groupBy(standing, (row) => row.location_id);
  return new Map(
    rows.map((row): [number, Shelf] => [
      row.id,
      {
        size: row.profile === null ? undefined : sizeOf(JSON.parse(row.profile)),
        standing: (byLocation.get(row.id) ?? []).map((each) => ({
          box:
            each.profile === null || each.profile_id === null ? null : boxOf(each.profile_id, JSON.parse(each.profile)),
          count: each.count,
        })),
      },
    ]),
  );
}
