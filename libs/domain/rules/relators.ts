// What the far side of a directed link shows: the opposite relator, where the list has a pair (contract 3.3).
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';

// The relator lists that cannot be edited and have exactly two values (contract enumerations).
const opposites: ReadonlyMap<string, string> = new Map(
  [
    ['forms_part_of', 'has_part'],
    ['is_earlier_form_of', 'is_later_form_of'],
    ['is_child_of', 'is_parent_of'],
    ['is_subordinate_to', 'is_superior_of'],
  ].flatMap(([one, other]) =>
    one === undefined || other === undefined ? [] : [[one, other] as const, [other, one] as const],
  ),
);

/** The relators that have an opposite, each with it. */
export const relatorPairs: readonly (readonly [string, string])[] = [...opposites];

/** A link as its far side shows it: with the opposite relator of a pair, else unchanged. Its own inverse. */
export function oppositeLink(ref: JsonObject): JsonObject {
  const opposite = opposites.get(textOf(ref, 'relator') ?? '');
  return opposite === undefined ? ref : { ...ref, relator: opposite };
}
