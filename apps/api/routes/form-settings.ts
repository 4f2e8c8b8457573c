// Default values and required fields of a repository's forms, by record type (contract 6.14). Clients apply them.
import { shape } from '../openapi/shape.ts';
import { formRecordTypes } from '#domain/requests/settings.ts';
import type { FormSettingKind } from '#store/settings/form-settings.ts';
import { readFormSetting, writeFormSetting } from '#store/settings/form-settings.ts';
import { recordBody } from '../request/body.ts';
import { repositoryId, text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const words = { default_values: 'default values', required_fields: 'required fields' } as const;
const operations = { default_values: 'DefaultValues', required_fields: 'RequiredFields' } as const;

/** Bodies that are accepted as they stand. */
const examples = {
  default_values: { record_type: 'accession', defaults: { title: 'Untitled' }, lock_version: 0 },
  required_fields: {
    record_type: 'accession',
    subrecord_requirements: [{ record_type: 'extent', property: 'extents', required: true, required_fields: [] }],
    lock_version: 0,
  },
} as const;

const recordType = text({
  example: 'accession',
  doc: 'The kind of record.',
});
const knownRecordType = text({
  example: 'accession',
  doc: 'The kind of record.',
  check: (value) => (formRecordTypes.includes(value) ? null : `Must be one of ${formRecordTypes.join(', ')}`),
});

const readRoute = (kind: FormSettingKind): Route =>
  defineRoute({
    method: 'GET',
    path: `/repositories/:repo_id/${kind}/:record_type`,
    operation: `get${operations[kind]}`,
    area: 'repository settings',
    summary: `Read ${words[kind]}`,
    access: { all: ['view_repository'] },
    parameters: { repo_id: repositoryId(), record_type: recordType },
    replies: { 200: { says: 'The settings.', shape: shape.record(kind) }, 404: 'None are set.' },
    handler: ({ params, services }) =>
      readFormSetting(services.database.reader, { kind, repoId: params.repo_id, recordType: params.record_type }),
  });

const writeRoute = (kind: FormSettingKind): Route =>
  defineRoute({
    method: 'POST',
    path: `/repositories/:repo_id/${kind}/:record_type`,
    operation: `set${operations[kind]}`,
    area: 'repository settings',
    summary: `Set ${words[kind]}`,
    access: { all: ['manage_repository'] },
    parameters: { repo_id: repositoryId(), record_type: knownRecordType },
    body: recordBody(kind, 'update', { example: examples[kind] }),
    replies: {
      200: {
        says: 'Created or replaced; the id is "<repository>_<record type>".',
        shape: shape.object({
          status: shape.oneOf('Updated'),
          id: shape.text,
          lock_version: shape.integer,
          stale: shape.schema({ type: 'null' }),
        }),
      },
      409: 'Another update came first.',
    },
    handler: async ({ params, body, services, caller }) => {
      const which = { kind, repoId: params.repo_id, recordType: params.record_type };
      // The address says what the settings are for.
      const given = { ...body.record, record_type: params.record_type };
      const lockVersion = await services.database.transaction((tx) =>
        writeFormSetting(tx, which, given, body.lockVersion, caller.username),
      );
      return {
        status: 'Updated',
        id: `${params.repo_id}_${params.record_type}`,
        lock_version: lockVersion,
        stale: null,
      };
    },
  });

/** The routes of this file. */
export const formSettingRoutes: readonly Route[] = (['default_values', 'required_fields'] as const).flatMap((kind) => [
  readRoute(kind),
  writeRoute(kind),
]);
