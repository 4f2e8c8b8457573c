// Links between accessions: parts and siblings. Link objects, so without audit fields.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `accession_parts_relationship`. */
export const AccessionPartsRelationship: Schema = {
  name: 'accession_parts_relationship',
  properties: {
    relator: { type: 'string', enumeration: 'accession_parts_relator', required: 'error' },
    relator_type: { type: 'string', enumeration: 'accession_parts_relator_type', required: 'error' },
    ref: { type: 'uri', to: ['accession'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `accession_sibling_relationship`. */
export const AccessionSiblingRelationship: Schema = {
  name: 'accession_sibling_relationship',
  properties: {
    relator: { type: 'string', enumeration: 'accession_sibling_relator', required: 'error' },
    relator_type: { type: 'string', enumeration: 'accession_sibling_relator_type', required: 'error' },
    ref: { type: 'uri', to: ['accession'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};
