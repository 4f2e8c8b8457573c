// The settings of the OAI provider: one record that is replaced (contract 6.17). The protocol itself is not here.
import { shape } from '../openapi/shape.ts';
import { updated } from '../openapi/shapes/envelopes.ts';
import { fail } from '#domain/errors.ts';
import { oaiConfigFaults } from '#domain/settings/oai-config.ts';
import type { JsonObject } from '#domain/json.ts';
import { readOaiConfig, updateOaiConfig } from '#store/settings/oai-config.ts';
import { recordBody } from '../request/body.ts';
import { text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { CheckedRecord, Services } from '../services.ts';

const area = 'OAI-PMH';
const access = { all: ['create_repository'] } as const;
const example = {
  oai_repository_name: 'Archives',
  oai_admin_email: 'archives@example.org',
  oai_record_prefix: 'oai:example.org',
  lock_version: 0,
};

const replies = { 200: { says: 'Updated.', shape: updated }, 400: 'A setting is missing, or the address is none.' };

async function replace({
  services,
  body,
  caller,
}: {
  readonly services: Services;
  readonly body: CheckedRecord;
  readonly caller: { readonly username: string | null };
}): Promise<JsonObject> {
  const { jsonmodel_type: _, ...settings } = body.record;
  const faults = oaiConfigFaults(settings);
  if (faults !== null) throw fail('invalid_record', faults);
  const lockVersion = await services.database.transaction((tx) => updateOaiConfig(tx, settings, caller.username));
  return { status: 'Updated', id: 1, lock_version: lockVersion, stale: null, uri: '/oai_config/1', warnings: [] };
}

const read = defineRoute({
  method: 'GET',
  path: '/oai_config',
  operation: 'getOaiConfig',
  area,
  summary: 'Read the OAI settings',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'An array of one.', shape: shape.list(shape.record('oai_config')) } },
  handler: async ({ services }) => [await readOaiConfig(services.database.reader)],
});

const update = defineRoute({
  method: 'POST',
  path: '/oai_config',
  operation: 'updateOaiConfig',
  area,
  summary: 'Replace the OAI settings',
  access,
  parameters: {},
  body: recordBody('oai_config', 'update', { example }),
  replies,
  handler: replace,
});

const updateById = defineRoute({
  method: 'POST',
  path: '/oai_config/:id',
  operation: 'updateOaiConfigById',
  area,
  summary: 'Replace the OAI settings',
  doc: 'There is one record, whatever the id.',
  access,
  parameters: { id: text({ example: '1' }) },
  body: recordBody('oai_config', 'update', { example }),
  replies,
  handler: replace,
});

/** The routes of this file. */
export const oaiConfigRoutes: readonly Route[] = [read, update, updateById];
