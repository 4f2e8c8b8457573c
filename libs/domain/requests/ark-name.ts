// Body of the routes that replace the ARKs of a record.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `ark_name`. */
export const ArkNames: Schema = {
  name: 'ark_name',
  properties: {
    current: { type: 'string' },
    current_is_external: { type: 'boolean' },
    previous: { type: 'list', of: { type: 'string' } },
  },
};
