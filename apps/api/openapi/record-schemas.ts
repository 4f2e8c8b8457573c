// The JSON Schemas of all records, sub-records and bodies of requests, for the OpenAPI document.
import type { JsonObject } from '#domain/json.ts';
import { objectOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { kinds } from '#domain/kinds/index.ts';
import { mergeSchemas } from '#domain/requests/merge-request.ts';
import { requestSchemas } from '#domain/requests/registry.ts';
import { linkTo, toReplySchema } from '#domain/schema/json-schema.ts';
import { versionName } from './shapes/history.ts';
import type { Components } from './shape.ts';

/** Components by name, of every kind, of everything a kind can hold, and of what is beside records. */
export function recordSchemas(): Components {
  const requests = [...requestSchemas].flatMap(([name, schema]) => (mergeSchemas.has(name) ? [] : [schema]));
  const schemas = [...[...kinds.values()].map((kind) => kind.schema), ...requests];
  const components: Components = Object.assign(
    {},
    ...schemas.map((schema) => toReplySchema(schema, new Set(kinds.keys()))),
  );
  return { ...components, ...Object.assign({}, ...[...kinds.values()].map((kind) => shownOf(kind, components))) };
}

/** A kind with what the machinery shows in its records; and as its history has it, where that is less. */
function shownOf(kind: Kind, components: Components): Components {
  const component = components[kind.name] ?? {};
  const whole: JsonObject = {
    ...component,
    properties: {
      ...(kind.labelProperty === null ? {} : { [kind.labelProperty]: { type: 'string', readOnly: true } }),
      ...objectOf(component, 'properties'),
      ...(kind.scope === 'repository' ? { repository: linkTo(['repository']) } : {}),
    },
  };
  if (kind.tree === undefined) return { [kind.name]: whole };
  // The place in a tree is kept outside bodies, so that old versions do not have it.
  const { required: _, ...version } = whole;
  return { [kind.name]: whole, [versionName(kind)]: { ...version, title: versionName(kind) } };
}
