// What a form has to ask for, read from the schemas that the service publishes of its records (GET /schemas).
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../../libs/domain/json.ts';
import { service } from '../session.ts';

/** The schemas by name. */
export type Schemas = JsonObject;

/** How a value is asked for. */
export type Shape =
  | { readonly is: 'text'; readonly isLong: boolean }
  | { readonly is: 'number' }
  | { readonly is: 'flag' }
  /** A value of a controlled list of the service. */
  | { readonly is: 'controlled'; readonly list: string }
  | { readonly is: 'choice'; readonly values: readonly string[] }
  /** `{ref, …}`: a record of one of the kinds `to`, with properties of the link itself. */
  | { readonly is: 'link'; readonly to: readonly string[]; readonly own: readonly Field[] }
  /** The uri of a record of one of the kinds `to`. */
  | { readonly is: 'uri'; readonly to: readonly string[] }
  /** A part with a schema of its own, or with one of several; `orText`: a text may stand in its place. */
  | { readonly is: 'part'; readonly names: readonly string[]; readonly orText: boolean }
  | { readonly is: 'inline'; readonly fields: readonly Field[] }
  | { readonly is: 'many'; readonly of: Shape };

/** A property that people may fill in. */
export type Field = {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  /** A flag that is set where nobody says otherwise. */
  readonly isSetAtFirst: boolean;
};

let asked: Promise<Schemas> | undefined;

/** The schemas, asked for once. */
export async function readSchemas(): Promise<Schemas> {
  asked ??= service.ask('/schemas').then((answer) => (isObject(answer) ? answer : {}));
  return asked.catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
}

/** The fields of a schema of this name, in its order; none where there is no such schema. */
export const fieldsOf = (schemas: Schemas, name: string): readonly Field[] => fieldsIn(objectOf(schemas, name) ?? {});

/**
 * The fields of a whole record. What says where it stands in a tree is none of them: that is changed in the tree. Such records have a `parent` and
 * a `position`, and must name their root.
 */
export function fieldsOfRecord(schemas: Schemas, name: string): readonly Field[] {
  const fields = fieldsOf(schemas, name);
  const properties = objectOf(objectOf(schemas, name), 'properties') ?? {};
  if (!('parent' in properties && 'position' in properties)) return fields;
  return fields.filter(
    ({ name: each, shape, isRequired }) =>
      each !== 'parent' && each !== 'position' && !(isRequired && shape.is === 'link'),
  );
}

/** The name of the schema whose records are made by a POST to an address; undefined where none are. */
export const kindMadeAt = (schemas: Schemas, address: string): string | undefined =>
  Object.keys(schemas).find((name) => {
    const uri = textOf(objectOf(schemas, name), 'uri');
    return uri !== undefined && new RegExp(`^${uri.replaceAll(/:\w+/g, '\\d+')}$`).test(address);
  });

// Kept by the service, or said by the place where a part stands.
const ofService = new Set(['jsonmodel_type', '_resolved', 'lock_version']);

function fieldsIn(schema: JsonObject): readonly Field[] {
  const required = textsOf(schema, 'required');
  return Object.entries(objectOf(schema, 'properties') ?? {}).flatMap(([name, node]): readonly Field[] => {
    if (!isObject(node) || node['readOnly'] === true || ofService.has(name)) return [];
    const shape = shapeOf(node);
    return shape === null
      ? []
      : [{ name, shape, isRequired: required.includes(name), isSetAtFirst: node['default'] === true }];
  });
}

/** How a node of a schema is asked for; null where people cannot fill it in. */
function shapeOf(node: JsonObject): Shape | null {
  const ref = nameIn(node);
  if (ref !== undefined) return { is: 'part', names: [ref], orText: false };
  const choices = objectsOf(node, 'anyOf');
  const names = choices.flatMap((choice) => nameIn(choice) ?? []);
  if (names.length > 0)
    return { is: 'part', names, orText: choices.some((choice) => isString(choice['type']) && !('format' in choice)) };
  switch (node['type']) {
    case 'array': {
      const of = shapeOf(objectOf(node, 'items') ?? {});
      return of === null ? null : { is: 'many', of };
    }
    case 'object':
      return shapeOfObject(node);
    case 'boolean':
      return { is: 'flag' };
    case 'integer':
    case 'number':
      return { is: 'number' };
    case 'string':
      return shapeOfText(node);
    default:
      return null;
  }
}

function shapeOfObject(node: JsonObject): Shape | null {
  const fields = fieldsIn(node);
  const ref = objectOf(objectOf(node, 'properties'), 'ref');
  if (ref !== undefined)
    return { is: 'link', to: textsOf(ref, 'x-refers-to'), own: fields.filter(({ name }) => name !== 'ref') };
  return fields.length === 0 ? null : { is: 'inline', fields };
}

// From here on people write sentences.
const longFrom = 1000;

function shapeOfText(node: JsonObject): Shape {
  const list = textOf(node, 'dynamic_enum');
  if (list !== undefined) return { is: 'controlled', list };
  const values = textsOf(node, 'enum');
  if (values.length > 0) return { is: 'choice', values };
  const to = textsOf(node, 'x-refers-to');
  if (to.length > 0) return { is: 'uri', to };
  return { is: 'text', isLong: Number(node['maxLength'] ?? 0) > longFrom };
}

const isString = (type: Json | undefined): boolean => type === 'string';
const nameIn = (node: JsonObject): string | undefined => textOf(node, '$ref')?.replace('/schemas/', '');

/** Whether a shape is one field to fill in, and not a group of them. */
export const isPlain = (shape: Shape): boolean =>
  ['text', 'number', 'flag', 'controlled', 'choice', 'uri'].includes(shape.is);

/** What a part begins as: its type, flags that are set at first, and one of each part that it must have. */
export function emptyPart(schemas: Schemas, name: string): JsonObject {
  return { jsonmodel_type: name, ...beginningOf(schemas, fieldsOf(schemas, name)) };
}

/** What fields begin as: flags that are set at first, and one empty part for each list that must have some, where one sort alone is possible. */
export function beginningOf(schemas: Schemas, fields: readonly Field[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, shape, isRequired, isSetAtFirst }): readonly (readonly [string, Json])[] => {
      if (isSetAtFirst) return [[name, true]];
      const of = shape.is === 'many' ? shape.of : shape;
      if (!isRequired || of.is !== 'part' || of.names.length !== 1) return [];
      const part = emptyPart(schemas, of.names[0] ?? '');
      return [[name, shape.is === 'many' ? [part] : part]];
    }),
  );
}
