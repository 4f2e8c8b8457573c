// One field for each parameter. What is typed is sent as it is: the service says what is wrong with it.
import { element, inline } from './elements.mjs';
/** @import { Parameter, Schema } from './document.ts' */

/** @typedef {{ readonly parameter: Parameter, readonly row: HTMLElement, readonly values: () => readonly string[] }} Field */

// The repository is mostly the same from one request to the next.
/** @type {Map<string, string>} */
const lastTyped = new Map();

/**
 * A labelled field. It gives no value where it is empty, and one for each line where the parameter is a list.
 * @param {string} operationId
 * @param {Parameter} parameter
 * @returns {Field}
 */
export function makeField(operationId, parameter) {
  const { name, required, schema, description = '' } = parameter;
  const id = `${operationId}.${parameter.in}.${name}`;
  const input = makeInput(id, parameter);
  const note = [description, schema.type === 'array' ? 'One value a line.' : '']
    .filter((text) => text !== '')
    .join(' ');
  if (note !== '') input.setAttribute('aria-describedby', `${id}.note`);
  if (name === 'repo_id') input.addEventListener('change', () => lastTyped.set(name, input.value));
  const row = element(
    'div',
    { class: 'field' },
    element('label', { for: id }, name, ...(required ? [element('span', { class: 'needed' }, ' needed')] : [])),
    input,
    element('span', { id: `${id}.note`, class: 'note' }, ...inline(note)),
  );
  const values = () => {
    if (input.value === '') return [];
    return schema.type === 'array' ? input.value.split('\n').filter((line) => line !== '') : [input.value];
  };
  return { parameter, row, values };
}

/**
 * @param {string} id
 * @param {Parameter} parameter
 */
function makeInput(id, parameter) {
  const { name, schema, required } = parameter;
  const given = lastTyped.get(name) ?? textOf(exampleOf(parameter), schema);
  if (schema.type === 'boolean' || schema.enum !== undefined) {
    const choices = schema.enum === undefined ? ['true', 'false'] : schema.enum.map(String);
    const options = ['', ...choices].map((choice) => element('option', { value: choice }, choice));
    const select = element('select', { id, required }, ...options);
    select.value = given;
    return select;
  }
  if (schema.type === 'array' || schema.contentMediaType !== undefined) {
    const lines = Math.min(16, Math.max(2, given.split('\n').length));
    const area = element('textarea', { id, required, rows: String(lines), spellcheck: 'false' });
    area.value = given;
    return area;
  }
  const input = element('input', {
    id,
    required,
    type: isSecret(parameter) ? 'password' : 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    inputmode: schema.type === 'integer' ? 'numeric' : undefined,
    placeholder: schema.default === undefined ? undefined : textOf(schema.default, schema),
  });
  input.value = given;
  return input;
}

/**
 * What a field holds to begin with. Lists answer one of page, id_set and all_ids: the form begins with the first page.
 * @param {Parameter} parameter
 */
function exampleOf({ name, in: place, example, schema }) {
  if (example !== undefined) return example;
  if (name === 'page' && place === 'query') return 1;
  // Of `id_set` the examples show the form only; it is optional.
  return place === 'form' ? schema.examples?.[0] : undefined;
}

/**
 * Whether a value is not for the eyes of others.
 * @param {Parameter} parameter
 */
export const isSecret = ({ name }) => /password/.test(name);

/**
 * @param {unknown} value
 * @param {Schema} schema
 */
function textOf(value, schema) {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && schema.type === 'array') return value.map(String).join('\n');
  if (schema.contentMediaType === 'application/json') return indented(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** @param {unknown} value JSON, or its text */
const indented = (value) => JSON.stringify(typeof value === 'string' ? JSON.parse(value) : value, null, 2);
