// A note of one or more paragraphs.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `note_singlepart`. */
export const NoteSinglepart: Schema = {
  name: 'note_singlepart',
  properties: {
    label: { type: 'string', maxLength: 65000 },
    publish: { type: 'boolean' },
    persistent_id: { type: 'string', maxLength: 255, generated: 'hex' },
    ingest_problem: { type: 'string', maxLength: 65000 },
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    type: { type: 'string', enumeration: 'note_singlepart_type', required: 'error' },
  },
  publishable: true,
};
