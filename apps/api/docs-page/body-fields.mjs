// The body of an operation as a form: an example to be edited, fields, files.
import { element, inline } from './elements.mjs';
import { isSecret, makeField } from './fields.mjs';
/** @import { Body, Media, Operation, Schema } from './document.ts' */

/** @typedef {{ readonly rows: readonly HTMLElement[], readonly body: () => Body | undefined }} BodyFields */

/**
 * The fields of an operation's body, and what they hold; null where it has none.
 * @param {Operation} operation
 * @returns {BodyFields | null}
 */
export function makeBodyFields({ operationId, requestBody }) {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined || content === undefined) return null;
  const [mediaType, media] = content;
  const intro = element('p', { class: 'note' }, ...inline(requestBody.description ?? ''), ` ${mediaType}`);
  const made = toFields(operationId, mediaType, media);
  return { rows: [intro, ...made.rows], body: made.body };
}

/**
 * @param {string} operationId
 * @param {string} mediaType
 * @param {Media} media
 * @returns {BodyFields}
 */
function toFields(operationId, mediaType, media) {
  if (mediaType === 'application/x-www-form-urlencoded' || mediaType === 'multipart/form-data')
    return formFields(operationId, mediaType, media);
  if (isFile(media.schema)) return fileField(operationId, mediaType);
  return textField(operationId, mediaType, media);
}

/** @param {Schema} schema */
const isFile = (schema) => schema.format === 'binary';

/**
 * @param {string} operationId
 * @param {string} mediaType
 * @param {Media} media
 * @returns {BodyFields}
 */
function textField(operationId, mediaType, { example }) {
  const id = `${operationId}.body`;
  const text = example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const rows = Math.min(24, Math.max(4, text.split('\n').length));
  const area = element('textarea', { id, rows: String(rows), spellcheck: 'false', class: 'body' });
  area.value = text;
  return {
    rows: [element('div', { class: 'field' }, element('label', { for: id }, 'Body'), area)],
    body: () => (area.value === '' ? undefined : { kind: 'text', mediaType, text: area.value }),
  };
}

/**
 * A body that is a file, or text that is typed in place of one.
 * @param {string} operationId
 * @param {string} mediaType
 * @returns {BodyFields}
 */
function fileField(operationId, mediaType) {
  const id = `${operationId}.file`;
  const input = element('input', { id, type: 'file' });
  const typed = textField(operationId, mediaType, { schema: {} });
  return {
    rows: [element('div', { class: 'field' }, element('label', { for: id }, 'File'), input), ...typed.rows],
    body: () => {
      const file = input.files?.[0];
      return file === undefined ? typed.body() : { kind: 'file', mediaType, file };
    },
  };
}

/**
 * @param {string} operationId
 * @param {string} mediaType
 * @param {Media} media
 * @returns {BodyFields}
 */
function formFields(operationId, mediaType, { schema, example }) {
  const examples = typeof example === 'object' && example !== null ? new Map(Object.entries(example)) : new Map();
  const properties = Object.entries(schema.properties ?? {});
  const isNeeded = (/** @type {string} */ name) => schema.required?.includes(name) ?? false;
  const fields = properties
    .filter(([, property]) => !isFile(property) && !isFile(property.items ?? {}))
    .map(([name, property]) =>
      makeField(operationId, {
        name,
        in: 'form',
        required: isNeeded(name),
        schema: property,
        ...(property.description === undefined ? {} : { description: property.description }),
        example: examples.get(name),
      }),
    );
  const inputs = properties
    .filter(([, property]) => isFile(property) || isFile(property.items ?? {}))
    .map(([name, property]) => ({
      name,
      input: element('input', {
        id: `${operationId}.form.${name}`,
        type: 'file',
        multiple: property.type === 'array',
        required: isNeeded(name),
      }),
    }));
  const pairs = () =>
    fields.flatMap(({ parameter, values }) =>
      values().map((value) => ({ name: parameter.name, value, secret: isSecret(parameter) })),
    );
  const files = () => inputs.flatMap(({ name, input }) => [...(input.files ?? [])].map((file) => ({ name, file })));
  return {
    rows: [
      ...fields.map(({ row }) => row),
      ...inputs.map(({ name, input }) =>
        element('div', { class: 'field' }, element('label', { for: input.id }, name), input),
      ),
    ],
    body: () =>
      mediaType === 'multipart/form-data'
        ? { kind: 'multipart', fields: pairs(), files: files() }
        : { kind: 'form', fields: pairs() },
  };
}
