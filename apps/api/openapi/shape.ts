// What a reply or a body holds, as a JSON Schema that carries the components it refers to: routes declare shapes where they declare the rest, and
// the document (document.ts) gathers the components from them.
import type { Json, JsonObject } from '#domain/json.ts';
import { componentRef } from '#domain/schema/json-schema.ts';

/** JSON Schemas by name, as they stand under `components.schemas`. */
export type Components = { readonly [name: string]: JsonObject };

/** The JSON Schema of a value. Records need no components: those of all kinds are in every document. */
export type Shape = { readonly schema: JsonObject; readonly components: Components };

type Shapes = { readonly [property: string]: Shape };

const of = (schema: JsonObject, parts: readonly Shape[] = []): Shape => ({
  schema,
  components: Object.assign({}, ...parts.map((part) => part.components)),
});

/** The same with a sentence that says what it is. */
const says = (shape: Shape, description: string): Shape => ({ ...shape, schema: { ...shape.schema, description } });

const properties = (shapes: Shapes): JsonObject =>
  Object.fromEntries(Object.entries(shapes).map(([name, { schema }]) => [name, schema]));

/** An object: properties that are always there, and those that may be left out. */
const object = (always: Shapes, sometimes: Shapes = {}): Shape =>
  of(
    {
      type: 'object',
      properties: { ...properties(always), ...properties(sometimes) },
      ...(Object.keys(always).length === 0 ? {} : { required: Object.keys(always) }),
    },
    [...Object.values(always), ...Object.values(sometimes)],
  );

const list = (item: Shape): Shape => of({ type: 'array', items: item.schema }, [item]);

const anyOf = (...choices: readonly Shape[]): Shape => of({ anyOf: choices.map(({ schema }) => schema) }, choices);

const nullSchema: JsonObject = { type: 'null' };

/** The same, or null. */
const nullable = (shape: Shape): Shape => {
  const { type } = shape.schema;
  return typeof type === 'string' && shape.schema['enum'] === undefined
    ? { ...shape, schema: { ...shape.schema, type: [type, 'null'] } }
    : of({ anyOf: [shape.schema, nullSchema] }, [shape]);
};

/** A component of its own, which clients get as a type of that name. */
const named = (name: string, shape: Shape): Shape => ({
  schema: componentRef(name),
  components: { ...shape.components, [name]: { title: name, ...shape.schema } },
});

/** A record or sub-record of a schema, by its `jsonmodel_type`. */
const record = (name: string): Shape => of(componentRef(name));

/** The wrapper of a page (contract 4.2); of a component it is a component too, `<name>_page`. */
const page = (item: Shape): Shape => {
  const wrapper = object({
    first_page: of({ type: 'integer', const: 1 }),
    last_page: of({ type: 'integer', minimum: 1 }),
    this_page: of({ type: 'integer', minimum: 1 }),
    total: of({ type: 'integer', minimum: 0 }),
    results: list(item),
  });
  const name = /^#\/components\/schemas\/(.*)$/.exec(String(item.schema['$ref'] ?? ''))?.[1];
  return name === undefined ? wrapper : named(`${name}_page`, wrapper);
};

/** What a list of records answers: a page, the records of an id set, or all ids. */
const listing = (item: Shape): Shape => anyOf(page(item), list(item), list(of({ type: 'integer' })));

/** The ways to say what a value is. */
export const shape = {
  text: of({ type: 'string' }),
  integer: of({ type: 'integer' }),
  number: of({ type: 'number' }),
  boolean: of({ type: 'boolean' }),
  time: of({ type: 'string', format: 'date-time' }),
  uri: of({ type: 'string', format: 'uri-reference' }),
  anything: of({}),
  /** An object of which nothing more can be said here. */
  anyObject: of({ type: 'object', additionalProperties: true }),
  /** One of some values. */
  oneOf: (...values: readonly Json[]): Shape => of({ enum: values }),
  /** An object whose keys are data: names, uris, ids. */
  mapOf: (value: Shape): Shape => of({ type: 'object', additionalProperties: value.schema }, [value]),
  /** A JSON Schema as it is. */
  schema: (schema: JsonObject): Shape => of(schema),
  says,
  object,
  list,
  anyOf,
  nullable,
  named,
  record,
  page,
  listing,
};
