// Preferences in force (contract 6.14): of everybody, of a user, of a repository, of a user there. One memory a process, dropped when
// any preference changes here or elsewhere. What layers mean is settings/preferences.ts's.
import { z } from 'zod';
import { preference } from '#domain/kinds/preference.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf } from '#domain/json.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { LayeredSettings, PreferenceLayer } from '#domain/settings/preferences.ts';
import { mergePreferences } from '#domain/settings/preferences.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { holdUsers, noUser, readCaller } from '../access/grants.ts';
import { notifyClients } from '../change-log/notifications.ts';
import { readRecords } from '../records/reading/read.ts';
import { deleteRecord } from '../records/deleting/delete.ts';
import type { WriteContext } from '../records/writing/write-context.ts';
import type { Written } from '../records/writing/write.ts';
import { createRecord, updateRecord } from '../records/writing/write.ts';
import { column, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Whose preferences: a user (null: nobody's own), in a repository (null: where none is active). */
export type WhosePreferences = { readonly userId: number | null; readonly repoId: number | null };

/** The channel that tells every process that a preference changed. */
export const preferenceChannel = 'muniment_preferences';

/** Tells every process, at the commit, that remembered preferences may be old, and clients that they changed. */
export async function announcePreferences(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT pg_notify(${preferenceChannel}, '')`);
  await notifyClients(tx, 'REFRESH_PREFERENCES');
}

const LayerRow = z.strictObject({ id: column.int, repo_id: column.int, user_id: column.maybeInt });
type LayerRow = z.infer<typeof LayerRow>;

const layerOf = (row: LayerRow): PreferenceLayer =>
  row.repo_id === globalRepoId
    ? row.user_id === null
      ? 'global'
      : 'user_global'
    : row.user_id === null
      ? 'repo'
      : 'user_repo';

// A handful of index probes: the keys of the owners are in unique_key (preference.owner).
function rowsOf({ userId, repoId }: WhosePreferences): ReturnType<typeof sql.fragment> {
  const scopes = [...new Set([globalRepoId, repoId ?? globalRepoId])].map((id) => `r${id}`);
  const owners = ['everybody', ...(userId === null ? [] : [`user ${userId}`])];
  return sql.fragment`unique_key k JOIN record r ON r.kind = 'preference' AND r.id = k.id
    WHERE k.rule = 'preference.owner' AND k.scope = ANY(${sql.array(scopes, 'text')}) AND k.value = ANY(${sql.array(owners, 'text')})`;
}

const PreferenceLayerRow = LayerRow.extend({ body: column.text });

/** The settings of each layer that has a record. One statement. */
export async function readPreferenceLayers(reader: Reader, whose: WhosePreferences): Promise<LayeredSettings> {
  const rows = await reader.any(sql.type(PreferenceLayerRow)`
    SELECT r.id, r.repo_id, (r.body->>'user_id')::int AS user_id, r.body FROM ${rowsOf(whose)}`);
  return Object.fromEntries(
    rows.map((row) => {
      // A stored body is our own canonical text.
      const body: JsonObject = JSON.parse(row.body);
      return [layerOf(row), objectOf(body, 'defaults') ?? {}];
    }),
  );
}

/** The records of the layers, as a GET of each answers. */
export async function readPreferenceRecords(
  reader: Reader,
  whose: WhosePreferences,
): Promise<{ readonly [layer in PreferenceLayer]?: JsonObject }> {
  const rows = await reader.any(sql.type(LayerRow)`
    SELECT r.id, r.repo_id, (r.body->>'user_id')::int AS user_id FROM ${rowsOf(whose)}`);
  const found = await readRecords(reader, new Map([[preference.name, rows.map((row) => row.id)]]), {
    seesSuppressed: true,
  });
  const layers = new Map(rows.map((row) => [row.id, layerOf(row)]));
  return Object.fromEntries(
    [...found.values()].flatMap((record) => {
      const layer = layers.get(record.row.id);
      return layer === undefined ? [] : [[layer, JSON.parse(record.text)]];
    }),
  );
}

/** The texts of the preferences of a repository that belong to a user, or to nobody, by id. */
export async function listPreferences(
  reader: Reader,
  repoId: number,
  userId: number | null,
): Promise<readonly string[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'preference' AND repo_id = ${repoId} AND (body->>'user_id')::int IS NOT DISTINCT FROM ${userId}::int ORDER BY id`);
  const found = await readRecords(reader, new Map([[preference.name, rows.map((row) => row.id)]]), {
    seesSuppressed: true,
  });
  return [...found.values()].sort((a, b) => a.row.id - b.row.id).map((record) => record.text);
}

/** Creates the preference of a user, or of everybody. Fails as createRecord, and with `not_found` where the user was deleted meanwhile. */
export async function createPreference(tx: Transaction, prepared: Prepared, context: WriteContext): Promise<Written> {
  await holdOwner(tx, prepared);
  return createRecord(tx, preference, prepared, context);
}

/** Replaces a preference, which may become that of a user by it. Fails as updateRecord, and with `not_found` where the user was deleted meanwhile. */
export async function updatePreference(
  tx: Transaction,
  id: number,
  prepared: Prepared,
  lockVersion: unknown,
  context: WriteContext,
): Promise<Written> {
  await holdOwner(tx, prepared);
  return updateRecord(tx, preference, id, prepared, lockVersion, context);
}

/** Holds whose a preference is to be, before the preference: as who deletes the user does. */
async function holdOwner(tx: Transaction, prepared: Prepared): Promise<void> {
  const userId = prepared.body['user_id'];
  if (typeof userId === 'number' && (await holdUsers(tx, [userId])).length === 0) throw noUser();
}

/** Deletes one preference, which every process learns of. Fails as deleteRecord. */
export async function deletePreference(
  tx: Transaction,
  id: number,
  repoId: number,
  actor: string | null,
  lockVersion: number | null = null,
): Promise<void> {
  await deleteRecord(tx, preference, id, repoId, actor, lockVersion);
  await announcePreferences(tx);
}

const PreferencesOfRow = z.strictObject({ id: column.int, repo_id: column.int });

/** Deletes the preferences of a user in all repositories. There are few: one for each repository somebody works in. */
export async function deletePreferencesOf(tx: Transaction, userId: number, actor: string | null): Promise<void> {
  const rows = await tx.any(sql.type(PreferencesOfRow)`
    SELECT r.id, r.repo_id FROM unique_key k JOIN record r ON r.kind = 'preference' AND r.id = k.id
    WHERE k.rule = 'preference.owner' AND k.value = ${`user ${userId}`} ORDER BY r.id`);
  await rows.reduce<Promise<unknown>>(
    (before, row) => before.then(() => deleteRecord(tx, preference, row.id, row.repo_id, actor)),
    Promise.resolve(),
  );
  await announcePreferences(tx);
}

/** The settings in force, read now: the merged layers over what the service ships. */
export async function effectivePreferences(reader: Reader, whose: WhosePreferences): Promise<JsonObject> {
  return mergePreferences(await readPreferenceLayers(reader, whose));
}

/** Whether settings in force ask for suppressed records to be shown (contract 5.2); the caller must hold one of the permissions too. */
export const showSuppressed = (settings: JsonObject): boolean => settings['show_suppressed'] === true;

/** Whether settings in force publish what says nothing of it (contract 3.1). */
export const publishesByDefault = (settings: JsonObject): boolean => settings['publish'] === true;

/** The publish default of a user, by name, in a repository: for work done in somebody's name outside a request. */
export async function publishDefaultOf(
  reader: Reader,
  username: string | null,
  repoId: number | null,
): Promise<boolean> {
  const { userId } = await readCaller(reader, username);
  return publishesByDefault(await effectivePreferences(reader, { userId, repoId }));
}

// More users at work in one process than this are asked for again.
const mostRemembered = 5_000;
// Should a notice be lost while the connection that listens is made anew, this is how long an old answer lives.
const longestMs = 10_000;

/** Settings in force, remembered until `forget`, at most ten seconds. */
export class PreferenceMemory {
  readonly #reader: Reader;
  readonly #now: () => number;
  #known = new Map<string, { readonly settings: Promise<JsonObject>; readonly at: number }>();

  constructor(reader: Reader, now: () => number) {
    this.#reader = reader;
    this.#now = now;
  }

  /** What `effectivePreferences` gives. */
  async effective(whose: WhosePreferences): Promise<JsonObject> {
    const key = `${whose.userId ?? ''} ${whose.repoId ?? ''}`;
    const now = this.#now();
    const known = this.#known.get(key);
    if (known !== undefined && now - known.at < longestMs) return known.settings;
    if (this.#known.size >= mostRemembered) this.#known = new Map();
    const settings = effectivePreferences(this.#reader, whose);
    const memory = this.#known.set(key, { settings, at: now });
    settings.catch(() => memory.delete(key));
    return settings;
  }

  /** Drops what is remembered. */
  forget(): void {
    this.#known = new Map();
  }
}
