// A note on a digital object.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `note_digital_object`. */
export const NoteDigitalObject: Schema = {
  name: 'note_digital_object',
  properties: {
    label: { type: 'string', maxLength: 65000 },
    publish: { type: 'boolean' },
    persistent_id: { type: 'string', maxLength: 255, generated: 'hex' },
    ingest_problem: { type: 'string', maxLength: 65000 },
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    type: { type: 'string', enumeration: 'note_digital_object_type', required: 'error' },
  },
  publishable: true,
};
