// A failure as the owner of a job reads it in its log: in words, and not as the JSON that replies carry.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';

/**
 * The lines for what a Failure carries: a text as it is; a fault at a place of a file with its line and column; a record that is wrong, and
 * a tab-indented line for each property of it, as contract trees-and-jobs 3.7 has them for imports.
 */
export function failureWords(error: Json): readonly string[] {
  if (!isObject(error)) return [worded(error)];
  if (isObject(error['errors'])) return [...recordWords(error), ...propertyLines(error['errors'])];
  if (typeof error['message'] === 'string') return [`${error['message']}${placeOf(error)}`];
  return propertyLines(error);
}

/** Where records of files are wrong, they have no uri yet that means anything to people; others have. */
function recordWords(about: JsonObject): readonly string[] {
  const parts = ['record_type', 'record_title', 'record_uri']
    .map((name) => about[name])
    .filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? [] : [`Problem with ${parts.join(' ')}`];
}

function placeOf({ line, column }: JsonObject): string {
  if (typeof line !== 'number') return '';
  return typeof column === 'number' && column > 0 ? ` (line ${line}, column ${column})` : ` (line ${line})`;
}

/** `\tproperty : message; message`, one for each property. */
export function propertyLines(errors: { readonly [property: string]: Json | undefined }): readonly string[] {
  return Object.entries(errors).map(
    ([property, messages]) =>
      `\t${property} : ${Array.isArray(messages) ? messages.map(worded).join('; ') : worded(messages)}`,
  );
}

const worded = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
