// A note on a contact of an agent.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_contact_note`. */
export const NoteContactNote: Schema = {
  name: 'note_contact_note',
  properties: {
    ...noteProperties,
    date_of_contact: { type: 'string', maxLength: 65000, required: 'error' },
    contact_notes: { type: 'string', maxLength: 65000, required: 'error' },
  },
  publishable: true,
};
