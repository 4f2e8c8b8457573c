// What every database begins with: permissions, controlled lists, the hidden global repository with the groups and users of
// the system, the first vocabulary. Brought in at each start, so it changes nothing where all is there.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { preference, preferenceOwner } from '#domain/kinds/preference.ts';
import { shippedPreferences } from '#domain/settings/preferences.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import type { JsonObject } from '#domain/json.ts';
import { repository } from '#domain/kinds/repository.ts';
import { user } from '#domain/kinds/user.ts';
import { vocabulary } from '#domain/kinds/vocabulary.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { toEnumerations } from '../enumerations/lists.ts';
import { readLists } from '../enumerations/completed-lists.ts';
import { createGroup, groupBody, setGlobalMembership } from '../access/groups.ts';
import type { AgentContext } from '../repositories/service-agents.ts';
import { createAgent, createPersonOf, prepareFor, withRef } from '../repositories/service-agents.ts';
import { createRecord } from '../records/writing/write.ts';
import type { DefaultGroups } from '../repositories/repositories.ts';
import { column, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { endSessionsOf, findLogin, removePassword, setPassword } from '../access/users.ts';

/** A controlled list as it is shipped. */
type ReferenceList = {
  readonly id: number;
  readonly name: string;
  readonly editable: boolean;
  readonly default: string | null;
  readonly values: readonly string[];
  readonly readonly_values: readonly string[];
  readonly used_by: readonly string[];
};

/** The content of db/reference. */
export type ReferenceData = {
  readonly enumerations: readonly ReferenceList[];
  readonly permissions: readonly {
    readonly code: string;
    readonly level: string;
    readonly description: string;
    readonly hidden: boolean;
    readonly derived_from: string | null;
  }[];
  readonly default_groups: DefaultGroups;
  readonly global_groups: {
    readonly [code: string]: {
      readonly description: string;
      readonly members: readonly string[];
      readonly grants: readonly string[];
    };
  };
  readonly system_users: { readonly [username: string]: { readonly name: string; readonly hidden: boolean } };
};

/** Reads enumerations.json and permissions.json of a folder (db/reference). */
export function readReferenceData(folder: URL): ReferenceData {
  const read = (name: string): string =>
    readFileSync(new URL(name, folder.href.endsWith('/') ? folder : `${folder.href}/`), 'utf8');
  // The files are part of the project; a test compares them with these types by loading them.
  const enumerations: ReferenceData['enumerations'] = JSON.parse(read('enumerations.json'));
  const rest: Omit<ReferenceData, 'enumerations'> = JSON.parse(read('permissions.json'));
  return { ...rest, enumerations };
}

// Clients know permissions by id (contract examples, GET /permissions): these five come before the others in their order.
const firstPermissions = [
  'create_job',
  'cancel_job',
  'manage_enumeration_record',
  'view_agent_contact_record',
  'show_full_agents',
];

// Granted at each start to the shipped groups of every repository (contract permissions.json, at_start).
const startGrants = [
  ['repository-managers', 'manage_custom_report_templates'],
  ['repository-archivists', 'manage_custom_report_templates'],
  ['repository-managers', 'delete_event_record'],
];

/** Brings in what is missing of `data`; one process at a time. `globalCode` is the code of the hidden repository (configuration). */
export async function loadReference(
  tx: Transaction,
  data: ReferenceData,
  generatedValues: GeneratedValues,
  globalCode = '_service',
): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended('muniment reference', 0))`);
  await loadPermissions(tx, data);
  await loadLists(tx, data.enumerations);
  const context: AgentContext = { actor: null, generatedValues, enumerations: toEnumerations(await readLists(tx)) };
  const isFirst =
    (await tx.maybeOne(sql.type(IdRow)`SELECT id FROM record WHERE kind = 'repository' AND id = ${globalRepoId}`)) ===
    null;
  if (isFirst) await loadFirst(tx, globalCode, context);
  await loadUsers(tx, data, context);
  await loadGlobalGroups(tx, data, context);
  await loadPreferences(tx, context);
  const codes = sql.unnest(startGrants, ['text', 'text']);
  await tx.run(sql`INSERT INTO group_grant (group_id, repo_id, permission_code)
    SELECT r.id, r.repo_id, s.permission FROM ${codes} AS s (code, permission) JOIN record r ON r.kind = 'group' AND r.label = s.code AND r.repo_id <> ${globalRepoId} ON CONFLICT DO NOTHING`);
}

/** The preferences of everybody, once: what somebody made of them since stays. */
async function loadPreferences(tx: Transaction, context: AgentContext): Promise<void> {
  const known = await tx.maybeOne(
    sql.type(IdRow)`
      SELECT id FROM unique_key WHERE rule = 'preference.owner' AND scope = ${`r${globalRepoId}`} AND value = ${preferenceOwner(null)}`,
  );
  if (known !== null) return;
  await createRecord(tx, preference, prepareFor('preference', { defaults: shippedPreferences }, 'create', context), {
    actor: null,
    repoId: globalRepoId,
    generatedValues: context.generatedValues,
  });
}

async function loadPermissions(tx: Transaction, data: ReferenceData): Promise<void> {
  // Derived codes follow from others and are never granted, so they are no rows.
  const stored = data.permissions.filter(
    (permission) => permission.derived_from === null && permission.code !== 'edit_user_self',
  );
  const rank = (code: string): number =>
    firstPermissions.includes(code) ? firstPermissions.indexOf(code) : firstPermissions.length;
  const rows = stored
    .toSorted((a, b) => rank(a.code) - rank(b.code))
    .map((each, order) => [order, each.code, each.level, each.description, each.hidden]);
  const given = sql.unnest(rows, ['int4', 'text', 'text', 'text', 'bool']);
  await tx.run(sql`INSERT INTO permission (code, level, description, hidden)
    SELECT u.code, u.level, u.description, u.hidden FROM ${given} AS u (n, code, level, description, hidden)
    WHERE NOT EXISTS (SELECT FROM permission p WHERE p.code = u.code) ORDER BY u.n`);
  await tx.run(sql`UPDATE permission p SET level = u.level, description = u.description, hidden = u.hidden
    FROM ${given} AS u (n, code, level, description, hidden)
    WHERE p.code = u.code AND (p.level, p.description, p.hidden) IS DISTINCT FROM (u.level, u.description, u.hidden)`);
}

const NameRow = z.strictObject({ name: column.text });

/**
 * New lists come with all their values. Of lists that are there, those that nobody may edit get what is missing; editable ones
 * get missing read-only values alone, for an absent other one may have been removed on purpose.
 */
async function loadLists(tx: Transaction, lists: readonly ReferenceList[]): Promise<void> {
  const known = new Set((await tx.any(sql.type(NameRow)`SELECT name FROM enumeration`)).map((row) => row.name));
  const fresh = lists.filter((list) => !known.has(list.name)).toSorted((a, b) => a.id - b.id);
  await tx.run(sql`INSERT INTO enumeration (id, name, default_value, editable, relationships)
    SELECT u.id, u.name, u.default_value, u.editable, string_to_array(u.used_by, ' ') FROM ${sql.unnest(
      fresh.map((list) => [
        list.id,
        list.name,
        list.default,
        list.editable,
        [...new Set(list.used_by.map((use) => use.split('.').at(-1) ?? ''))].join(' '),
      ]),
      ['int4', 'text', 'text', 'bool', 'text'],
    )} AS u (id, name, default_value, editable, used_by)`);
  const wanted = lists
    .toSorted((a, b) => a.id - b.id)
    .flatMap((list) => {
      const readonly = new Set(list.readonly_values);
      const values =
        known.has(list.name) && list.editable ? list.values.filter((value) => readonly.has(value)) : list.values;
      return values.map((value) => [list.name, list.values.indexOf(value), value, readonly.has(value)]);
    });
  await tx.run(sql`INSERT INTO enumeration_value (enumeration_id, value, position, readonly)
    SELECT e.id, u.value, u.position, u.readonly FROM ${sql.unnest(wanted, ['text', 'int4', 'text', 'bool'])} AS u (list, position, value, readonly) JOIN enumeration e ON e.name = u.list
    WHERE NOT EXISTS (SELECT FROM enumeration_value v WHERE v.enumeration_id = e.id AND v.value = u.value)
      AND NOT EXISTS (SELECT FROM renaming_begun b WHERE b.enumeration_id = e.id AND b.new_value = u.value) ORDER BY e.id, u.position`);
  if (fresh.length > 0)
    await tx.run(sql`SELECT setval(pg_get_serial_sequence('enumeration', 'id'), (SELECT max(id) FROM enumeration))`);
}

/** The global repository, the first vocabulary, and the service as a software agent. */
async function loadFirst(tx: Transaction, globalCode: string, context: AgentContext): Promise<void> {
  const writing = { actor: null, repoId: null, generatedValues: context.generatedValues };
  const body = prepareFor(
    'repository',
    { repo_code: globalCode, name: 'Global repository', is_slug_auto: true },
    'create',
    context,
  );
  // Position 0, so that the first repository that somebody makes is at 1 (contract examples).
  const written = await createRecord(tx, repository, { ...body, body: { ...body.body, position: 0 } }, writing);
  if (written.id !== globalRepoId)
    throw new Error(`the global repository got the id ${written.id}: the database held repositories before`);
  await tx.run(sql`UPDATE record SET suppressed = true WHERE kind = 'repository' AND id = ${globalRepoId}`);
  await createRecord(
    tx,
    vocabulary,
    prepareFor('vocabulary', { name: 'global', ref_id: 'global' }, 'create', context),
    writing,
  );
  await createAgent(
    tx,
    'agent_software',
    {
      names: [{ software_name: 'Muniment', sort_name: 'Muniment', sort_name_auto_generate: true, source: 'local' }],
      publish: false,
    },
    true,
    context,
  );
}

const ValueRow = z.strictObject({ value: column.text });

async function loadUsers(tx: Transaction, data: ReferenceData, context: AgentContext): Promise<void> {
  const names = Object.keys(data.system_users);
  const rows = await tx.any(sql.type(ValueRow)`
    SELECT value FROM unique_key WHERE rule = 'user.username' AND value = ANY(${sql.array(names, 'text')})`);
  const missing = Object.entries(data.system_users).filter(([username]) => !rows.some((row) => row.value === username));
  // Four users, each once in the life of a database: a chain, since clients know their ids.
  await missing.reduce<Promise<void>>(
    (before, [username, given]) => before.then(() => loadUser(tx, username, given, context)),
    Promise.resolve(),
  );
}

async function loadUser(
  tx: Transaction,
  username: string,
  given: { readonly name: string; readonly hidden: boolean },
  context: AgentContext,
): Promise<void> {
  const body: JsonObject = {
    jsonmodel_type: 'user',
    username,
    name: given.name,
    source: 'local',
    is_system_user: true,
    is_active_user: true,
  };
  const prepared = { body, links: [], newEnumerationValues: [], warnings: {} };
  const whole = given.hidden
    ? prepared
    : withRef(prepared, 'agent_record', await createPersonOf(tx, given.name, context));
  const written = await createRecord(tx, user, whole, {
    actor: null,
    repoId: null,
    generatedValues: context.generatedValues,
  });
  if (given.hidden) await tx.run(sql`UPDATE record SET suppressed = true WHERE kind = 'user' AND id = ${written.id}`);
}

const LabelRow = z.strictObject({ label: column.text });

/** Groups of the global repository: made where missing, then given every grant and member of the reference that they lack. */
async function loadGlobalGroups(tx: Transaction, data: ReferenceData, context: AgentContext): Promise<void> {
  const known = new Set(
    (await tx.any(sql.type(LabelRow)`SELECT label FROM record WHERE kind = 'group' AND repo_id = ${globalRepoId}`)).map(
      (row) => row.label,
    ),
  );
  const group = { actor: null, repoId: globalRepoId, generatedValues: context.generatedValues, caller: null };
  const missing = Object.entries(data.global_groups).filter(([code]) => !known.has(code));
  await missing.reduce<Promise<unknown>>(
    (before, [code, { description, grants, members }]) =>
      before.then(() => createGroup(tx, groupBody(code, description, grants, members), group)),
    Promise.resolve(),
  );
  const grants = Object.entries(data.global_groups).flatMap(([code, each]) =>
    each.grants.map((permission) => [code, permission]),
  );
  await tx.run(sql`INSERT INTO group_grant (group_id, repo_id, permission_code)
    SELECT r.id, r.repo_id, g.permission FROM ${sql.unnest(grants, ['text', 'text'])} AS g (code, permission)
    JOIN record r ON r.kind = 'group' AND r.repo_id = ${globalRepoId} AND r.label = g.code ON CONFLICT DO NOTHING`);
  // Whoever was taken out of the administrators, admin can always get in (contract 2.4).
  const admin = await tx.maybeOne(sql.type(IdRow)`
    SELECT id FROM unique_key WHERE rule = 'user.username' AND value = 'admin'`);
  if (admin !== null) await setGlobalMembership(tx, admin.id, 'administrators', true);
}

/** Whether the user admin has a password yet; a new database has none. */
export async function hasAdminPassword(reader: Reader): Promise<boolean> {
  const admin = await findLogin(reader, 'admin');
  return admin !== null && admin.passwordHash !== null;
}

/**
 * Sets the password of a user of the system; `passwordHash` is what `Passwords` makes, null takes the password away. What the old one opened ends, as
 * with every password that is changed.
 */
export async function setSystemPassword(tx: Transaction, username: string, passwordHash: string | null): Promise<void> {
  const found = await findLogin(tx, username);
  if (found === null) throw new Error(`there is no user ${username}: load the reference data first`);
  const hadNone = found.passwordHash === null && found.broughtHash === null;
  if (passwordHash === null && hadNone) return;
  await (passwordHash === null ? removePassword(tx, found.id) : setPassword(tx, found.id, passwordHash));
  await endSessionsOf(tx, found.id);
}
