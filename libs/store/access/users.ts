// Users: records with an agent, a password and memberships around them (contract 2.3). Who may do what is checked by the route.
// Hidden system users are suppressed records: left out of lists, and no update reaches them.
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { user } from '#domain/kinds/user.ts';
import { agentPerson } from '#domain/kinds/agent_person.ts';
import type { Grants } from '#domain/access/user-permissions.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { toUsername } from '#domain/text/username.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { announceAccessChange, holdUser, isAdministrator, keepAdministrator, noUser, readGrants } from './grants.ts';
import { protectAdministrator } from './administrators.ts';
import { setGlobalMembership } from './groups.ts';
import type { AgentContext } from '../repositories/service-agents.ts';
import { createPersonOf, withRef } from '../repositories/service-agents.ts';
import { deletePreferencesOf } from '../settings/preferences.ts';
import { deleteRecord } from '../records/deleting/delete.ts';
import { leaveJobsOf, renameJobsOf } from '../queue/jobs-of-user.ts';
import { heldInOrder } from '../records/writing/lock-order.ts';
import { readRecords } from '../records/reading/read.ts';
import type { Written } from '../records/writing/write.ts';
import { createRecord, lockRecord, updateRecord } from '../records/writing/write.ts';
import { column, BodyRow, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** The group whose members are administrators. */
export const administratorsGroup = 'administrators';

/** What login needs to know of a user. */
export const LoginUser = z.strictObject({
  id: column.int,
  username: column.text,
  passwordHash: column.maybeText,
  /** The hash that the user brought from another service, where there is none of our own. */
  broughtHash: column.maybeText,
  isActive: column.bool,
  isSystemUser: column.bool,
});
export type LoginUser = z.infer<typeof LoginUser>;

/** The user of a name, or null. One statement by unique keys: whoever brought a hash has it or our own, also while another login replaces it. */
export async function findLogin(reader: Reader, username: string): Promise<LoginUser | null> {
  return reader.maybeOne(sql.type(LoginUser)`
    SELECT r.id, k.value AS username, c.password_hash AS "passwordHash", s.password_hash AS "broughtHash", coalesce((r.body->>'is_active_user')::boolean, false) AS "isActive",
      coalesce((r.body->>'is_system_user')::boolean, false) AS "isSystemUser"
    FROM unique_key k JOIN record r ON r.kind = 'user' AND r.id = k.id LEFT JOIN credential c ON c.user_id = r.id
      LEFT JOIN source_credential s ON s.user_id = r.id
    WHERE k.rule = 'user.username' AND k.scope = '' AND k.value = ${username}`);
}

/** What is generated or kept, and not the client's: of an old body, or of a new user. Forms send false for `is_active_user`, as they have no box for it: setActive alone changes it. */
type Kept = {
  readonly source: string;
  readonly is_system_user: boolean;
  readonly is_active_user: boolean;
  readonly agentUri: string | null;
};

function ownPart(prepared: Prepared, kept: Kept): Prepared {
  const { is_admin: _admin, groups: _groups, permissions: _permissions, ...rest } = prepared.body;
  const username = toUsername(textOf(prepared.body, 'username') ?? '');
  if (username === null) throw fail('bad_parameter', 'Invalid username');
  const { agentUri, ...own } = kept;
  const body: JsonObject = { ...rest, username, ...own };
  const without: Prepared = { ...prepared, body, links: prepared.links.filter((link) => link.property !== 'groups') };
  return agentUri === null ? without : withRef(without, 'agent_record', agentUri);
}

function inUse(error: unknown, prepared: Prepared): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // The words name the user name, which the declaration cannot.
  return code === 'not_unique'
    ? fail('not_unique', {
        username: [`Username '${toUsername(textOf(prepared.body, 'username') ?? '') ?? ''}' is already in use`],
      })
    : error;
}

/** Creates a user, who may log in, with a person agent. `passwordHash` null: nobody can log in as this user. Fails with `not_unique`, `bad_parameter`. */
export async function createUser(
  tx: Transaction,
  prepared: Prepared,
  passwordHash: string | null,
  context: AgentContext,
  isSystemUser = false,
): Promise<Written> {
  // Found out before an agent is made: the id of the agent would be lost.
  const named = ownPart(prepared, {
    source: 'local',
    is_system_user: isSystemUser,
    is_active_user: true,
    agentUri: null,
  });
  const taken = await findLogin(tx, textOf(named.body, 'username') ?? '');
  if (taken !== null) throw inUse(Object.assign(new Error(), { code: 'not_unique' }), prepared);
  const agentUri = await createPersonOf(tx, textOf(prepared.body, 'name') ?? '', context);
  const written = await createRecord(tx, user, withRef(named, 'agent_record', agentUri), {
    actor: context.actor,
    repoId: null,
    generatedValues: context.generatedValues,
  }).catch((error: unknown) => {
    throw inUse(error, prepared);
  });
  if (passwordHash !== null) await setPassword(tx, written.id, passwordHash);
  if (prepared.body['is_admin'] === true) await setGlobalMembership(tx, written.id, administratorsGroup, true);
  return written;
}

