// The schemas that clients read (GET /schemas): one object per record type, as JSON Schema with the keywords that clients of the interface
// look for beside it (`uri`, `version`, `dynamic_enum`, `readonly`). Made from the declarations, so they are what bodies are checked by.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { kinds } from '../kinds/index.ts';
import { requestSchemas } from '../requests/registry.ts';
import { toJsonSchema } from './json-schema.ts';

/** Every schema by name: kinds, what they hold, and bodies of requests. */
export function publishedSchemas(): ReadonlyMap<string, JsonObject> {
  const all: { readonly [name: string]: JsonObject } = Object.assign(
    {},
    ...[...requestSchemas.values(), ...[...kinds.values()].map((kind) => kind.schema)].map(toJsonSchema),
  );
  return new Map(
    Object.keys(all)
      .sort()
      .map((name) => [name, published(name, all[name] ?? {})]),
  );
}

function published(name: string, schema: JsonObject): JsonObject {
  const uri = kinds.get(name)?.uri.replace(/\/:id$/, '');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/schemas/${name}`,
    version: 1,
    ...(uri === undefined ? {} : { uri }),
    ...reworded(schema),
  };
}

const component = '#/components/schemas/';

/** The schema with references between schemas as their addresses here, and the clients' keywords. */
function reworded(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([keyword, value]): (readonly [string, Json | undefined])[] => {
    if (keyword === '$ref' && typeof value === 'string') return [[keyword, value.replace(component, '/schemas/')]];
    if (keyword === 'x-enumeration') return [['dynamic_enum', value]];
    if (keyword === 'readOnly')
      return [
        [keyword, value],
        ['readonly', value],
      ];
    return [[keyword, value === undefined ? undefined : deep(value)]];
  });
  return Object.fromEntries(entries);
}

function deep(value: Json): Json {
  if (Array.isArray(value)) return value.map(deep);
  return isObject(value) ? reworded(value) : value;
}
