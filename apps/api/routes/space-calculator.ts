// How many containers of a profile still fit: at given locations, or in a building. Open to everybody, as locations are.
import { shape } from '../openapi/shape.ts';
import { freeSpaceShape } from '../openapi/shapes/calculators.ts';
import { parseUri, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { containerProfile } from '#domain/kinds/container_profile.ts';
import { location } from '#domain/kinds/location.ts';
import { buildingsOf } from '#domain/locations/buildings.ts';
import { freeSpace } from '#domain/locations/free-space.ts';
import type { Box } from '#domain/locations/free-space.ts';
import { locationIdsIn, readBox, readShelves, readWhereabouts } from '#store/locations/shelf-space.ts';
import { listOf, text } from '../request/parameters.ts';
import type { Reply } from '../reply/reply.ts';
import { jsonPieces } from '../reply/reply.ts';
import type { Replies, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';
import type { Seeing } from '../record-routes/viewing.ts';
import { withRefsResolved } from '../record-routes/viewing.ts';

const area = 'calculators';
const replies: Replies = {
  200: {
    says: 'Locations with space and how much, those without, and those of which nobody can tell; each with its record.',
    shape: freeSpaceShape,
  },
  400: 'A uri is of another kind, or the profile states no size.',
  404: 'There is no such record.',
};
const profileParameter = text({ doc: 'Uri of a container profile.' });

const lists = ['locations_with_space', 'locations_without_space', 'uncalculatable_locations'] as const;
const resolved = lists.flatMap((list) => [list, `${list}::location_profile`]);

/** The id in a uri of a kind. Fails with `bad_parameter` for any other text. */
function idIn(parameter: string, kind: typeof location, uri: string): number {
  const address = parseUri(uri);
  if (address?.kind !== kind.name)
    throw fail('bad_parameter', { [parameter]: [`Must be a JSONModel(:${kind.name}) uri`] });
  return address.id;
}

async function boxFor(services: Services, uri: string): Promise<Box> {
  const box = await readBox(services.database.reader, idIn('container_profile_uri', containerProfile, uri));
  if (box === undefined) throw fail('not_found', `${containerProfile.model} not found`);
  if (box === null) throw fail('bad_parameter', { container_profile_uri: ['The container profile states no size'] });
  return box;
}

async function calculated(call: Seeing, box: Box, ids: readonly number[]): Promise<Reply> {
  const shelves = await readShelves(call.services.database.reader, ids);
  const found = ids.flatMap((id) => {
    const shelf = shelves.get(id);
    return shelf === undefined ? [] : [{ ref: uriOf(location, id, null), space: freeSpace(box, shelf) }];
  });
  const answer: JsonObject = {
    container_profile: { ref: uriOf(containerProfile, box.profileId, null) },
    total_spaces_available: found.reduce((sum, { space }) => sum + (space.kind === 'space' ? space.count : 0), 0),
    total_containers_of_type: found.reduce((sum, { space }) => sum + space.ofType, 0),
    locations_with_space: found.flatMap(({ ref, space }) =>
      space.kind === 'space' ? [{ ref, count: space.count }] : [],
    ),
    locations_without_space: found.flatMap(({ ref, space }) =>
      space.kind === 'no_space' ? [{ ref, reason: space.reason }] : [],
    ),
    uncalculatable_locations: found.flatMap(({ ref, space }) =>
      space.kind === 'unknown' ? [{ ref, reason: space.reason }] : [],
    ),
  };
  return jsonPieces(await withRefsResolved({ ...call, repoId: null }, resolved, JSON.stringify(answer)));
}

const byLocation = defineRoute({
  method: 'GET',
  path: '/space_calculator/by_location',
  operation: 'calculateSpaceByLocation',
  area,
  summary: 'Free space by locations',
  access: 'public',
  parameters: { container_profile_uri: profileParameter, location_uris: listOf(text())({ doc: 'Uris of locations.' }) },
  replies,
  handler: async (call) => {
    const { params, services } = call;
    const box = await boxFor(services, params.container_profile_uri);
    return calculated(call, box, [...new Set(params.location_uris.map((uri) => idIn('location_uris', location, uri)))]);
  },
});

const given = (value: string | null): string | null => (value === '' ? null : value);

const byBuilding = defineRoute({
  method: 'GET',
  path: '/space_calculator/by_building',
  operation: 'calculateSpaceByBuilding',
  area,
  summary: 'Free space by building',
  access: 'public',
  parameters: {
    container_profile_uri: profileParameter,
    building: text(),
    floor: text({ optional: true }),
    room: text({ optional: true }),
    area: text({ optional: true }),
  },
  replies,
  handler: async (call) => {
    const { params, services } = call;
    const box = await boxFor(services, params.container_profile_uri);
    const where = {
      building: params.building,
      floor: given(params.floor),
      room: given(params.room),
      area: given(params.area),
    };
    return calculated(call, box, await locationIdsIn(services.database.reader, where));
  },
});

const buildings = defineRoute({
  method: 'GET',
  path: '/space_calculator/buildings',
  operation: 'listBuildings',
  area,
  summary: 'Buildings, floors, rooms, areas',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'Areas by room, rooms by floor, floors by building.', shape: shape.mapOf(shape.anything) } },
  handler: async ({ services, release }) =>
    buildingsOf(await readWhereabouts(services.database.reader), release === 'R-B'),
});

/** The routes of this file. */
export const spaceCalculatorRoutes: readonly Route[] = [byLocation, byBuilding, buildings];
