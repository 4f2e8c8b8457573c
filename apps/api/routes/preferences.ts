// Preferences: of everybody, of a user, of a repository, of a user in a repository, and how they add up (contract 6.14).
import { shape } from '../openapi/shape.ts';
import { created, updated, deleted } from '../openapi/shapes/envelopes.ts';
import { fail } from '#domain/errors.ts';
import { isObject, objectOf } from '#domain/json.ts';
import { preference } from '#domain/kinds/preference.ts';
import type { Caller } from '#domain/access/caller.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { currentPreferences, mergePreferences } from '#domain/settings/preferences.ts';
import type { LayeredSettings } from '#domain/settings/preferences.ts';
import { readCaller } from '#store/access/grants.ts';
import {
  announcePreferences,
  createPreference,
  deletePreference,
  listPreferences,
  readPreferenceLayers,
  readPreferenceRecords,
  updatePreference,
} from '#store/settings/preferences.ts';
import type { Transaction } from '#store/connection/database.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { JsonObject } from '#domain/json.ts';
import { mayDeletePreference, mayWritePreference, ownerOfPreference } from '../access/preferences.ts';
import { recordBody } from '../request/body.ts';
import { id, repositoryId, text } from '../request/parameters.ts';
import { createdReply, deletedReply, updatedReply } from '../reply/envelopes.ts';
import { jsonText } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';
import { versionToDelete, withVersion } from '../record-routes/if-match.ts';
import { writeContext } from '../record-routes/viewing.ts';

const area = 'preferences';
const all = { seesSuppressed: true };

const says =
  "One's own preferences; those of a repository with manage_repository, those of everybody with administer_system.";

/** Runs a transaction that changes preferences; the next request of anybody goes by them. */
async function changePreferences<T>(services: Services, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const value = await services.database.transaction(async (tx) => {
    const done = await work(tx);
    await announcePreferences(tx);
    return done;
  });
  services.preferences.forget();
  return value;
}

const create = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/preferences',
  operation: 'createPreference',
  area,
  summary: 'Create one preference',
  access: {
    says,
    check: ({ caller, body, params }) => mayWritePreference(caller, body.record['user_id'], params.repo_id),
  },
  parameters: { repo_id: repositoryId() },
  body: recordBody('preference', 'create'),
  replies: { 200: { says: 'Created.', shape: created }, 400: 'There is one already.' },
  handler: async (call) =>
    createdReply(
      preference,
      await changePreferences(call.services, (tx) => createPreference(tx, call.body.prepared, writeContext(call))),
    ),
});

const update = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/preferences/:id',
  operation: 'updatePreference',
  area,
  summary: 'Replace one preference',
  access: {
    says,
    // Both the owner it has and the one it is to have; an unknown one is a 404 for everybody, as reading it is.
    check: async ({ caller, body, params, services }) =>
      mayWritePreference(caller, body.record['user_id'], params.repo_id) &&
      mayWritePreference(caller, await ownerOfPreference(services, params.id, params.repo_id), params.repo_id),
  },
  parameters: { repo_id: repositoryId(), id: id() },
  body: recordBody('preference', 'update'),
  replies: {
    200: { says: 'Updated.', shape: updated },
    404: 'Preference not found',
    409: 'Another update came first.',
  },
  handler: async (call) =>
    updatedReply(
      preference,
      await changePreferences(call.services, (tx) =>
        updatePreference(tx, call.params.id, call.body.prepared, call.body.lockVersion, writeContext(call)),
      ),
    ),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/repositories/:repo_id/preferences/:id',
  operation: 'deletePreference',
  area,
  summary: 'Delete one preference',
  access: {
    says: `delete_archival_record, and: ${says}`,
    check: (call) => mayDeletePreference(call, call.params.id, call.params.repo_id),
  },
  parameters: { repo_id: repositoryId(), id: id() },
  replies: { 200: { says: 'Deleted.', shape: deleted }, 404: 'Preference not found' },
  handler: async (call) => {
    const { params, services, caller } = call;
    const version = await versionToDelete(preference, call);
    await withVersion(() =>
      services.database.transaction((tx) => deletePreference(tx, params.id, params.repo_id, caller.username, version)),
    );
    services.preferences.forget();
    return deletedReply(params.id);
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/preferences',
  operation: 'listPreferences',
  area,
  summary: 'List preferences of a repository',
  doc: 'Those of the user, or without user_id that of the repository itself.',
  access: { all: ['view_repository'] },
  parameters: { repo_id: repositoryId(), user_id: id({ optional: true }) },
  replies: { 200: { says: 'An array of preferences.', shape: shape.list(shape.record('preference')) } },
  handler: async ({ params, services }) =>
    jsonText(`[${(await listPreferences(services.database.reader, params.repo_id, params.user_id)).join(',')}]`),
});

