// The OpenAPI document in parts: its contents, and for each area a document of its own with what the area's operations name. Readers of
// /docs get the contents, and a section when they open it; generators may take the part that they need.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsIn, textOf } from '#domain/json.ts';

/** The name of an area in addresses: 'top containers' is 'top-containers'. */
export const slugOf = (area: string): string => area.toLowerCase().replaceAll(' ', '-');

type Operation = { readonly path: string; readonly method: string; readonly operation: JsonObject };

/** All operations of a document, in its order. */
function operationsOf(document: JsonObject): readonly Operation[] {
  return Object.entries(objectOf(document, 'paths') ?? {}).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) =>
      isObject(operation) ? [{ path, method, operation }] : [],
    ),
  );
}

const tagsOf = (document: JsonObject): readonly JsonObject[] => {
  const { tags } = document;
  return objectsIn(tags);
};

const isOf = (area: string, { operation: { tags } }: Operation): boolean => Array.isArray(tags) && tags[0] === area;

/** What a document holds: the version, the session header, and under `areas` every operation by method, path, summary and name. */
export function toContents(document: JsonObject): JsonObject {
  const operations = operationsOf(document);
  const areas = tagsOf(document)
    .map((tag) => ({ name: textOf(tag, 'name') ?? '', text: textOf(tag, 'description') ?? '' }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, text }) => ({
      name,
      slug: slugOf(name),
      text,
      operations: operations
        .filter((each) => isOf(name, each))
        .map(({ path, method, operation }) => ({
          id: operation['operationId'] ?? '',
          method: method.toUpperCase(),
          path,
          summary: operation['summary'] ?? '',
          deprecated: operation['deprecated'] === true,
        })),
    }));
  const schemes = objectOf(objectOf(document, 'components'), 'securitySchemes');
  return {
    version: textOf(objectOf(document, 'info'), 'version') ?? '',
    header: textOf(objectOf(schemes, 'session'), 'name') ?? '',
    areas,
  };
}

/** The section of an area, itself a whole document; undefined where no area has this name in addresses. */
export function toSection(document: JsonObject, slug: string): JsonObject | undefined {
  const tag = tagsOf(document).find((each) => slugOf(textOf(each, 'name') ?? '') === slug);
  if (tag === undefined) return undefined;
  const area = textOf(tag, 'name') ?? '';
  const paths: { [path: string]: JsonObject } = {};
  for (const each of operationsOf(document))
    if (isOf(area, each)) paths[each.path] = { ...paths[each.path], [each.method]: each.operation };
  const components = objectOf(document, 'components') ?? {};
  return {
    ...document,
    info: { ...objectOf(document, 'info'), title: `Muniment: ${area}` },
    tags: [tag],
    paths,
    components: {
      securitySchemes: components['securitySchemes'] ?? {},
      schemas: {},
      responses: {},
      ...componentsNamed(paths, components),
    },
  };
}

/** The components that a value names, and those that these name in turn. */
function componentsNamed(value: Json, components: JsonObject): JsonObject {
  const found: { [group: string]: { [name: string]: Json } } = {};
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [, group = '', name = ''] of JSON.stringify(next).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      const component = objectOf(components, group)?.[name];
      if (component === undefined || found[group]?.[name] !== undefined) continue;
      (found[group] ??= {})[name] = component;
      pending.push(component);
    }
  }
  return found;
}
