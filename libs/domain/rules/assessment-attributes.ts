// Ratings, formats and conservation issues of assessments: what of them is stored, and how they are shown (contract 6.12).
// The definitions are rows of their own; records hold values and notes by the id of a definition.
import type { Json, JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';

/** The type of a definition for each property that holds attributes. */
export const attributeTypes = {
  formats: 'format',
  conservation_issues: 'conservation_issue',
  ratings: 'rating',
} as const;

/** A rating that nobody gives: it follows from two others. */
const computedRating = 'Research Value';
const summed: readonly string[] = ['Interest', 'Documentation Quality'];

/** What of those two is added up, alike in records and in the report of ratings, whose statement has this text: a number, with decimals or without. */
export const countedRating = String.raw`^\s*([0-9]{1,9}(?:[.][0-9]{1,5})?)\s*$`;
const counted = new RegExp(countedRating, 'u');

const has = (entry: JsonObject): boolean => (textOf(entry, 'value') ?? textOf(entry, 'note')) !== undefined;

/** A body whose lists hold the entries with a value or note alone. */
export function keepGivenAttributes(body: JsonObject): JsonObject {
  const kept = Object.keys(attributeTypes).map((property): [string, Json] => [
    property,
    objectsOf(body, property).filter(has),
  ]);
  return { ...body, ...Object.fromEntries(kept) };
}

/**
 * A record as it is read, with `_definitions` (of its repository and of all, in order) taken out and one entry for each of
 * them in the list of its type, with value and note where the record has them. Entries of other definitions are not shown.
 */
export function showAttributes(record: JsonObject): JsonObject {
  const { _definitions: _, ...rest } = record;
  const definitions = objectsOf(record, '_definitions');
  const lists = Object.entries(attributeTypes).map(([property, type]): [string, Json] => {
    const given = new Map(objectsOf(record, property).map((entry) => [entry['definition_id'], entry]));
    const entries = definitions
      .filter((definition) => definition['type'] === type)
      .map((definition) => entryOf(definition, given.get(definition['id'])));
    return [property, property === 'ratings' ? withComputed(entries) : entries];
  });
  return { ...rest, ...Object.fromEntries(lists) };
}

function entryOf(definition: JsonObject, given: JsonObject | undefined): JsonObject {
  const { value, note } = { value: textOf(given, 'value'), note: textOf(given, 'note') };
  return {
    ...(value === undefined ? {} : { value }),
    ...(note === undefined ? {} : { note }),
    global: definition['global'] === true,
    label: textOf(definition, 'label') ?? '',
    readonly: definition['readonly'] === true,
    definition_id: definition['id'] ?? null,
  };
}

function withComputed(ratings: readonly JsonObject[]): readonly JsonObject[] {
  const numbers = ratings
    .filter((entry) => entry['global'] === true && summed.includes(textOf(entry, 'label') ?? ''))
    .flatMap((entry) => counted.exec(textOf(entry, 'value') ?? '')?.[1] ?? [])
    .map(Number);
  return ratings.map((entry) => {
    if (entry['readonly'] !== true || entry['label'] !== computedRating) return entry;
    const { value: _, ...own } = entry;
    if (numbers.length === 0) return own;
    // 0.1 and 0.2 are 0.3 to whoever rates.
    const sum = numbers.reduce((before, value) => before + value, 0).toFixed(5);
    return { value: String(Number(sum)), ...own };
  });
}
