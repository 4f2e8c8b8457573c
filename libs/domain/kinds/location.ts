// Kind location. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partsOf, refTo } from '../schema/build.ts';
import { LocationFunction } from '../subrecords/location-function.ts';
import { externalIds } from './parts/identifiers.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';
import { locationTitle } from '../labels/places.ts';
import { copies, list, refOf } from '../search/documents/reading.ts';

/** A building alone is no place: a barcode, a classification or a first coordinate tells where in it. */
const isFindable: Rule = (body, report) => {
  const has = (property: string): boolean => textOf(body, property) !== undefined;
  if (has('barcode') || has('classification') || (has('coordinate_1_label') && has('coordinate_1_indicator'))) return;
  report('coded_errors', 'location_fields_error');
};

/** Kind `location`. */
export const location = defineKind({
  name: 'location',
  uri: '/locations/:id',
  model: 'Location',
  doc: 'A place where containers stand, named from the building down to the shelf: floor, room, area and up to three coordinates, or a barcode. Locations are shared by all repositories, though one may own them, and a location that holds or held a container cannot be deleted.',
  properties: {
    uri: { type: 'string', readonly: true },
    title: { type: 'string', readonly: true },
    external_ids: externalIds,
    building: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    floor: { type: 'string', maxLength: 255 },
    room: { type: 'string', maxLength: 255 },
    area: { type: 'string', maxLength: 255 },
    barcode: { type: 'string', maxLength: 255 },
    classification: { type: 'string', maxLength: 255 },
    coordinate_1_label: { type: 'string', maxLength: 255 },
    coordinate_1_indicator: { type: 'string', maxLength: 255 },
    coordinate_2_label: { type: 'string', maxLength: 255 },
    coordinate_2_indicator: { type: 'string', maxLength: 255 },
    coordinate_3_label: { type: 'string', maxLength: 255 },
    coordinate_3_indicator: { type: 'string', maxLength: 255 },
    temporary: { type: 'string', enumeration: 'location_temporary' },
    location_profile: { ...refTo(['location_profile']), resolvedInSearch: true },
    owner_repo: { ...refTo(['repository']), resolvedInSearch: true },
    functions: partsOf(() => [LocationFunction]),
  },
  rules: [isFindable],
  may: {
    read: 'public',
    create: 'update_location_record',
    update: 'update_location_record',
    delete: 'update_location_record',
  },
  links: { owner_repo: { whenTargetGoes: { refuse: 'Repository not empty' } } },
  // A function that is named twice counts once (contract 6.9).
  generate: (body) => {
    const functions = objectsOf(body, 'functions');
    const types = functions.map((given) => textOf(given, 'location_function_type'));
    return functions.length === 0
      ? body
      : { ...body, functions: functions.filter((_, index) => types.indexOf(types[index]) === index) };
  },
  label: locationTitle,
  labelProperty: 'title',
  stale: true,
  search: {
    fields: {
      ...copies('building floor room area temporary'),
      owner_repo_uri_u_sstr: { read: (record) => list(refOf(objectOf(record, 'owner_repo'))) },
      owner_repo_display_string_u_ssort: {
        read: (record) => textOf(objectOf(objectOf(record, 'owner_repo'), '_resolved'), 'repo_code'),
      },
      location_profile_uri_u_sstr: { read: (record) => list(refOf(objectOf(record, 'location_profile'))) },
      location_profile_display_string_u_ssort: {
        read: (record) => textOf(objectOf(objectOf(record, 'location_profile'), '_resolved'), 'display_string'),
      },
    },
  },
  example: { building: 'B', barcode: 'b1' },
});
