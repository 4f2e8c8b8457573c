// What a location is used for.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `location_function`. */
export const LocationFunction: Schema = {
  name: 'location_function',
  properties: {
    location_function_type: { type: 'string', enumeration: 'location_function_type' },
  },
  audited: true,
};
