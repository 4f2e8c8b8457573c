// The settings inside a preference. A setting that is not given is left to the layer below, so none has a default here.
// Properties follow the contract (schemas.json) in its order.
import type { Properties, Schema } from '../schema/property.ts';
import { browseColumns } from './browse-columns.ts';

/** Seven columns of a list, what it is sorted by, and which way. */
const columnsOf = ([list, { shows, sorts }]: [
  string,
  { readonly shows: readonly string[]; readonly sorts: readonly string[] },
]): Properties => ({
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((column) => [`${list}_browse_column_${column}`, { type: 'string', values: shows }]),
  ),
  [`${list}_sort_column`]: { type: 'string', values: sorts },
  [`${list}_sort_direction`]: { type: 'string', values: ['asc', 'desc'] },
});

/** Contract schemas.json, `defaults`. */
export const Defaults: Schema = {
  name: 'defaults',
  properties: {
    show_suppressed: { type: 'boolean' },
    publish: { type: 'boolean' },
    rde_sort_alpha: { type: 'boolean' },
    include_unpublished: { type: 'boolean' },
    locale: { type: 'string', values: ['en', 'fr', 'de', 'ja', 'es'] },
    default_values: { type: 'boolean' },
    note_order: { type: 'list', of: { type: 'string' } },
    digital_object_spawn: { type: 'boolean', release: 'R-B' },
    ...Object.assign({}, ...Object.entries(browseColumns).map(columnsOf)),
  },
};
