// Bodies of the routes of controlled lists. Lists and their values are no record kinds: they live in tables of their own.
// Properties follow the contract (schemas.json) in its order.
import { largestInt4 } from '../int4.ts';
import type { Schema } from '../schema/property.ts';

/** Characters of a value at most, whether it comes by itself or with its list (contract schemas.json, `enumeration_value`). */
export const longestListValue = 255;

/** Contract schemas.json, `enumeration_value`. */
export const EnumerationValue: Schema = {
  name: 'enumeration_value',
  properties: {
    uri: { type: 'string', readonly: true },
    value: { type: 'string', maxLength: longestListValue, required: 'error' },
    position: { type: 'integer', minimum: 0, maximum: largestInt4 },
    suppressed: { type: 'boolean', readonly: true },
  },
  audited: true,
};

/** Contract schemas.json, `enumeration`. What follows from other rows is dropped from what clients send. */
export const Enumeration: Schema = {
  name: 'enumeration',
  properties: {
    uri: { type: 'string', readonly: true },
    name: { type: 'string', maxLength: 255, required: 'error' },
    default_value: { type: 'string' },
    editable: { type: 'boolean', readonly: true },
    relationships: { type: 'list', of: { type: 'string' }, readonly: true },
    enumeration_values: { type: 'list', of: { type: 'any' }, readonly: true },
    values: { type: 'list', of: { type: 'string' }, required: 'error' },
    readonly_values: { type: 'list', of: { type: 'string' }, readonly: true },
  },
  audited: true,
};

/** Contract schemas.json, `enumeration_migration`: all uses of `from` become `to`, and `from` goes. */
export const EnumerationMigration: Schema = {
  name: 'enumeration_migration',
  properties: {
    uri: { type: 'string', readonly: true },
    // Lists are no record kind, so the uri is checked by the store, not as a reference.
    enum_uri: { type: 'string', required: 'error' },
    from: { type: 'string', required: 'error' },
    to: { type: 'string', required: 'error' },
  },
  audited: true,
};
