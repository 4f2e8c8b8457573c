// Kind container_profile. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { textOf } from '../json.ts';
import { checkMeasures } from '../extents/measures.ts';
import { containerProfileLabel } from '../labels/places.ts';
import type { Rule } from '../schema/property.ts';
import { profileFields } from './search/profile.ts';

const stackingLimitCounts: Rule = (body, report) => {
  const limit = textOf(body, 'stacking_limit');
  if (limit !== undefined && !/^\d+$/.test(limit)) report('stacking_limit', 'must be a positive integer');
};

/** Kind `container_profile`. */
export const containerProfile = defineKind({
  name: 'container_profile',
  uri: '/container_profiles/:id',
  model: 'ContainerProfile',
  doc: 'A size and make of container that an institution uses: its name, its measures, and the side that counts when shelf space is reckoned. Top containers refer to a profile, so that extents and space can be calculated.',
  properties: {
    uri: { type: 'string', readonly: true },
    name: { type: 'string', required: 'error' },
    url: { type: 'string' },
    dimension_units: { type: 'string', enumeration: 'dimension_units', required: 'error' },
    extent_dimension: { type: 'string', values: ['height', 'width', 'depth'], required: 'error' },
    height: { type: 'string', required: 'error' },
    width: { type: 'string', required: 'error' },
    depth: { type: 'string', required: 'error' },
    stacking_limit: { type: 'string' },
    display_string: { type: 'string', readonly: true },
    notes: { type: 'string', release: 'R-B' },
  },
  rules: [checkMeasures, stackingLimitCounts],
  may: {
    read: 'public',
    create: 'update_container_profile_record',
    update: 'update_container_profile_record',
    delete: 'update_container_profile_record',
    merge: 'update_container_profile_record',
  },
  unique: [
    {
      name: 'container_profile.name',
      within: 'everywhere',
      key: (body) => textOf(body, 'name') ?? null,
      property: 'name',
      says: 'container profile name not unique',
    },
  ],
  label: containerProfileLabel,
  labelProperty: 'display_string',
  stale: false,
  search: { fields: profileFields('container_profile') },
  example: { name: 'CP', dimension_units: 'inches', depth: '1', width: '2', height: '3', extent_dimension: 'width' },
});
