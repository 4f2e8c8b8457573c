// The ARKs of resources and archival objects, for those who move them from another system (contract 6.15).
import { shape } from '../openapi/shape.ts';
import { done } from '../openapi/shapes/envelopes.ts';
import { operationName } from '../record-routes/names.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { kinds } from '#domain/kinds/index.ts';
import { namingFrom } from '#domain/identifiers/naming.ts';
import { readArkName, replaceArkName } from '#store/identifiers/arks.ts';
import { recordBody } from '../request/body.ts';
import { id, repositoryId } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const parameters = { repo_id: repositoryId(), id: id() };
const access = { all: ['administer_system'] } as const;
const area = 'ark names';
const example: JsonObject = { previous: [], current: 'ark:/12345/abc', current_is_external: true };

const arkNames = shape.nullable(shape.record('ark_name'));

const read = (kind: Kind, path: string): Route =>
  defineRoute({
    method: 'GET',
    path,
    operation: `get${operationName(kind)}ArkName`,
    area,
    summary: 'Read the ARKs of a record',
    access,
    parameters,
    replies: {
      200: { says: 'The names, or null where there are none.', shape: arkNames, example },
      404: 'No such record.',
    },
    handler: ({ params, services }) =>
      readArkName(services.database.reader, { kind: kind.name, id: params.id, repoId: params.repo_id }),
  });

const replace = (kind: Kind, path: string): Route =>
  defineRoute({
    method: 'POST',
    path,
    operation: `replace${operationName(kind)}ArkName`,
    area,
    summary: 'Replace the ARKs of a record',
    doc: '`current` is kept as external where it is flagged so or is none of ours; of `previous` our own forms are kept.',
    access,
    parameters,
    body: recordBody('ark_name', 'update', {
      example: { ...example, current: `ark:/12345/${kind.plural.replace('_', '')}` },
    }),
    replies: {
      200: { says: 'Replaced.', shape: done('Updated') },
      400: 'Another record has one of the names.',
      404: 'No such record.',
    },
    handler: async ({ params, services, body, caller }) => {
      const owner = { kind: kind.name, id: params.id, repoId: params.repo_id };
      await services.database.transaction((tx) =>
        replaceArkName(tx, owner, body.record, namingFrom(services.config).arks, caller.username),
      );
      return { status: 'Updated' };
    },
  });

/** The routes of this file. */
export const arkNameRoutes: readonly Route[] = [...kinds.values()]
  .filter((kind) => kind.properties['ark_name'] !== undefined)
  .flatMap((kind) => [read(kind, `${kind.uri}/ark_name`), replace(kind, `${kind.uri}/ark_name`)]);
