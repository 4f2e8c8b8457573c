// Rights in the description itself.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';
import { fileLink } from './file-link.ts';

/** Contract schemas.json, `metadata_rights_declaration`. */
export const MetadataRightsDeclaration: Schema = {
  name: 'metadata_rights_declaration',
  properties: {
    license: { type: 'string', enumeration: 'metadata_license' },
    descriptive_note: { type: 'string', maxLength: 65000, default: '' },
    ...fileLink,
  },
  audited: true,
};
