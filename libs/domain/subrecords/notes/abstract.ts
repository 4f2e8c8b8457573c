// An abstract, a sub-note of agents.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_abstract`. */
export const NoteAbstract: Schema = {
  name: 'note_abstract',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
  },
  publishable: true,
};
