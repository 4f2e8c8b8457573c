// An identifier that another system gave to a record.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `external_id`. */
export const ExternalId: Schema = {
  name: 'external_id',
  properties: {
    external_id: { type: 'string', maxLength: 255, required: 'error' },
    source: { type: 'string', maxLength: 255, required: 'error' },
  },
  audited: true,
  lockVersioned: false,
};
