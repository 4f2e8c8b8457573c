// A list of publications.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `note_bibliography`. */
export const NoteBibliography: Schema = {
  name: 'note_bibliography',
  properties: {
    label: { type: 'string', maxLength: 65000 },
    publish: { type: 'boolean' },
    persistent_id: { type: 'string', maxLength: 255, generated: 'hex' },
    ingest_problem: { type: 'string', maxLength: 65000 },
    content: { type: 'list', of: { type: 'string', maxLength: 65000 } },
    type: { type: 'string', enumeration: 'note_bibliography_type', readonly: true },
    items: { type: 'list', of: { type: 'string', maxLength: 65000 } },
  },
  publishable: true,
};