/** Replaces a user (contract 2.3). `isAdmin` null: stays as it is. Fails with `not_found`, `stale_record`, `not_unique`, `bad_parameter`. */
export async function updateUser(
  tx: Transaction,
  id: number,
  prepared: Prepared,
  lockVersion: unknown,
  isAdmin: boolean | null,
  context: AgentContext,
): Promise<Written> {
  const old = await storedUser(tx, id, context.actor);
  const kept: Kept = {
    source: textOf(old, 'source') ?? 'local',
    is_system_user: old['is_system_user'] === true,
    is_active_user: old['is_active_user'] === true,
    agentUri: agentOf(old),
  };
  const own = ownPart(prepared, kept);
  const written = await updateRecord(tx, user, id, own, lockVersion, {
    actor: context.actor,
    repoId: null,
    generatedValues: context.generatedValues,
  }).catch((error: unknown) => {
    throw inUse(error, prepared);
  });
  await renameJobsOf(tx, textOf(old, 'username') ?? '', textOf(own.body, 'username') ?? '');
  if (isAdmin !== null) await setGlobalMembership(tx, id, administratorsGroup, isAdmin);
  await announceAccessChange(tx);
  return written;
}

/** Holds a user whom the actor may change. */
async function storedUser(tx: Transaction, id: number, actor: string | null): Promise<JsonObject> {
  const row = await lockRecord(tx, user, id, null).catch((error: unknown) => {
    // The user's own words for one that is not there, and for nothing else: who has to wait is told so.
    throw error instanceof Failure && error.code === 'not_found' ? noUser() : error;
  });
  await protectAdministrator(tx, id, actor);
  // A stored body is our own canonical text.
  return JSON.parse(row.body);
}

const agentOf = (body: JsonObject): string | null => {
  const agent = body['agent_record'];
  return typeof agent === 'object' && agent !== null && 'ref' in agent && typeof agent.ref === 'string'
    ? agent.ref
    : null;
};

/**
 * Sets what a hash of `Passwords` made as the password of a user; an invitation to choose one is over by that, and so is the hash that the user brought. Whoever gives either holds the
 * user, as this does.
 */
export async function setPassword(tx: Transaction, userId: number, passwordHash: string): Promise<void> {
  await holdUser(tx, userId);
  await tx.run(sql`DELETE FROM invitation WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM source_credential WHERE user_id = ${userId}`);
  await tx.run(
    sql`INSERT INTO credential (user_id, password_hash) VALUES (${userId}, ${passwordHash}) ON CONFLICT (user_id) DO UPDATE SET password_hash = excluded.password_hash`,
  );
}

/** Takes a user's password away: nobody can log in as this user any more. */
export async function removePassword(tx: Transaction, userId: number): Promise<void> {
  await tx.run(sql`DELETE FROM credential WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM source_credential WHERE user_id = ${userId}`);
}

/**
 * Holds a user who gave a password, until the transaction ends: whoever takes the password or the account away meanwhile waits, and then finds what
 * this one made of it, such as a session. False where that was done already. `how`: `share` for those who only need it to stay.
 */
export async function holdProven(
  tx: Transaction,
  { id, passwordHash }: LoginUser,
  how: 'share' | 'change',
): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(IdRow)`
    SELECT r.id FROM record r JOIN credential c ON c.user_id = r.id
    WHERE r.kind = 'user' AND r.id = ${id} AND coalesce((r.body->>'is_active_user')::boolean, false) AND c.password_hash = ${passwordHash}
    FOR ${how === 'share' ? sql.fragment`SHARE` : sql.fragment`NO KEY UPDATE`} OF r, c`);
  return row !== null;
}

/** Notes a successful local login: the source of a user reads DBAuth from the first one on, which counts as a save (contract 2.3). */
export async function noteLogin(tx: Transaction, userId: number): Promise<void> {
  await rewrite(tx, userId, sql.fragment`r.body->>'source' IS DISTINCT FROM 'DBAuth'`, { source: 'DBAuth' });
}

