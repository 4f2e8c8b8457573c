// The OpenAPI document of the whole service as either release has it, without a database: what judges and generators are given.
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
