// Ordered and definition lists, sub-notes.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `note_orderedlist`. */
export const NoteOrderedlist: Schema = {
  name: 'note_orderedlist',
  properties: {
    title: { type: 'string', maxLength: 16384 },
    publish: { type: 'boolean' },
    enumeration: { type: 'string', enumeration: 'note_orderedlist_enumeration' },
    items: { type: 'list', of: { type: 'string', maxLength: 65000 } },
  },
  publishable: true,
};

/** Contract schemas.json, `note_definedlist`. */
export const NoteDefinedlist: Schema = {
  name: 'note_definedlist',
  properties: {
    title: { type: 'string', maxLength: 16384 },
    publish: { type: 'boolean' },
    items: {
      type: 'list',
      of: {
        type: 'inline',
        properties: {
          label: { type: 'string', maxLength: 65000, required: 'error' },
          value: { type: 'string', maxLength: 65000, required: 'error' },
        },
      },
    },
  },
  publishable: true,
};
