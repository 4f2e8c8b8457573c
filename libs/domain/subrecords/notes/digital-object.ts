// A note on a digital object.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_digital_object`. */
export const NoteDigitalObject: Schema = {
  name: 'note_digital_object',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    type: { type: 'string', enumeration: 'note_digital_object_type', required: 'error' },
  },
  publishable: true,
};
