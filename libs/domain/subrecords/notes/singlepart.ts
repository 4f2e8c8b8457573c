// A note of one or more paragraphs.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_singlepart`. */
export const NoteSinglepart: Schema = {
  name: 'note_singlepart',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    type: { type: 'string', enumeration: 'note_singlepart_type', required: 'error' },
  },
  publishable: true,
};
