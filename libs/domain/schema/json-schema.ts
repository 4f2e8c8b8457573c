// Schemas as JSON Schema 2020-12, the form OpenAPI 3.1 describes bodies in. One component per schema name.
// Names of controlled lists and of kinds that refs may have go into `x-` keywords: their values are data, not schema.
import type { JsonObject } from '../json.ts';
import type { Properties, Property, RefProperty, Schema, TextProperty } from './property.ts';

/** Components by name, as they stand under `components.schemas` of an OpenAPI document. */
export type JsonSchemaComponents = { readonly [name: string]: JsonObject };

/** The component of a schema and of every schema it can hold, by name. */
export function toJsonSchema(schema: Schema): JsonSchemaComponents {
  const components: { [name: string]: JsonObject } = {};
  addComponent(schema, components);
  return components;
}

/** The reference to a component from anywhere in the document. */
export function componentRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function addComponent(schema: Schema, components: { [name: string]: JsonObject }): void {
  if (components[schema.name] !== undefined) return;
  // Schemas may nest themselves: the place is taken before its parts are looked at.
  components[schema.name] = {};
  components[schema.name] = {
    type: 'object',
    title: schema.name,
    properties: {
      jsonmodel_type: { type: 'string', const: schema.name },
      ...propertiesOf(schema.properties, components),
      ...(schema.audited === true ? auditOf(schema) : {}),
    },
    ...requiredOf(schema.properties),
  };
}

function auditOf(schema: Schema): JsonObject {
  const time: JsonObject = { type: 'string', format: 'date-time', readOnly: true };
  const person: JsonObject = { type: 'string', readOnly: true };
  const version: JsonObject = schema.lockVersioned === false ? {} : { lock_version: { type: ['integer', 'string'] } };
  return {
    ...version,
    created_by: person,
    last_modified_by: person,
    create_time: time,
    system_mtime: time,
    user_mtime: time,
  };
}

function propertiesOf(properties: Properties, components: { [name: string]: JsonObject }): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, propertyOf(property, components)]),
  );
}

function requiredOf(properties: Properties): JsonObject {
  const required = Object.entries(properties).flatMap(([name, property]) =>
    property.required === 'error' && property.readonly !== true ? [name] : [],
  );
  return required.length === 0 ? {} : { required };
}

function propertyOf(property: Property, components: { [name: string]: JsonObject }): JsonObject {
  return {
    ...typeOf(property, components),
    ...(property.readonly === true ? { readOnly: true } : {}),
    ...(property.default === undefined ? {} : { default: property.default }),
    ...(property.release === undefined ? {} : { 'x-release': property.release }),
  };
}

function typeOf(property: Property, components: { [name: string]: JsonObject }): JsonObject {
  switch (property.type) {
    case 'string':
      return textOf(property);
    case 'integer':
    case 'number':
      return { type: property.type, ...limits({ minimum: property.minimum, maximum: property.maximum }) };
    case 'boolean':
    case 'object':
      return { type: property.type };
    case 'any':
      return {};
    case 'date':
    case 'date-time':
      return { type: 'string', format: property.type };
    case 'ref':
      return refOf(property, components);
    case 'uri':
      return uriOf(property.to);
    case 'uri_or_object': {
      const of = property.of?.();
      return of === undefined ? uriOf(property.to) : { anyOf: [uriOf(property.to), componentOf(of, components)] };
    }
    case 'sub_record':
      return oneOf(property.of().map((schema) => componentOf(schema, components)));
    case 'inline':
      return {
        type: 'object',
        properties: propertiesOf(property.properties, components),
        ...requiredOf(property.properties),
      };
    case 'list':
      return { type: 'array', items: propertyOf(property.of, components), ...limits({ minItems: property.minItems }) };
    case 'either':
      return oneOf(property.of.map((choice) => propertyOf(choice, components)));
  }
}

function textOf(property: TextProperty): JsonObject {
  return {
    type: 'string',
    ...limits({ minLength: property.minLength, maxLength: property.maxLength }),
    ...(property.pattern === undefined ? {} : { pattern: property.pattern.replace('\\A', '^').replace('\\z', '$') }),
    ...(property.values === undefined ? {} : { enum: property.values }),
    ...(property.enumeration === undefined ? {} : { 'x-enumeration': property.enumeration }),
  };
}

function refOf(property: RefProperty, components: { [name: string]: JsonObject }): JsonObject {
  const own = property.properties ?? {};
  const required = requiredOf(own)['required'];
  return {
    type: 'object',
    properties: {
      ref: uriOf(property.to),
      ...propertiesOf(own, components),
      _resolved: { type: 'object', readOnly: true },
    },
    required: ['ref', ...(Array.isArray(required) ? required : [])],
  };
}

const uriOf = (kinds: readonly string[]): JsonObject => ({
  type: 'string',
  format: 'uri-reference',
  'x-refers-to': kinds,
});

const oneOf = (choices: readonly JsonObject[]): JsonObject =>
  choices.length === 1 ? (choices[0] ?? {}) : { anyOf: choices };

const limits = (given: { readonly [keyword: string]: number | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined));

function componentOf(schema: Schema, components: { [name: string]: JsonObject }): JsonObject {
  addComponent(schema, components);
  return componentRef(schema.name);
}
