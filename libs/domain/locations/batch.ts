// Many locations from one body: what they share, and ranges of up to three coordinates (contract 6.9). And one body over many locations.
import { fail } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { objectOf, textOf } from '../json.ts';
import { stringRange } from './string-range.ts';

/** A range gives at most so many indicators (contract 6.9). */
const mostOfRange = 1000;

/** More locations than this are not made at once: three full ranges would be a thousand million. */
const mostLocations = 20_000;

const coordinates = ['coordinate_1', 'coordinate_2', 'coordinate_3'] as const;

/**
 * The bodies of the locations that a `location_batch` asks for, in order: the first coordinate moves slowest. A third range counts
 * only inside a second. Fails with `invalid_record` where they are too many.
 */
export function locationsOf(batch: JsonObject): readonly JsonObject[] {
  const outside = new Set(['jsonmodel_type', 'locations', ...coordinates.map((name) => `${name}_range`)]);
  const shared: JsonObject = Object.fromEntries(Object.entries(batch).filter(([property]) => !outside.has(property)));
  const given = coordinates.map((name) => objectOf(batch, `${name}_range`));
  const used = given[1] === undefined ? given.slice(0, 1) : given;
  const axes = used.map((range) => (range === undefined ? null : indicatorsOf(range)));
  const count = axes.reduce((product, axis) => product * (axis?.length ?? 1), 1);
  if (count > mostLocations)
    throw fail('invalid_record', {
      coordinate_1_range: [`The ranges make ${count} locations, and at most ${mostLocations} can be made at once`],
    });
  return axes.reduce<readonly JsonObject[]>(
    (made, axis, index) => {
      const name = coordinates[index] ?? 'coordinate_1';
      const label = textOf(given[index], 'label') ?? '';
      return axis === null
        ? made
        : made.flatMap((body) =>
            axis.map((indicator) => ({ ...body, [`${name}_label`]: label, [`${name}_indicator`]: indicator })),
          );
    },
    [shared],
  );
}

function indicatorsOf(range: JsonObject): readonly string[] {
  const { prefix, suffix } = { prefix: textOf(range, 'prefix') ?? '', suffix: textOf(range, 'suffix') ?? '' };
  return stringRange(textOf(range, 'start') ?? '', textOf(range, 'end') ?? '', mostOfRange).map(
    (text) => `${prefix}${text}${suffix}`,
  );
}

/** A stored location with the fields of a `location_batch_update` over it; lists are added to those that are there. Fields cannot be cleared this way. */
export function updatedLocation(stored: JsonObject, update: JsonObject): JsonObject {
  const { jsonmodel_type: _, record_uris: __, ...fields } = update;
  const merged = Object.entries(fields).map(([property, value]): [string, Json | undefined] => {
    const old = stored[property];
    return [property, Array.isArray(value) && Array.isArray(old) ? [...old, ...value] : value];
  });
  return { ...stored, ...Object.fromEntries(merged) };
}
