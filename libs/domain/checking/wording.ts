// The words of validation messages (contract behaviour-records.md 1.5): names of JSON classes, wanted types, and the
// debug text of objects, all in the reference's notation, which is Ruby's.
import type { Json } from '../json.ts';

/** The texts of plain checks. */
export const says = {
  missing: 'Property is required but was missing',
  missingWarning: 'Property was missing',
  date: 'Not a valid date',
  pattern: (pattern: string): string => `Did not match regular expression: ${pattern}`,
  tooShort: (least: number): string => `Must be at least ${least} characters`,
  tooLong: (most: number): string => `Must be ${most} characters or fewer`,
  tooFew: (least: number): string => `At least ${least} item(s) is required`,
  outside: (value: string, values: readonly string[]): string =>
    `Invalid value '${value}'.  Must be one of: ${values.join(', ')}`,
  outsideReadonly: (path: string, value: string, values: readonly string[]): string =>
    `Protected read-only list #/${path}. Invalid value '${value}'.  Must be one of: ${values.join(', ')}`,
  ambiguous: (object: Json, wanted: readonly string[]): string => {
    const shown = inspected(object);
    return `Can't unambiguously match ${shown} against schema types: ${inspected(wanted)}. Resolve this by adding a 'jsonmodel_type' property to ${shown}`;
  },
};

/** The message for a value of the wrong type. `wanted` are type names as the contract writes them, `given` what came. */
export function wrongType(wanted: readonly string[], given: string): string {
  const list = wanted.join(', ');
  const suffix = list.endsWith(' uri') ? ' (malformed or invalid uri? check if referenced object exists.)' : '';
  return wanted.length === 1
    ? `Must be a ${list} (you provided a ${given})${suffix}`
    : `Must be one of: ${list} (you provided a ${given})${suffix}`;
}

/** The reference's name for the class of a JSON value. JSON text `1.0` cannot be told from `1` here and reads Integer. */
export function classOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'NilClass';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Float';
  if (typeof value === 'boolean') return value ? 'TrueClass' : 'FalseClass';
  return Array.isArray(value) ? 'Array' : 'Hash';
}

/** The debug text of a value, `{"a"=>1}`; what `invalid_object` holds. */
export function inspected(value: Json | undefined): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inspected).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}=>${inspected(item)}`)
    .join(', ')}}`;
}
