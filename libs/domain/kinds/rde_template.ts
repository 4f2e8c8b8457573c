// Kind rde_template. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { textOf } from '../json.ts';

/** Kind `rde_template`. */
export const rdeTemplate = defineKind({
  name: 'rde_template',
  uri: '/repositories/:repo_id/rde_templates/:id',
  model: 'RdeTemplate',
  doc: 'A layout for rapid data entry: which columns a table of new components shows, in which order, and what they are filled with. Clients make and use templates; the service keeps them and applies nothing.',
  properties: {
    uri: { type: 'string', readonly: true },
    name: { type: 'string', required: 'error' },
    record_type: { type: 'string', values: ['archival_object', 'digital_object_component'], required: 'error' },
    order: { type: 'list', of: { type: 'string' } },
    visible: { type: 'list', of: { type: 'string' } },
    defaults: { type: 'object' },
  },
  listing: 'array',
  may: { read: 'public', create: 'manage_rde_templates', delete: 'manage_rde_templates' },
  label: (body) => textOf(body, 'name') ?? '',
  labelProperty: null,
  stale: false,
  search: false,
  example: {
    name: 'Folders',
    record_type: 'archival_object',
    order: ['title'],
    visible: ['title'],
    defaults: { level: 'file' },
  },
});
