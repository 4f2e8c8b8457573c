// Making and changing many locations at once (contract 6.9). Single locations have the uniform routes of their kind.
import { shape } from '../openapi/shape.ts';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { textsOf } from '#domain/json.ts';
import { location } from '#domain/kinds/location.ts';
import { locationsOf, updatedLocation } from '#domain/locations/batch.ts';
import { splitBody } from '#domain/checking/split.ts';
import { createMany, lockBodies, replaceMany } from '#store/records/writing/write-many.ts';
import { recordBody } from '../request/body.ts';
import { boolean } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { prepareAll } from '../request/prepare-all.ts';
import { writeContext } from '../record-routes/viewing.ts';

const access = { all: ['update_location_record'] } as const;

const batch = defineRoute({
  method: 'POST',
  path: '/locations/batch',
  operation: 'createLocationBatch',
  area: 'locations',
  summary: 'Create a series of locations',
  doc: 'One location for each step of the ranges: 1 to 10, 01 to 12, A to F. All or none; of a range the first 1,000 steps, and at most 20,000 locations. With dry_run the titles that they would have.',
  access,
  parameters: { dry_run: boolean({ optional: true, doc: 'Store nothing.' }) },
  body: recordBody('location_batch', 'create', {
    example: {
      building: 'Main building',
      coordinate_1_range: { label: 'Shelf', start: '1', end: '10' },
    },
  }),
  replies: {
    200: { says: 'Uris, or titles.', shape: shape.list(shape.text) },
    400: 'The body, or a location it makes, is not valid.',
  },
  handler: async (call) => {
    const { services, params, body } = call;
    const prepared = await prepareAll(services, location, locationsOf(body.record), 'create', call.caller.userId);
    if (params.dry_run === true)
      return prepared.map((each) => splitBody(location, each, services.generatedValues, null).label);
    return [
      ...(await services.database.transaction((tx) =>
        createMany(tx, location, prepared, writeContext({ ...call, repoId: null })),
      )),
    ];
  },
});

const update = defineRoute({
  method: 'POST',
  path: '/locations/batch_update',
  operation: 'updateLocationBatch',
  area: 'locations',
  summary: 'Change fields of several locations',
  doc: 'The fields that are given replace those of each location; lists are added to. All or none.',
  access,
  parameters: {},
  body: recordBody('location_batch_update', 'create', {
    example: { record_uris: ['/locations/1'], floor: '2', room: '201' },
  }),
  replies: {
    200: { says: 'The uris.', shape: shape.list(shape.uri) },
    400: 'A location would not be valid.',
    404: 'Location not found',
  },
  handler: async (call) => {
    const { services, body } = call;
    const uris = [...new Set(textsOf(body.record, 'record_uris'))];
    const ids = uris.map((uri) => parseUri(uri)?.id ?? 0);
    await services.database.transaction(async (tx) => {
      const stored = await lockBodies(tx, location, ids, null);
      if (stored.size < ids.length) throw fail('not_found', 'Location not found');
      const bodies = ids.map((id) => ({ id, old: stored.get(id) ?? {} }));
      const prepared = await prepareAll(
        services,
        location,
        bodies.map(({ old }) => updatedLocation(old, body.record)),
        'update',
        call.caller.userId,
      );
      await replaceMany(
        tx,
        location,
        bodies.flatMap((each, index) => {
          const own = prepared[index];
          return own === undefined ? [] : [{ ...each, prepared: own }];
        }),
        writeContext({ ...call, repoId: null }),
      );
    });
    return uris;
  },
});

/** The routes of this file. */
export const locationBatchRoutes: readonly Route[] = [batch, update];
