// What fields of documents are read with: names and addresses of what links point to, identifiers, years, and short forms for the fields
// that hold a property as it is. For declarations of kinds and for the fields that all share.
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import type { FieldSettings, SearchFields } from '../declaration.ts';

/** The display names of the record a link points to, where it is resolved: an agent's sort name, else its title. */
export function nameOf(link: JsonObject | undefined): readonly string[] {
  const target = objectOf(link, '_resolved');
  const name =
    textOf(objectOf(target, 'display_name'), 'sort_name') ??
    textOf(target, 'title') ??
    textOf(target, 'display_string');
  return name === undefined || name === '' ? [] : [name];
}

/** The URI of a link. */
export function refOf(link: JsonObject | undefined): readonly string[] {
  const ref = textOf(link, 'ref');
  return ref === undefined ? [] : [ref];
}

/** A list without empty texts and repetitions, or undefined where nothing is left. */
export function list(values: readonly Json[]): readonly Json[] | undefined {
  const kept = [...new Set(values)].filter((value) => value !== '');
  return kept.length === 0 ? undefined : kept;
}

/** A property's truth value, or undefined where it is none. */
export function truth(record: JsonObject | undefined, property: string): boolean | undefined {
  const value = record?.[property];
  return typeof value === 'boolean' ? value : undefined;
}

/** The parts of a four-part identifier that are there. */
export function fourParts(record: JsonObject): readonly string[] {
  return ['id_0', 'id_1', 'id_2', 'id_3']
    .flatMap((property) => textOf(record, property) ?? [])
    .filter((part) => part !== '');
}

/** Texts of several properties joined by blanks. */
export function joinTexts(record: JsonObject | undefined, properties: readonly string[]): string {
  return properties
    .flatMap((property) => textOf(record, property) ?? [])
    .join(' ')
    .trim();
}

/** The JSON text of a classification's path, as clients expect it in `classification_path`. */
export function pathText(classification: JsonObject | undefined): readonly string[] {
  const path = classification?.['path_from_root'];
  return path === undefined ? [] : [JSON.stringify(path)];
}

/** Every year from the begin to the end of each date, ascending. Dates without a year in front, and spans over 3,000 years, give none. */
export function readYears(dates: readonly JsonObject[]): readonly number[] {
  const years = new Set<number>();
  for (const date of dates) {
    const begin = yearOf(textOf(date, 'begin')) ?? yearOf(textOf(date, 'end'));
    const end = yearOf(textOf(date, 'end')) ?? begin;
    for (let year = begin ?? 1; year <= (end ?? 0) && (end ?? 0) - (begin ?? 0) <= 3000; year += 1) {
      years.add(year);
    }
  }
  return [...years].sort((a, b) => a - b);
}

function yearOf(text: string | undefined): number | undefined {
  const digits = /^\d{1,4}/.exec(text ?? '');
  return digits === null ? undefined : Number(digits[0]);
}

/** The text that stands for a record with a display string: that, else its title. */
export const displayedTitle = (record: JsonObject): string | undefined =>
  textOf(record, 'display_string') ?? textOf(record, 'title');

/** Fields that hold the text of the property of the same name. Names are separated by blanks. */
export function copies(names: string, settings: FieldSettings = { type: 'string' }): SearchFields {
  return Object.fromEntries(
    names
      .split(' ')
      .map((name) => [name, { ...settings, read: (record) => joinTexts(record, [name]) || undefined }] as const),
  );
}

/** Fields that hold the truth value of the property of the same name. */
export function flags(names: string): SearchFields {
  return Object.fromEntries(
    names.split(' ').map((name) => [name, { type: 'boolean', read: (record) => truth(record, name) }] as const),
  );
}
