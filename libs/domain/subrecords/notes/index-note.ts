// An index to the material.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { partsOfSaidType, refTo } from '../../schema/build.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_index`. */
export const NoteIndex: Schema = {
  name: 'note_index',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 } },
    type: { type: 'string', enumeration: 'note_index_type', readonly: true },
    items: partsOfSaidType(() => [NoteIndexItem]),
  },
  publishable: true,
};

/** Contract schemas.json, `note_index_item`. */
export const NoteIndexItem: Schema = {
  name: 'note_index_item',
  properties: {
    value: { type: 'string', maxLength: 65000, required: 'error' },
    type: { type: 'string', enumeration: 'note_index_item_type', required: 'error' },
    reference: { type: 'string', maxLength: 65000 },
    reference_text: { type: 'string', maxLength: 65000 },
    reference_ref: { ...refTo([]), readonly: true },
  },
};
