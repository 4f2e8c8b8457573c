// The words of validation messages (contract behaviour-records.md 1.5): names of JSON classes, wanted types, and the
// debug text of objects, all in the reference's notation, which is Ruby's.
import type { Json, JsonObject } from '../json.ts';

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
    const shown = inspected(object, longestShown);
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

/** A debug text longer than this helps nobody and would send a large body back. */
export const longestShown = 20_000;

/** The debug text of a value, `{"a"=>1}`; what `invalid_object` holds. At most so many characters are made, whatever the size of the value. */
export function inspected(value: Json | undefined, most = Infinity): string {
  const shown = { text: '', most };
  inspect(value, shown);
  return shown.text.slice(0, most);
}

type Shown = { text: string; readonly most: number };

function inspect(value: Json | undefined, shown: Shown): void {
  if (shown.text.length >= shown.most) return;
  if (value === null || value === undefined) shown.text += 'nil';
  else if (typeof value === 'string') shown.text += JSON.stringify(value.slice(0, shown.most));
  else if (typeof value !== 'object') shown.text += JSON.stringify(value);
  else if (Array.isArray(value)) inspectAll('[', value, shown, ']', (item) => inspect(item, shown));
  else
    inspectAll('{', Object.keys(value), shown, '}', (key) => {
      shown.text += `${JSON.stringify(key.slice(0, shown.most))}=>`;
      // The keys are those of an object that is no list.
      inspect((value as JsonObject)[key], shown);
    });
}

function inspectAll<T>(open: string, items: readonly T[], shown: Shown, close: string, each: (item: T) => void): void {
  shown.text += open;
  for (const [at, item] of items.entries()) {
    if (shown.text.length >= shown.most) return;
    if (at > 0) shown.text += ', ';
    each(item);
  }
  shown.text += close;
}
