// A list of publications.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_bibliography`. */
export const NoteBibliography: Schema = {
  name: 'note_bibliography',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 } },
    type: { type: 'string', enumeration: 'note_bibliography_type', readonly: true },
    items: { type: 'list', of: { type: 'string', maxLength: 65000 } },
  },
  publishable: true,
};
