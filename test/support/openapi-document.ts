// The OpenAPI document of the whole service as either release has it, without a database: what judges and generators are given.
import { isDeepStrictEqual } from 'node:util';
import { readConfig } from '#domain/config.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf } from '#domain/json.ts';
import { allRoutes } from '../../apps/api/all-routes.ts';
import { toOpenApi } from '../../apps/api/openapi/document.ts';
import { recordSchemas } from '../../apps/api/openapi/record-schemas.ts';
import { withoutRepeats } from '../../apps/api/route.ts';

/** The document of a release. */
export const documentOf = (release: 'R-A' | 'R-B'): JsonObject =>
  toOpenApi(withoutRepeats(allRoutes()), readConfig({ MUNIMENT_RELEASE: release }), recordSchemas());

/** An operation with its address. */
export type Operation = { readonly path: string; readonly method: string; readonly operation: JsonObject };

/** All operations of a document. */
export const operationsOf = (document: JsonObject): readonly Operation[] =>
  Object.entries(objectOf(document, 'paths') ?? {}).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: isObject(operation) ? operation : {},
    })),
  );

/**
 * A document with those paths alone that another one has otherwise, and the components that they name. Fails where the two differ in anything else that
 * a judge or a generator looks at.
 */
export function differingPart(document: JsonObject, other: JsonObject): JsonObject {
  const rest = ({ info: _info, paths: _paths, ...same }: JsonObject): JsonObject => same;
  if (!isDeepStrictEqual(rest(document), rest(other)))
    throw new Error('The documents of the releases differ in more than their paths.');
  const paths = Object.fromEntries(
    Object.entries(objectOf(document, 'paths') ?? {}).filter(
      ([path, item]) => !isDeepStrictEqual(item, objectOf(other, 'paths')?.[path]),
    ),
  );
  const components = objectOf(document, 'components') ?? {};
  const named = new Set<string>();
  const name = (value: unknown): void => {
    for (const [, sort = '', key = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (named.has(`${sort}/${key}`)) continue;
      named.add(`${sort}/${key}`);
      name(objectOf(components, sort)?.[key] ?? null);
    }
  };
  name(paths);
  const kept = Object.entries(components).map(([sort, all]): [string, JsonObject] => [
    sort,
    Object.fromEntries(
      Object.entries(isObject(all) ? all : {}).filter(
        ([key]) => sort === 'securitySchemes' || named.has(`${sort}/${key}`),
      ),
    ),
  ]);
  return { ...document, paths, components: Object.fromEntries(kept) };
}
