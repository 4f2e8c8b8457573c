// Default values and required fields of a repository's forms, by record type (contract 6.14). Clients apply them.
import { formRecordTypes } from '#domain/requests/settings.ts';
import type { FormSettingKind } from '#store/settings/form-settings.ts';
import { readFormSetting, writeFormSetting } from '#store/settings/form-settings.ts';
import { recordBody } from '../request/body.ts';
import { repositoryId, text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const words = { default_values: 'default values', required_fields: 'required fields' } as const;
const recordType = text({ doc: 'The kind of record.' });
const knownRecordType = text({
  doc: 'The kind of record.',
  check: (value) => (formRecordTypes.includes(value) ? null : `Must be one of ${formRecordTypes.join(', ')}`),
});

const readRoute = (kind: FormSettingKind): Route =>
  defineRoute({
    method: 'GET',
    path: `/repositories/:repo_id/${kind}/:record_type`,
    area: 'repository settings',
    summary: `Read ${words[kind]}`,
    access: { all: ['view_repository'] },
    parameters: { repo_id: repositoryId(), record_type: recordType },
    replies: { 200: 'The settings.', 404: 'None are set.' },
    handler: ({ params, services }) =>
      readFormSetting(services.database.reader, { kind, repoId: params.repo_id, recordType: params.record_type }),
  });

const writeRoute = (kind: FormSettingKind): Route =>
  defineRoute({
    method: 'POST',
    path: `/repositories/:repo_id/${kind}/:record_type`,
    area: 'repository settings',
    summary: `Set ${words[kind]}`,
    access: { all: ['manage_repository'] },
    parameters: { repo_id: repositoryId(), record_type: knownRecordType },
    body: recordBody(kind, 'update'),
    replies: {
      200: { says: 'Created or replaced; the id is "<repository>_<record type>".', schema: 'updated_short' },
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
