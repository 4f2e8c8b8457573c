// The fields of the search documents of container and location profiles (contract: behaviour-search.md section 9).
import { textOf } from '../../json.ts';
import type { SearchFields } from '../../search/declaration.ts';
import { list } from '../../search/documents/reading.ts';

/** The fields of profiles of a kind, whose name begins those of its sizes. */
export function profileFields(kind: 'container_profile' | 'location_profile'): SearchFields {
  const sizes = ['width', 'height', 'depth', 'dimension_units'].map(
    (property): readonly [string, SearchFields[string]] => [
      `${kind}_${property}_u_sstr`,
      { read: (record) => list([textOf(record, property) ?? '']) },
    ],
  );
  return {
    title: { read: (record) => textOf(record, 'display_string') ?? textOf(record, 'name') },
    display_string: { read: (record) => textOf(record, 'display_string') },
    typeahead_sort_key_u_sort: { read: (record) => textOf(record, 'display_string') },
    ...Object.fromEntries(sizes),
  };
}
