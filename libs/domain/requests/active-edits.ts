// Body of POST /update_monitor: who edits what. Properties follow the contract (schemas.json) in its order.
import type { Property, Schema } from '../schema/property.ts';

const shortText: Property = { type: 'string', required: 'error', maxLength: 255 };

/** Contract schemas.json, `active_edits`. */
export const ActiveEdits: Schema = {
  name: 'active_edits',
  properties: {
    uri: { type: 'string' },
    active_edits: {
      type: 'list',
      of: { type: 'inline', properties: { user: shortText, uri: shortText, time: shortText } },
    },
  },
};
