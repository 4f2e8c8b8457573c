// Bodies of the routes that make or change many locations at once. Properties follow the contract (schemas.json).
import { location } from '../kinds/location.ts';
import type { Properties, Property, Schema } from '../schema/property.ts';

// The contract names no length, but what is made of longer ones is no coordinate, and a thousand steps from a long text keep all others waiting.
const maxLength = 255;

const range: Property = {
  type: 'inline',
  properties: {
    label: { type: 'string', maxLength, required: 'error' },
    start: { type: 'string', minLength: 1, maxLength, required: 'error' },
    end: { type: 'string', minLength: 1, maxLength, required: 'error' },
    prefix: { type: 'string', maxLength },
    suffix: { type: 'string', maxLength },
  },
};

/** Contract schemas.json, `location_batch`: what the locations share, and ranges of coordinates. */
export const LocationBatch: Schema = {
  name: 'location_batch',
  properties: {
    ...location.properties,
    locations: { type: 'list', of: { type: 'uri', to: ['location'] } },
    coordinate_1_range: { ...range, required: 'error' },
    coordinate_2_range: range,
    coordinate_3_range: range,
  },
  audited: true,
};

const { required: _, ...building }: Property = location.properties['building'] ?? { type: 'string' };
const optional: Properties = { ...location.properties, building };

/** Contract schemas.json, `location_batch_update`: which locations, and the fields that each of them gets. */
export const LocationBatchUpdate: Schema = {
  name: 'location_batch_update',
  properties: { ...optional, record_uris: { type: 'list', of: { type: 'uri', to: ['location'] } } },
  audited: true,
};