/** Makes a user able or unable to log in. System users and unknown ones are a 404 (contract 2.3). */
export async function setActive(
  tx: Transaction,
  userId: number,
  isActive: boolean,
  actor: string | null,
): Promise<void> {
  const old = await storedUser(tx, userId, actor);
  if (old['is_system_user'] === true) throw noUser();
  await rewrite(tx, userId, sql.fragment`true`, { is_active_user: isActive });
  if (isActive) return announceAccessChange(tx);
  await endSessionsOf(tx, userId);
  await keepAdministrator(tx);
}

/** Ends all sessions of a user, for every process. */
export async function endSessionsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run(sql`DELETE FROM session WHERE user_id = ${userId}`);
  await announceAccessChange(tx);
}

/** Changes properties of a stored user; json keeps the order of the others. */
async function rewrite(
  tx: Transaction,
  userId: number,
  condition: ReturnType<typeof sql.fragment>,
  change: JsonObject,
): Promise<void> {
  const row = await tx.maybeOne(sql.type(BodyRow)`
    SELECT r.body FROM record r WHERE r.kind = 'user' AND r.id = ${userId} AND ${condition} FOR NO KEY UPDATE`);
  if (row === null) return;
  const body: JsonObject = { ...JSON.parse(row.body), ...change };
  await tx.run(sql`
    WITH kept AS (
      INSERT INTO revision (kind, id, lock_version, repo_id, op, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT kind, id, lock_version, repo_id, 'update', label, publish, suppressed, last_modified_by, user_mtime, body FROM record WHERE kind = 'user' AND id = ${userId}
    ), written AS (
      UPDATE record SET body = ${JSON.stringify(body)}::json, lock_version = lock_version + 1, system_mtime = now(), user_mtime = now()
      WHERE kind = 'user' AND id = ${userId} RETURNING id, lock_version
    ) INSERT INTO change (kind, id, op, lock_version) SELECT 'user', id, 'update', lock_version FROM written`);
  tx.changed();
}

/** Deletes a user, then the agent (contract 2.3). System users are a 403. Jobs of the user go to admin, but for those that have not begun: they end. `lockVersion`: as for deleteRecord. */
export async function deleteUser(
  tx: Transaction,
  userId: number,
  actor: string | null,
  lockVersion: number | null = null,
): Promise<void> {
  // Whoever makes something for the user holds the user (grants.ts): from here on all of it is to be seen, and nothing new comes.
  await tx.run(sql`SELECT FROM ${heldInOrder([{ kind: user.name, id: userId }], 'deletion and links')}`);
  const old = await storedUser(tx, userId, actor);
  if (old['is_system_user'] === true) throw fail('access_denied', 'Access denied');
  const username = textOf(old, 'username') ?? '';
  await tx.run(sql`WITH members AS (DELETE FROM group_member WHERE user_id = ${userId}), passwords AS (DELETE FROM credential WHERE user_id = ${userId}),
    brought AS (DELETE FROM source_credential WHERE user_id = ${userId})
    DELETE FROM invitation WHERE user_id = ${userId}`);
  await leaveJobsOf(tx, username, 'admin');
  await keepAdministrator(tx);
  await deletePreferencesOf(tx, userId, actor);
  await deleteRecord(tx, user, userId, null, actor, lockVersion);
  const agent = agentOf(old);
  const address = agent === null ? null : parseUri(agent);
  if (address !== null && address.kind === 'agent_person') await deleteRecord(tx, agentPerson, address.id, null, actor);
  await announceAccessChange(tx);
}

/** A user as read: the record without `permissions`, and the grants. */
export type UserRead = { readonly id: number; readonly record: JsonObject; readonly grants: Grants };

/** Users by id in the order given, those that do not exist left out; `is_admin` is in the record, `groups` is []. Two statements. */
export async function readUsers(reader: Reader, ids: readonly number[]): Promise<readonly UserRead[]> {
  const [records, grants] = await Promise.all([
    readRecords(reader, new Map([['user', ids]]), { seesSuppressed: true }),
    readGrants(reader, ids),
  ]);
  return ids.flatMap((id) => {
    const found = records.get(`/users/${id}`);
    return found === undefined
      ? []
      : [
          {
            id,
            record: completed(JSON.parse(found.text), grants.get(id) ?? new Map()),
            grants: grants.get(id) ?? new Map(),
          },
        ];
  });
}

function completed(record: JsonObject, grants: Grants): JsonObject {
  return { ...record, groups: [], is_admin: isAdministrator(grants) };
}

/** One user. Fails with `not_found`. */
export async function readUser(reader: Reader, id: number): Promise<UserRead> {
  const [found] = await readUsers(reader, [id]);
  if (found === undefined) throw noUser();
  return found;
}
