// Request bodies of the document, each with an example that is accepted as it stands (test/contract/openapi/examples.test.ts).
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { componentRef } from '#domain/schema/json-schema.ts';
import { bodyExample } from './examples.ts';
import { exampleOf, fieldSchema, formFields, noteOf, wireName } from './parameters.ts';
import type { Body } from '../request/body.ts';
import type { Method, Route } from '../route.ts';

/** The request body of a route; undefined where it has none. */
export function toRequestBody(route: Route, method: Method): JsonObject | undefined {
  const { body } = route;
  const fields = formFields(route, method);
  if (body === undefined) {
    if (fields.length === 0) return undefined;
    return { required: true, content: { 'application/x-www-form-urlencoded': formContent(fields, {}) } };
  }
  const example = bodyExample(body);
  return {
    ...(body.doc === undefined ? {} : { description: body.doc }),
    required: body.optional !== true,
    content:
      body.form === 'multipart'
        ? { 'multipart/form-data': formContent(fields, { 'files[]': { type: 'array', items: fileSchema } }) }
        : { [mediaTypeOf(body)]: { schema: schemaOf(body), ...(example === undefined ? {} : { example }) } },
  };
}

const fileSchema: JsonObject = { type: 'string', format: 'binary' };

/** A form: its fields, and lists of files by name. */
function formContent(
  fields: ReturnType<typeof formFields>,
  files: { readonly [name: string]: JsonObject },
): JsonObject {
  const properties = fields.map((field): readonly [string, JsonObject] => {
    const note = noteOf(field[1]);
    // With files there is no example of the whole: each field brings its own.
    const own = Object.keys(files).length === 0 ? undefined : exampleOf(field);
    return [
      wireName(field),
      {
        ...fieldSchema(field[1]),
        ...(note === '' ? {} : { description: note }),
        ...(own === undefined ? {} : { examples: [isObject(own) ? JSON.stringify(own) : own] }),
      },
    ];
  });
  const required = [...fields.filter(([, { optional }]) => !optional).map(wireName), ...Object.keys(files)];
  const example = fields.flatMap((field): (readonly [string, Json])[] => {
    const value = exampleOf(field);
    return value === undefined ? [] : [[wireName(field), value]];
  });
  return {
    schema: {
      type: 'object',
      properties: { ...Object.fromEntries(properties), ...files },
      ...(required.length === 0 ? {} : { required }),
    },
    ...(Object.keys(files).length > 0 || example.length === 0 ? {} : { example: Object.fromEntries(example) }),
  };
}

/** The media type that a body is described with. */
export function mediaTypeOf(body: Body<unknown>): string {
  if (body.mediaType !== undefined) return body.mediaType;
  if (body.form === 'stream') return 'application/octet-stream';
  return body.form === 'text' ? 'text/plain' : 'application/json';
}

function schemaOf(body: Body<unknown>): JsonObject {
  if (body.shape !== undefined) return body.shape.schema;
  if (body.schema !== undefined) return componentRef(body.schema);
  if (body.form === 'stream') return fileSchema;
  if (body.form === 'text') return { type: 'string' };
  return body.form === 'array' ? { type: 'array', items: {} } : { type: 'object', additionalProperties: true };
}