const read = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/preferences/:id',
  operation: 'getPreference',
  area,
  summary: 'Read one preference',
  access: 'public',
  parameters: { repo_id: repositoryId(), id: id() },
  replies: { 200: { says: 'The preference.', shape: shape.record('preference') }, 404: 'Preference not found' },
  handler: async ({ params, services }) =>
    jsonText((await readRecord(services.database.reader, preference, params.id, params.repo_id, all)).text),
});

const inForce = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/preferences/defaults',
  operation: 'getPreferencesInForce',
  area,
  summary: 'Preferences in force',
  access: 'public',
  parameters: {
    repo_id: repositoryId(),
    username: text({ optional: true, doc: 'Of this user; by default of the caller.' }),
  },
  replies: { 200: { says: 'The merged settings.', shape: shape.record('defaults') }, 404: 'There is no such user.' },
  handler: async ({ params, services, caller }) => {
    const { reader } = services.database;
    const whose = params.username === null ? caller : await readCaller(reader, params.username);
    if (params.username !== null && whose.userId === null) throw fail('not_found', "User wasn't found");
    return {
      ...mergePreferences(await readPreferenceLayers(reader, { userId: whose.userId, repoId: params.repo_id })),
      jsonmodel_type: 'defaults',
    };
  },
});

async function layersOf(services: Services, caller: Caller, repoId: number): Promise<JsonObject> {
  if (caller.userId === null) return {};
  const records = await readPreferenceRecords(services.database.reader, { userId: caller.userId, repoId });
  const settings: LayeredSettings = Object.fromEntries(
    Object.entries(records).map(([layer, record]) => [
      layer,
      isObject(record) ? (objectOf(record, 'defaults') ?? {}) : {},
    ]),
  );
  return currentPreferences(records, settings);
}

const inLayer = shape.record('preference');
const settings = shape.record('defaults');
const layers = shape.named(
  'preference_layers',
  shape.object(
    {},
    {
      defaults: settings,
      global: inLayer,
      user_global: inLayer,
      repo: inLayer,
      user_repo: inLayer,
      defaults_global: settings,
      defaults_user_global: settings,
      defaults_repo: settings,
      defaults_user_repo: settings,
    },
  ),
);

const current = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/current_preferences',
  operation: 'getCurrentPreferences',
  area,
  summary: 'Preference layers of the user',
  doc: 'The settings in force, the record of each layer, and what holds after each. Empty without a session.',
  access: 'public',
  parameters: { repo_id: repositoryId() },
  replies: {
    200: { says: 'The settings in force, the record of each layer, and what holds after each.', shape: layers },
  },
  handler: ({ params, services, caller }) => layersOf(services, caller, params.repo_id),
});

const currentGlobal = defineRoute({
  method: 'GET',
  path: '/current_global_preferences',
  operation: 'getCurrentGlobalPreferences',
  area,
  summary: 'Preference layers without a repository',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'The same without those of a repository.', shape: layers } },
  handler: ({ services, caller }) => layersOf(services, caller, globalRepoId),
});

/** The routes of this file. */
export const preferenceRoutes: readonly Route[] = [create, inForce, read, list, update, remove, current, currentGlobal];
