// A revision of a finding aid.
// Properties follow the contract (schemas.json) in its order.
import { revisionStatementUri } from '../rules/part-uris.ts';
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `revision_statement`. */
export const RevisionStatement: Schema = {
  name: 'revision_statement',
  properties: {
    uri: { type: 'string', readonly: true },
    date: { type: 'string', maxLength: 255, required: 'error' },
    description: { type: 'string', maxLength: 65000, required: 'error' },
    publish: { type: 'boolean' },
  },
  audited: true,
  shows: [
    { property: 'uri', release: 'R-A', of: ({ id, repoId, place }) => revisionStatementUri(id, repoId, place) },
    'repository',
  ],
  publishable: true,
};
