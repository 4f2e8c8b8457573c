// How much there is: a measured or counted quantity of material.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `extent`. */
export const Extent: Schema = {
  name: 'extent',
  properties: {
    portion: { type: 'string', minLength: 1, enumeration: 'extent_portion', required: 'error' },
    number: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    extent_type: { type: 'string', minLength: 1, enumeration: 'extent_extent_type', required: 'error' },
    container_summary: { type: 'string', maxLength: 65000 },
    physical_details: { type: 'string', maxLength: 65000 },
    dimensions: { type: 'string', maxLength: 255 },
  },
  audited: true,
};
