// The JSON Schemas of all records and sub-records, for the OpenAPI document.
import type { JsonObject } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { Webhook } from '#domain/requests/webhook.ts';
import { toJsonSchema } from '#domain/schema/json-schema.ts';
import { historyEntrySchema } from '../record-routes/history.ts';

/** Components by name, of every kind and of everything a kind can hold; and of what is beside records. */
export function recordSchemas(): { readonly [name: string]: JsonObject } {
  return Object.assign({}, ...[...kinds.values()].map((kind) => toJsonSchema(kind.schema)), toJsonSchema(Webhook), {
    history_entry: historyEntrySchema,
  });
}
