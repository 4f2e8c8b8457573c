// A list of dated events, a sub-note.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `note_chronology`. */
export const NoteChronology: Schema = {
  name: 'note_chronology',
  properties: {
    title: { type: 'string', maxLength: 16384 },
    publish: { type: 'boolean' },
    items: {
      type: 'list',
      of: {
        type: 'inline',
        properties: {
          event_date: { type: 'string', maxLength: 255 },
          place: { type: 'string', maxLength: 255 },
          events: { type: 'list', of: { type: 'string', maxLength: 65000 } },
        },
      },
    },
  },
  publishable: true,
};
