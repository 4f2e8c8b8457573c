// A document outside the service that bears on a record.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `external_document`. */
export const ExternalDocument: Schema = {
  name: 'external_document',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 16384, required: 'error' },
    location: { type: 'string', maxLength: 16384, required: 'error', default: '' },
    publish: { type: 'boolean' },
  },
  audited: true,
  publishable: true,
};
