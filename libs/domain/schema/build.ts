// Short forms for the properties that declarations repeat most: sub-records, refs and lists of them.
// They make plain data (property.ts) and nothing else.
import type { ListProperty, ObjectProperty, Properties, RefProperty, Schema } from './property.ts';

/** One sub-record of one of the given schemas. */
export function partOf(schemas: () => readonly Schema[]): ObjectProperty {
  return { type: 'sub_record', of: schemas };
}

/** A list of sub-records, each of one of the given schemas. */
export function partsOf(schemas: () => readonly Schema[]): ListProperty {
  return { type: 'list', of: partOf(schemas) };
}

/** A list of sub-records that must say their `jsonmodel_type` although there is one schema (contract input_cleaning: note_index.items). */
export function partsOfSaidType(schemas: () => readonly Schema[]): ListProperty {
  return { type: 'list', of: { type: 'sub_record', of: schemas, saysType: true } };
}

/** A ref to a record of one of the kinds, with the properties of the link. No kinds: any uri. */
export function refTo(kinds: readonly string[], properties?: Properties): RefProperty {
  return properties === undefined ? { type: 'ref', to: kinds } : { type: 'ref', to: kinds, properties };
}

/** A list of refs. */
export function refsTo(kinds: readonly string[], properties?: Properties): ListProperty {
  return { type: 'list', of: refTo(kinds, properties) };
}
