// The refs of a stored body, by the declaration of its kind: what the link rows of the record must say. For checks of stored data; bodies
// that clients send are walked by walk.ts, which also judges them.
import { isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Kind } from '../kind.ts';
import type { Properties, Property, Schema } from '../schema/property.ts';

/** A ref of a body: the property path without indexes, as link rows have it, and the uri. */
export type StoredRef = { readonly property: string; readonly uri: string };

/** All refs of a body in document order. Terms, which a body holds as objects or by uri, are left out. */
export function storedRefs(kind: Kind, body: JsonObject): readonly StoredRef[] {
  const found: StoredRef[] = [];
  walk(kind.properties, body, [], found);
  return found;
}

function walk(properties: Properties, object: JsonObject, path: readonly string[], found: StoredRef[]): void {
  for (const [name, property] of Object.entries(properties)) {
    const value = object[name];
    if (value !== undefined && value !== null && property.readonly !== true)
      visit(property, value, [...path, name], found);
  }
}

function visit(property: Property, value: Json, path: readonly string[], found: StoredRef[]): void {
  switch (property.type) {
    case 'ref':
      if (!isObject(value)) return;
      if (property.properties !== undefined) walk(property.properties, value, path, found);
      if (typeof value['ref'] === 'string') found.push({ property: path.join('.'), uri: value['ref'] });
      return;
    case 'uri':
      // The uri of a link object, such as a container's place on a shelf, stands for the object.
      if (typeof value === 'string')
        found.push({ property: (path.at(-1) === 'ref' ? path.slice(0, -1) : path).join('.'), uri: value });
      return;
    case 'list':
      if (Array.isArray(value)) for (const item of value) visit(property.of, item, path, found);
      return;
    case 'either':
      for (const each of property.of) visit(each, value, path, found);
      return;
    case 'inline':
      if (isObject(value)) walk(property.properties, value, path, found);
      return;
    case 'sub_record': {
      const schema = isObject(value) ? schemaOf(property.of(), value) : undefined;
      if (schema !== undefined && isObject(value)) walk(schema.properties, value, path, found);
      return;
    }
    default:
  }
}

function schemaOf(schemas: readonly Schema[], value: JsonObject): Schema | undefined {
  return schemas.length === 1 ? schemas[0] : schemas.find((schema) => schema.name === value['jsonmodel_type']);
}
