// Material that left the holdings.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';
import { partOf, partsOf } from '../schema/build.ts';
import { ArchivalDate } from './date.ts';
import { Extent } from './extent.ts';

/** Contract schemas.json, `deaccession`. */
export const Deaccession: Schema = {
  name: 'deaccession',
  properties: {
    scope: { type: 'string', enumeration: 'deaccession_scope', required: 'error' },
    description: { type: 'string', minLength: 1, maxLength: 65000, required: 'error' },
    reason: { type: 'string', maxLength: 65000 },
    disposition: { type: 'string', maxLength: 65000 },
    notification: { type: 'boolean', default: false },
    date: { ...partOf(() => [ArchivalDate]), required: 'error' },
    extents: partsOf(() => [Extent]),
  },
  audited: true,
  shows: ['repository'],
};
