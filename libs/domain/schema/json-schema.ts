// Schemas as JSON Schema 2020-12, the form OpenAPI 3.1 describes bodies in. One component per schema name.
// Names of controlled lists and of kinds that refs may have go into `x-` keywords: their values are data, not schema.
import type { JsonObject } from '../json.ts';
import type { Properties, Property, RefProperty, Schema, TextProperty } from './property.ts';

/** Components by name, as they stand under `components.schemas` of an OpenAPI document. */
export type JsonSchemaComponents = { readonly [name: string]: JsonObject };

/** What is being made: the components so far, and the kinds that refs may show under `_resolved`; null where replies are not described. */
type Making = { readonly components: { [name: string]: JsonObject }; readonly shown: ReadonlySet<string> | null };

/** The component of a schema and of every schema it can hold, by name. */
export const toJsonSchema = (schema: Schema): JsonSchemaComponents => componentsOf(schema, null);

/**
 * The same with what replies show beyond it: where a part is, and under `_resolved` the records that refs name, of those `kinds` that are
 * components somewhere.
 */
export const toReplySchema = (schema: Schema, kinds: ReadonlySet<string>): JsonSchemaComponents =>
  componentsOf(schema, kinds);

function componentsOf(schema: Schema, shown: Making['shown']): JsonSchemaComponents {
  const making: Making = { components: {}, shown };
  addComponent(schema, making);
  return making.components;
}

/** The reference to a component from anywhere in the document. */
export function componentRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function addComponent(schema: Schema, making: Making): void {
  const { components } = making;
  if (components[schema.name] !== undefined) return;
  // Schemas may nest themselves: the place is taken before its parts are looked at.
  components[schema.name] = {};
  components[schema.name] = {
    type: 'object',
    title: schema.name,
    properties: {
      jsonmodel_type: { type: 'string', const: schema.name },
      ...propertiesOf(schema.properties, making),
      ...(schema.audited === true ? auditOf(schema) : {}),
      ...(making.shown === null ? {} : shownOf(schema)),
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

/** What replies show in an object of its record (libs/domain/schema/property.ts). */
function shownOf(schema: Schema): JsonObject {
  const entries = (schema.shows ?? []).map((shown): readonly [string, JsonObject] => {
    if (shown === 'repository') return ['repository', linkTo(['repository'])];
    return shown === 'parent' ? ['parent', linkTo([])] : [shown.property, { type: 'string', readOnly: true }];
  });
  const times = schema.linkTimes === true ? { system_mtime: { type: 'string' }, user_mtime: { type: 'string' } } : {};
  return { ...times, ...Object.fromEntries(entries) };
}

/** A read-only ref to a record of one of some kinds, or of any. */
export const linkTo = (kinds: readonly string[]): JsonObject => ({
  type: 'object',
  readOnly: true,
  properties: { ref: uriOf(kinds), _resolved: resolvedOf(kinds) },
  required: ['ref'],
});

/** What `resolve` embeds for a ref. */
const resolvedOf = (kinds: readonly string[]): JsonObject => ({
  readOnly: true,
  ...(kinds.length === 0 ? { type: 'object' } : oneOf(kinds.map(componentRef))),
});

function propertiesOf(properties: Properties, making: Making): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, propertyOf(property, making)]));
}

function requiredOf(properties: Properties): JsonObject {
  const required = Object.entries(properties).flatMap(([name, property]) =>
    property.required === 'error' && property.readonly !== true ? [name] : [],
  );
  return required.length === 0 ? {} : { required };
}

function propertyOf(property: Property, making: Making): JsonObject {
  return {
    ...typeOf(property, making),
    ...(property.readonly === true ? { readOnly: true } : {}),
    ...(property.default === undefined ? {} : { default: property.default }),
    ...(property.release === undefined ? {} : { 'x-release': property.release }),
  };
}

function typeOf(property: Property, making: Making): JsonObject {
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
      // Times that clients send are shown as they were sent, in any form that is one.
      return making.shown !== null && property.readonly !== true
        ? { type: 'string' }
        : { type: 'string', format: property.type };
    case 'ref':
      return refOf(property, making);
    case 'uri':
      return uriOf(property.to);
    case 'uri_or_object': {
      const of = property.of?.();
      return of === undefined ? uriOf(property.to) : { anyOf: [uriOf(property.to), componentOf(of, making)] };
    }
    case 'sub_record':
      return oneOf(property.of().map((schema) => componentOf(schema, making)));
    case 'inline':
      return {
        type: 'object',
        properties: propertiesOf(property.properties, making),
        ...requiredOf(property.properties),
      };
    case 'list':
      return { type: 'array', items: propertyOf(property.of, making), ...limits({ minItems: property.minItems }) };
    case 'either':
      return oneOf(property.of.map((choice) => propertyOf(choice, making)));
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

function refOf(property: RefProperty, making: Making): JsonObject {
  const own = property.properties ?? {};
  const required = requiredOf(own)['required'];
  return {
    type: 'object',
    properties: {
      ref: uriOf(property.to),
      ...propertiesOf(own, making),
      _resolved: resolvedOf(property.to.filter((kind) => making.shown?.has(kind) === true)),
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

function componentOf(schema: Schema, making: Making): JsonObject {
  addComponent(schema, making);
  return componentRef(schema.name);
}
