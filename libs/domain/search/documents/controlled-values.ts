// The values of controlled lists in a record, by the fields that documents have of them (contract: search_fields.json, `enum_fields`).
// Which properties have a list is read from the declarations, so that free text of the same name is not taken for one.
import type { Json, JsonObject } from '../../json.ts';
import { isObject, textOf } from '../../json.ts';
import { kinds } from '../../kinds/index.ts';
import { schemasOf } from '../../schema/enumeration-uses.ts';
import type { Properties, Property } from '../../schema/property.ts';
import { subrecords } from '../../subrecords/index.ts';

type Found = Map<string, Set<string>>;

/**
 * All values of the record's controlled properties, at any depth, by `<property>_enum_s`; what refs show of other records is left out, and lists
 * that some alone may see: how somebody is addressed is a contact detail as well.
 */
export function readControlledValues(record: JsonObject): ReadonlyMap<string, readonly string[]> {
  const name = textOf(record, 'jsonmodel_type') ?? '';
  const found: Found = new Map();
  visitObject((kinds.get(name) ?? subrecords.get(name))?.properties ?? {}, record, found);
  return new Map([...found].map(([field, values]) => [field, [...values]]));
}

function visitObject(properties: Properties, object: JsonObject, found: Found): void {
  for (const name in object) {
    const property = properties[name];
    const value = object[name];
    if (property !== undefined && !isConfidential(property) && value !== undefined && value !== null)
      visit(name, property, value, found);
  }
}

const isConfidential = (property: Property): boolean => property.type === 'list' && property.confidential === true;

function addValue(field: string, value: string, found: Found): void {
  const values = found.get(field);
  if (values === undefined) found.set(field, new Set([value]));
  else values.add(value);
}

function visit(name: string, property: Property, value: Json, found: Found): void {
  switch (property.type) {
    case 'string':
      if (property.enumeration !== undefined && typeof value === 'string' && value !== '')
        addValue(`${name}_enum_s`, value, found);
      return;
    case 'list':
      // Array.isArray widens the elements of a readonly array to any; they are Json by the type of value.
      if (Array.isArray(value)) for (const item of value as readonly Json[]) visit(name, property.of, item, found);
      return;
    case 'either':
      for (const one of property.of) visit(name, one, value, found);
      return;
    case 'inline':
      if (isObject(value)) visitObject(property.properties, value, found);
      return;
    case 'ref':
      if (isObject(value)) visitObject(property.properties ?? {}, value, found);
      return;
    case 'sub_record':
    case 'uri_or_object': {
      if (!isObject(value)) return;
      const schemas = schemasOf(property);
      const schema = schemas.length === 1 ? schemas[0] : schemas.find((each) => each.name === value['jsonmodel_type']);
      if (schema !== undefined) visitObject(schema.properties, value, found);
      return;
    }
    default:
      return;
  }
}
