// The JSON Schemas of all records and sub-records, for the OpenAPI document.
import type { JsonObject } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { toJsonSchema } from '#domain/rules/json-schema.ts';

/** Components by name, of every kind and of everything a kind can hold. */
export function recordSchemas(): { readonly [name: string]: JsonObject } {
  return Object.assign({}, ...[...kinds.values()].map((kind) => toJsonSchema(kind.schema)));
}
