// What trees show of a record (contract, trees 1.2, 1.4, 1.5): read from stored bodies and from what surrounds a page of them. Pure.
import type { JsonObject } from '../json.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';

/** What is known of the records' surroundings: top containers by ref, and the digital objects that count as linked (null: all). */
export type Surroundings = {
  readonly containers: ReadonlyMap<string, JsonObject>;
  readonly digitalObjects: ReadonlySet<string> | null;
};

/** What a kind of nodes adds to the common keys of tree answers, in the order of the wire; undefined values are left out. */
export type ShownInTrees = {
  /** To tree/root, from the root's body. */
  readonly root: (body: JsonObject, around: Surroundings) => JsonObject;
  /** To an entry of a waypoint. */
  readonly entry: (body: JsonObject, around: Surroundings) => JsonObject;
  /** To tree/node. */
  readonly node: (body: JsonObject) => JsonObject;
};

/** The ref of the top container of an instance, or undefined. */
export const containerRef = (instance: JsonObject): string | undefined =>
  textOf(objectOf(objectOf(instance, 'sub_container'), 'top_container'), 'ref');

/** The ref of the digital object of an instance, or undefined. */
export const digitalRef = (instance: JsonObject): string | undefined =>
  textOf(objectOf(instance, 'digital_object'), 'ref');

/** Whether a record has an instance that links a digital object (of those that count). */
export function hasDigitalInstance(body: JsonObject, around: Surroundings): boolean {
  return objectsOf(body, 'instances').some((instance) => {
    const ref = digitalRef(instance);
    return ref !== undefined && (around.digitalObjects === null || around.digitalObjects.has(ref));
  });
}

/** The `containers` of a record: one object per instance, with the keys that are set; undefined where it has no instances. */
export function containersOf(body: JsonObject, around: Surroundings): readonly JsonObject[] | undefined {
  const instances = objectsOf(body, 'instances');
  if (instances.length === 0) return undefined;
  return instances.map((instance) => {
    const sub = objectOf(instance, 'sub_container');
    const top = around.containers.get(containerRef(instance) ?? '');
    return withoutUnset({
      instance_type: textOf(instance, 'instance_type'),
      top_container_type: textOf(top, 'type'),
      top_container_indicator: textOf(top, 'indicator'),
      top_container_barcode: textOf(top, 'barcode'),
      type_2: textOf(sub, 'type_2'),
      indicator_2: textOf(sub, 'indicator_2'),
      barcode_2: textOf(sub, 'barcode_2'),
      type_3: textOf(sub, 'type_3'),
      indicator_3: textOf(sub, 'indicator_3'),
    });
  });
}

/** The `dates` of a record as trees show them (`type`, not `date_type`); undefined where it has none. */
export function datesOf(body: JsonObject): readonly JsonObject[] | undefined {
  const dates = objectsOf(body, 'dates');
  if (dates.length === 0) return undefined;
  return dates.map((date) =>
    withoutUnset({
      type: textOf(date, 'date_type'),
      label: textOf(date, 'label'),
      expression: textOf(date, 'expression'),
      begin: textOf(date, 'begin'),
      end: textOf(date, 'end'),
    }),
  );
}

/** The file uris of a record joined by commas; '' where it has none. */
export const fileUrisOf = (body: JsonObject): string =>
  objectsOf(body, 'file_versions')
    .flatMap((file) => textOf(file, 'file_uri') ?? [])
    .join(', ');

/** The level as trees show it: `other_level` where it is set, else `level`. */
export const levelOf = (body: JsonObject): string | null =>
  textOf(body, 'other_level') ?? textOf(body, 'level') ?? null;

/** An object without its undefined properties, so that its keys are those on the wire. */
export function withoutUnset(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** The refs of the top containers in a record's instances, in their order, each once. */
export const containerRefs = (body: JsonObject): readonly string[] => [
  ...new Set(objectsOf(body, 'instances').flatMap((instance) => containerRef(instance) ?? [])),
];
