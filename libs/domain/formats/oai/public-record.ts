// What harvesters get of a record before it is mapped: published parts alone, and components with what they take from above
// (contract OAI 5; search 9, "Inheritance").
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { isPublished, publishedPart } from '../writing/published.ts';

/** The record as formats map it. `_resolved` of ancestors must be there for components to take anything. */
export function publicRecord(record: JsonObject): JsonObject {
  const own = publishedPart(record, isPublic);
  return textOf(own, 'jsonmodel_type') === 'archival_object' ? withInherited(own) : own;
}

/** What harvesters see less than others: a note without a flag was never published. */
const isPublic = (property: string, item: JsonObject): boolean =>
  isPublished(property, item) && (property !== 'notes' || item['publish'] === true);

const lists = ['dates', 'extents', 'lang_materials'] as const;
const notes = ['accessrestrict', 'scopecontent', 'langmaterial'] as const;

/** The ancestors of a component, the nearest first, as far as they were read. */
export const ancestorsOf = (record: JsonObject): readonly JsonObject[] =>
  objectsOf(record, 'ancestors')
    .map((ref) => objectOf(ref, '_resolved'))
    .filter((ancestor) => ancestor !== undefined);

function withInherited(record: JsonObject): JsonObject {
  const above = ancestorsOf(record);
  const first = (has: (ancestor: JsonObject) => boolean): JsonObject | undefined => above.find(has);
  const taken: { [property: string]: Json } = {};
  if (textOf(record, 'title') === undefined) {
    const title = textOf(
      first((ancestor) => textOf(ancestor, 'title') !== undefined),
      'title',
    );
    if (title !== undefined) taken['title'] = title;
  }
  for (const property of lists) {
    if (objectsOf(record, property).length > 0) continue;
    const found = objectsOf(
      first((ancestor) => objectsOf(ancestor, property).length > 0),
      property,
    );
    if (found.length > 0) taken[property] = found;
  }
  const isCreator = (link: JsonObject): boolean => link['role'] === 'creator';
  const agents = objectsOf(record, 'linked_agents');
  if (!agents.some(isCreator)) {
    const found = objectsOf(
      first((ancestor) => objectsOf(ancestor, 'linked_agents').some(isCreator)),
      'linked_agents',
    ).filter(isCreator);
    if (found.length > 0) taken['linked_agents'] = [...agents, ...found];
  }
  const own = objectsOf(record, 'notes');
  const inherited = notes.flatMap((type) => {
    const isOfType = (note: JsonObject): boolean => textOf(note, 'type') === type;
    if (own.some(isOfType)) return [];
    return objectsOf(
      first((ancestor) => objectsOf(ancestor, 'notes').some(isOfType)),
      'notes',
    ).filter(isOfType);
  });
  if (inherited.length > 0) taken['notes'] = [...own, ...inherited];
  return { ...record, ...taken };
}
