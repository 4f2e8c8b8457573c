// Kind location_profile. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { textOf } from '../json.ts';
import { checkMeasures } from '../extents/measures.ts';
import { locationProfileLabel } from '../labels/places.ts';
import { profileFields } from './search/profile.ts';

/** Kind `location_profile`. */
export const locationProfile = defineKind({
  name: 'location_profile',
  uri: '/location_profiles/:id',
  model: 'LocationProfile',
  doc: 'A size of shelf or compartment that several locations share, used when the space that is left is calculated.',
  properties: {
    uri: { type: 'string', readonly: true },
    name: { type: 'string', required: 'error' },
    display_string: { type: 'string', readonly: true },
    dimension_units: { type: 'string', enumeration: 'dimension_units' },
    height: { type: 'string' },
    width: { type: 'string' },
    depth: { type: 'string' },
  },
  rules: [checkMeasures],
  may: {
    read: 'public',
    create: 'update_location_profile_record',
    update: 'update_location_profile_record',
    delete: 'update_location_profile_record',
  },
  unique: [
    {
      name: 'location_profile.name',
      within: 'everywhere',
      key: (body) => textOf(body, 'name') ?? null,
      property: 'name',
      says: 'location profile name not unique',
    },
  ],
  label: locationProfileLabel,
  labelProperty: 'display_string',
  stale: false,
  search: { fields: profileFields('location_profile') },
  example: { name: 'LP', dimension_units: 'inches', depth: '1', width: '2', height: '3' },
});
