// Collection management by its own address (contract 3.2). It is part of an accession, resource or digital object, and is written with it.
import { shape } from '../openapi/shape.ts';
import { kindNamed } from '#domain/addresses.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf } from '#domain/json.ts';
import { managementProperty, ownerOfManagement } from '#domain/rules/part-uris.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { id, repositoryId, resolve } from '../request/parameters.ts';
import { jsonPieces } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Seeing } from '../record-routes/viewing.ts';
import { viewerOf, withRefsResolved } from '../record-routes/viewing.ts';

const notFound = 'CollectionManagement not found';

/** The collection management of an id as its record shows it, or undefined. */
async function managementOf(call: Seeing, managementId: number, repoId: number): Promise<JsonObject | undefined> {
  const owner = ownerOfManagement(managementId);
  if (owner === null) return undefined;
  try {
    const record: JsonObject = JSON.parse(
      (await readRecord(call.services.database.reader, kindNamed(owner.kind), owner.id, repoId, viewerOf(call))).text,
    );
    return objectOf(record, managementProperty);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The route of this file. */
export const readCollectionManagement: Route = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/collection_management/:id',
  operation: 'getCollectionManagement',
  area: 'collection management',
  summary: 'Read one collection management',
  access: { all: ['view_repository'] },
  parameters: { repo_id: repositoryId(), id: id(), resolve },
  replies: {
    200: { says: 'The sub-record, with its record as parent.', shape: shape.record('collection_management') },
    404: notFound,
  },
  handler: async (call) => {
    const found = await managementOf(call, call.params.id, call.params.repo_id);
    if (found === undefined) throw fail('not_found', notFound);
    return jsonPieces(await withRefsResolved(call, call.params.resolve, JSON.stringify(found)));
  },
});
