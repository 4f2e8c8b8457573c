// An outline with nested levels, a sub-note of agents.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { partOf, partsOf } from '../../schema/build.ts';

/** Contract schemas.json, `note_outline`. */
export const NoteOutline: Schema = {
  name: 'note_outline',
  properties: {
    publish: { type: 'boolean' },
    levels: partsOf(() => [NoteOutlineLevel]),
  },
  publishable: true,
};

/** Contract schemas.json, `note_outline_level`. */
export const NoteOutlineLevel: Schema = {
  name: 'note_outline_level',
  properties: {
    items: { type: 'list', of: { type: 'either', of: [{ type: 'string' }, partOf(() => [NoteOutlineLevel])] } },
  },
};
