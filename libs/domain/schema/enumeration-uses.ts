// Where a controlled list is used: found in the declarations of kinds, so that a new property needs no list of uses.
// Serves the question whether a value is in use, and the renaming of a value in stored bodies.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Kind } from '../kind.ts';
import type { Properties, Property, Schema } from './property.ts';

/**
 * How a kind uses a list: names of the properties that hold one of its values, at any depth; names of those that hold several;
 * paths of refs whose role or relator does; relations of mutual links that have such a property (they are in no body).
 */
export type EnumerationUse = {
  readonly kind: Kind;
  readonly properties: readonly string[];
  readonly plurals: readonly string[];
  readonly roles: readonly string[];
  readonly relations: readonly string[];
};

/** The kinds that use a list. Empty where none does. */
export function usesOf(kinds: Iterable<Kind>, list: string): readonly EnumerationUse[] {
  const uses: EnumerationUse[] = [];
  for (const kind of kinds) {
    const found = nothing();
    collect(kind.properties, list, [], found, new Set());
    const relations = Object.entries(kind.mutual ?? {})
      .filter(([property]) => {
        const declared = kind.properties[property];
        const below = nothing();
        if (declared !== undefined) collect({ [property]: declared }, list, [], below, new Set());
        // Their refs are searched and renamed as text, which takes one value of a property.
        if (below.plurals.size > 0)
          throw new Error(`${kind.name}.${property}: a mutual link with lists of controlled values`);
        return below.properties.size > 0;
      })
      .map(([, link]) => link.relation);
    if (found.properties.size + found.plurals.size > 0)
      uses.push({
        kind,
        properties: [...found.properties],
        plurals: [...found.plurals],
        roles: [...found.roles],
        relations: [...new Set(relations)],
      });
  }
  return uses;
}

type Found = { readonly properties: Set<string>; readonly plurals: Set<string>; readonly roles: Set<string> };

const nothing = (): Found => ({ properties: new Set(), plurals: new Set(), roles: new Set() });

function collect(properties: Properties, list: string, path: readonly string[], found: Found, seen: Set<Schema>): void {
  for (const [name, property] of Object.entries(properties)) collectOne(name, property, list, path, found, seen);
}

function collectOne(
  name: string,
  property: Property,
  list: string,
  path: readonly string[],
  found: Found,
  seen: Set<Schema>,
  inList = false,
): void {
  const here = [...path, name];
  switch (property.type) {
    case 'string':
      if (property.enumeration !== list) return;
      (inList ? found.plurals : found.properties).add(name);
      if (name === 'role' || name === 'relator') found.roles.add(path.join('.'));
      return;
    case 'list':
      return collectOne(name, property.of, list, path, found, seen, true);
    case 'either':
      for (const item of property.of) collectOne(name, item, list, path, found, seen, inList);
      return;
    case 'inline':
      return collect(property.properties, list, here, found, seen);
    case 'ref':
      return collect(property.properties ?? {}, list, here, found, seen);
    case 'sub_record':
    case 'uri_or_object':
      for (const schema of schemasOf(property)) {
        // Schemas nest each other; one that was looked through adds nothing.
        if (seen.has(schema)) continue;
        collect(schema.properties, list, here, found, seen.add(schema));
      }
      return;
    default:
      return;
  }
}

/** The schemas that the value of such a property may have. */
export function schemasOf(
  property: Extract<Property, { readonly type: 'sub_record' | 'uri_or_object' | 'uri' }>,
): readonly Schema[] {
  if (property.type === 'sub_record') return property.of();
  return property.of === undefined ? [] : [property.of()];
}

/**
 * The body of a kind with every use of `from` in the list replaced by `to`; the body itself where there is none. Only
 * properties of that list change, so a value of the same name in another list stays.
 */
export function renameValue(
  kind: Kind,
  body: JsonObject,
  change: { readonly list: string; readonly from: string; readonly to: string },
): JsonObject {
  return renameIn(kind.properties, body, change);
}

type Change = { readonly list: string; readonly from: string; readonly to: string };

function renameIn(properties: Properties, object: JsonObject, change: Change): JsonObject {
  let changed: { [property: string]: Json | undefined } | undefined;
  for (const [name, value] of Object.entries(object)) {
    const property = properties[name];
    if (property === undefined || value === undefined) continue;
    const renamed = renameAt(property, value, change);
    if (renamed !== value) (changed ??= { ...object })[name] = renamed;
  }
  return changed ?? object;
}

function renameAt(property: Property, value: Json, change: Change): Json {
  switch (property.type) {
    case 'string':
      return property.enumeration === change.list && value === change.from ? change.to : value;
    case 'list': {
      if (!Array.isArray(value)) return value;
      const items = value.map((item: Json) => renameAt(property.of, item, change));
      if (items.every((item, index) => item === value[index])) return value;
      // What was there twice, under two values, is there once.
      return property.of.type === 'string' ? [...new Set(items)] : items;
    }
    case 'either':
      return property.of.reduce<Json>((at, item) => renameAt(item, at, change), value);
    case 'inline':
      return isObject(value) ? renameIn(property.properties, value, change) : value;
    case 'ref':
      return isObject(value) ? renameIn(property.properties ?? {}, value, change) : value;
    case 'sub_record':
    case 'uri_or_object': {
      if (!isObject(value)) return value;
      const schemas = schemasOf(property);
      const schema = schemas.length === 1 ? schemas[0] : schemas.find((each) => each.name === value['jsonmodel_type']);
      return schema === undefined ? value : renameIn(schema.properties, value, change);
    }
    default:
      return value;
  }
}
