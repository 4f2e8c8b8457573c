// A note on the languages of the material.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_langmaterial`. */
export const NoteLangmaterial: Schema = {
  name: 'note_langmaterial',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    type: { type: 'string', enumeration: 'note_langmaterial_type', required: 'error' },
  },
  publishable: true,
};
