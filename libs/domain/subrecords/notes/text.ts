// Plain text, a sub-note.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `note_text`. */
export const NoteText: Schema = {
  name: 'note_text',
  properties: {
    content: { type: 'string', maxLength: 65000, required: 'error' },
    publish: { type: 'boolean' },
  },
  publishable: true,
};
