// A schema as a list of properties; what they hold is shown when it is opened, however deep schemas nest themselves.
import { disclosure, element, inline } from './elements.mjs';
/** @import { Schema } from './document.ts' */

/** @typedef {{ readonly [name: string]: Schema }} Schemas */

/**
 * What a schema holds.
 * @param {Schema} schema
 * @param {Schemas} schemas the components of the section
 * @returns {HTMLElement}
 */
export function schemaView(schema, schemas) {
  const target = resolved(schema, schemas);
  const parts = holders(target, schemas).map((part) => propertiesView(part, schemas));
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  return element('div', {}, element('p', {}, typeName(target)), ...parts);
}

/**
 * @param {Schema} schema
 * @param {Schemas} schemas
 * @returns {Schema}
 */
function resolved(schema, schemas) {
  if (schema.$ref === undefined) return schema;
  return schemas[nameOf(schema.$ref)] ?? schema;
}

/** @param {string} ref */
const nameOf = (ref) => ref.split('/').at(-1) ?? '';

/**
 * The schemas with properties that a value of this one may be or hold.
 * @param {Schema} schema
 * @param {Schemas} schemas
 * @returns {readonly Schema[]}
 */
function holders(schema, schemas) {
  const target = resolved(schema, schemas);
  if (target.items !== undefined) return holders(target.items, schemas);
  const parts = [...(target.allOf ?? []), ...(target.anyOf ?? []), ...(target.oneOf ?? [])];
  const own = target.properties === undefined ? [] : [target];
  return [...own, ...parts.flatMap((part) => holders(part, schemas))];
}

/**
 * @param {Schema} schema
 * @param {Schemas} schemas
 */
function propertiesView(schema, schemas) {
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isNeeded = schema.required?.includes(name) ?? false;
    const text = property.description ?? resolved(property, schemas).description ?? '';
    const line = [
      element('code', {}, name),
      element('span', { class: 'type' }, ` ${typeName(property)}${isNeeded ? ', needed' : ''} `),
      ...inline(text),
    ];
    const isDeep = holders(property, schemas).length > 0;
    return element('li', {}, ...(isDeep ? [disclosure({}, line, () => [schemaView(property, schemas)])] : line));
  });
  const title = schema.title === undefined ? [] : [element('p', { class: 'note' }, schema.title)];
  return element('div', {}, ...title, element('ul', { class: 'schema' }, ...rows));
}

/**
 * What a value is, in a few words.
 * @param {Schema} schema
 * @returns {string}
 */
function typeName(schema) {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeName))].join(' or ');
  if (schema.items !== undefined) return `list of ${typeName(schema.items)}`;
  const type = typeof schema.type === 'string' ? schema.type : (schema.type ?? []).join(' or ');
  const name = type === '' ? (schema.title ?? 'anything') : type;
  return schema.format === undefined ? name : `${name} (${schema.format})`;
}
