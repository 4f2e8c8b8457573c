// A citation, a sub-note of agents and their sources.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_citation`. */
export const NoteCitation: Schema = {
  name: 'note_citation',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    xlink: {
      type: 'inline',
      properties: {
        actuate: { type: 'string', maxLength: 65000 },
        arcrole: { type: 'string', maxLength: 65000 },
        href: { type: 'string', maxLength: 65000 },
        role: { type: 'string', maxLength: 65000 },
        show: { type: 'string', maxLength: 65000 },
        title: { type: 'string', maxLength: 16384 },
        type: { type: 'string', maxLength: 65000 },
      },
    },
  },
  publishable: true,
};
