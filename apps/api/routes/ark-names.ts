// The ARKs of resources and archival objects, for those who move them from another system (contract 6.15).
import type { JsonObject } from '#domain/json.ts';
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

const read = (kind: string, path: string): Route =>
  defineRoute({
    method: 'GET',
    path,
    area,
    summary: 'Read the ARKs of a record',
    access,
    parameters,
    replies: { 200: { says: 'The names, or null where there are none.', example }, 404: 'No such record.' },
    handler: ({ params, services }) =>
      readArkName(services.database.reader, { kind, id: params.id, repoId: params.repo_id }),
  });

const replace = (kind: string, path: string): Route =>
  defineRoute({
    method: 'POST',
    path,
    area,
    summary: 'Replace the ARKs of a record',
    doc: '`current` is kept as external where it is flagged so or is none of ours; of `previous` our own forms are kept.',
    access,
    parameters,
    body: recordBody('ark_name', 'update'),
    replies: {
      200: { says: 'Replaced.', example: { status: 'Updated' } },
      400: 'Another record has one of the names.',
      404: 'No such record.',
    },
    handler: async ({ params, services, body, caller }) => {
      const owner = { kind, id: params.id, repoId: params.repo_id };
      await services.database.transaction((tx) =>
        replaceArkName(tx, owner, body.record, namingFrom(services.config).arks, caller.username),
      );
      return { status: 'Updated' };
    },
  });

/** The routes of this file. */
export const arkNameRoutes: readonly Route[] = [...kinds.values()]
  .filter((kind) => kind.properties['ark_name'] !== undefined)
  .flatMap((kind) => [read(kind.name, `${kind.uri}/ark_name`), replace(kind.name, `${kind.uri}/ark_name`)]);
