// Groups: the record is a body like any other, members and grants are rows (contract 2.5). Who may change a group is checked
// by the route; here nobody gives a permission that they do not hold.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { textsOf } from '#domain/json.ts';
import { group } from '#domain/kinds/group.ts';
import type { Caller } from '#domain/access/caller.ts';
import { can, derivedPermissions, globalRepoId } from '#domain/access/caller.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { announceAccessChange, holdUsers, keepAdministrator, noUser } from './grants.ts';
import { notifyClients } from '../change-log/notifications.ts';
import { deleteRecord } from '../records/deleting/delete.ts';
import { readRecords } from '../records/reading/read.ts';
import type { WriteContext } from '../records/writing/write-context.ts';
import type { Written } from '../records/writing/write.ts';
import { createRecord, updateRecord } from '../records/writing/write.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** Who changes a group of which repository. `caller` null: the service itself, which may grant anything. */
export type GroupContext = WriteContext & { readonly repoId: number; readonly caller: Caller | null };

/** Creates a group with members and grants. Fails with `bad_parameter`, `access_denied` or `not_unique`. */
export async function createGroup(tx: Transaction, prepared: Prepared, context: GroupContext): Promise<Written> {
  const written = await createRecord(tx, group, ownPart(prepared), context);
  await writeGrants(tx, written.id, textsOf(prepared.body, 'grants_permissions'), context);
  await writeMembers(tx, written.id, textsOf(prepared.body, 'member_usernames'), context);
  await announceGroups(tx);
  return written;
}

/** Replaces a group: its grants, and its members where `withMembers`. Fails as createGroup, and with `stale_record`. */
export async function updateGroup(
  tx: Transaction,
  id: number,
  prepared: Prepared,
  lockVersion: unknown,
  withMembers: boolean,
  context: GroupContext,
): Promise<Written> {
  const written = await updateRecord(tx, group, id, ownPart(prepared), lockVersion, context);
  await writeGrants(tx, id, textsOf(prepared.body, 'grants_permissions'), context);
  if (withMembers) await writeMembers(tx, id, textsOf(prepared.body, 'member_usernames'), context);
  if (context.repoId === globalRepoId) await keepAdministrator(tx);
  await announceGroups(tx);
  return written;
}

/** What groups grant, or to whom, has changed: for every process, and for clients that remember permissions. */
async function announceGroups(tx: Transaction): Promise<void> {
  await announceAccessChange(tx);
  await notifyClients(tx, 'REFRESH_ACLS');
}

/** Deletes a group with its grants and memberships. Fails as deleteRecord. */
export async function deleteGroup(
  tx: Transaction,
  id: number,
  repoId: number,
  actor: string | null,
  lockVersion: number | null = null,
): Promise<void> {
  await deleteRecord(tx, group, id, repoId, actor, lockVersion);
  await tx.run(
    sql`WITH members AS (DELETE FROM group_member WHERE group_id = ${id}) DELETE FROM group_grant WHERE group_id = ${id}`,
  );
  if (repoId === globalRepoId) await keepAdministrator(tx);
  await announceGroups(tx);
}

function ownPart(prepared: Prepared): Prepared {
  const { member_usernames: _members, grants_permissions: _grants, ...body } = prepared.body;
  return { ...prepared, body };
}

const GrantRow = z.strictObject({ code: column.text, level: column.text, held: column.bool });

/** Makes `codes` the grants of a group. Derived codes are left out, unknown ones are a 400, global ones need the global repository. */
async function writeGrants(
  tx: Transaction,
  groupId: number,
  codes: readonly string[],
  context: GroupContext,
): Promise<void> {
  const stored = [...new Set(codes)].filter(
    (code) => derivedPermissions[code] === undefined && code !== 'edit_user_self',
  );
  const known = await tx.any(sql.type(GrantRow)`
    SELECT p.code, p.level, EXISTS (SELECT FROM group_grant g WHERE g.group_id = ${groupId} AND g.permission_code = p.code) AS held
    FROM permission p WHERE p.code = ANY(${sql.array(stored, 'text')})`);
  const unknown = stored.filter((code) => !known.some((row) => row.code === code));
  if (unknown.length > 0)
    throw fail('bad_parameter', { grants_permissions: unknown.map((code) => `Unknown permission code: ${code}`) });
  const isGlobal = context.repoId === globalRepoId;
  for (const row of known) {
    if (row.level === 'global' && !isGlobal) throw fail('access_denied', 'Access denied');
    // Beyond the reference: nobody gives what they lack. What the group has already may stay.
    if (!row.held && !mayGive(context.caller, row.code, context.repoId)) throw fail('access_denied', 'Access denied');
  }
  await tx.run(
    sql`DELETE FROM group_grant WHERE group_id = ${groupId} AND permission_code <> ALL(${sql.array(stored, 'text')})`,
  );
  await tx.run(sql`INSERT INTO group_grant (group_id, repo_id, permission_code)
    SELECT ${groupId}, ${context.repoId}, code FROM unnest(${sql.array(stored, 'text')}) AS u (code) ON CONFLICT DO NOTHING`);
}

const UserRow = z.strictObject({ id: column.int, username: column.text });

/** Makes the named users the members of a group; names that nobody has are a 400 (contract 1.3). */
async function writeMembers(
  tx: Transaction,
  groupId: number,
  usernames: readonly string[],
  context: GroupContext,
): Promise<void> {
  const wanted = [...new Set(usernames.map((name) => name.trim().toLowerCase()))];
  const named = await tx.any(sql.type(UserRow)`
    SELECT id, value AS username FROM unique_key WHERE rule = 'user.username' AND scope = '' AND value = ANY(${sql.array(wanted, 'text')})`);
  const held = await holdUsers(
    tx,
    named.map((user) => user.id),
  );
  const users = named.filter((user) => held.includes(user.id));
  const missing = wanted.filter((name) => !users.some((user) => user.username === name));
  if (missing.length > 0)
    throw fail('bad_parameter', {
      member_usernames: [
        missing.length === 1 ? `User ${missing[0]} does not exist` : `Users ${missing.join(', ')} do not exist`,
      ],
    });
  const ids = sql.array(
    users.map((user) => user.id),
    'int4',
  );
  await refuseGiving(
    tx,
    sql.fragment`g.group_id = ${groupId} AND EXISTS (SELECT FROM unnest(${ids}) AS u (id) WHERE NOT EXISTS (
    SELECT FROM group_member m WHERE m.group_id = ${groupId} AND m.user_id = u.id))`,
    context.repoId,
    context.caller,
  );
  await tx.run(sql`DELETE FROM group_member WHERE group_id = ${groupId} AND user_id <> ALL(${ids})`);
  await tx.run(
    sql`INSERT INTO group_member (group_id, repo_id, user_id) SELECT ${groupId}, ${context.repoId}, id FROM unnest(${ids}) AS u (id) ON CONFLICT DO NOTHING`,
  );
}

/** The service itself, and administrators: they lack show_full_agents (contract permissions.json), and could give it to themselves. */
const mayGiveAll = (caller: Caller | null): boolean => caller === null || can(caller, 'administer_system', null);
const mayGive = (caller: Caller | null, code: string, repoId: number): boolean =>
  caller === null || mayGiveAll(caller) || can(caller, code, repoId);

const PermissionCodeRow = z.strictObject({ permission_code: column.text });

/**
 * Refuses where groups that somebody is about to join grant what the caller lacks: nobody gives, by membership neither, what they do not
 * have. `joined` is a condition over group_grant `g` that holds for grants of groups with a new member. `caller` null: the service itself.
 */
async function refuseGiving(tx: Transaction, joined: Fragment, repoId: number, caller: Caller | null): Promise<void> {
  if (mayGiveAll(caller)) return;
  const grants = await tx.any(sql.type(PermissionCodeRow)`
    SELECT DISTINCT g.permission_code FROM group_grant g WHERE ${joined}`);
  if (grants.some((grant) => !mayGive(caller, grant.permission_code, repoId)))
    throw fail('access_denied', 'Access denied');
}

/**
 * Makes the groups of the uris the user's groups of a repository (contract 2.3); those of other repositories stay. Fails with
 * `not_found` for a user or group that is not there, with `access_denied` for one that grants what the caller lacks and that the user is not in yet.
 */
export async function setGroupsOf(
  tx: Transaction,
  userId: number,
  repoId: number,
  groupIds: readonly number[],
  caller: Caller | null,
): Promise<void> {
  const wanted = [...new Set(groupIds)];
  if ((await holdUsers(tx, [userId])).length === 0) throw noUser();
  // Held, as the user is: a group or a repository that is deleted at this moment takes the membership with it, or is not there any more.
  const known = await tx.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'group' AND repo_id = ${repoId} AND id = ANY(${sql.array(wanted, 'int4')}) ORDER BY id FOR KEY SHARE`);
  if (known.length < wanted.length) throw fail('not_found', 'Group not found');
  await refuseGiving(
    tx,
    sql.fragment`g.group_id = ANY(${sql.array(wanted, 'int4')}) AND NOT EXISTS (SELECT FROM group_member m WHERE m.group_id = g.group_id AND m.user_id = ${userId})`,
    repoId,
    caller,
  );
  await tx.run(
    sql`DELETE FROM group_member WHERE user_id = ${userId} AND repo_id = ${repoId} AND group_id <> ALL(${sql.array(wanted, 'int4')})`,
  );
  await tx.run(
    sql`INSERT INTO group_member (group_id, repo_id, user_id) SELECT id, ${repoId}, ${userId} FROM unnest(${sql.array(wanted, 'int4')}) AS u (id) ON CONFLICT DO NOTHING`,
  );
  if (repoId === globalRepoId) await keepAdministrator(tx);
  await announceGroups(tx);
}

/** Adds a user to the group of this code in the global repository, or takes them out. */
export async function setGlobalMembership(
  tx: Transaction,
  userId: number,
  groupCode: string,
  isMember: boolean,
): Promise<void> {
  const code = sql.fragment`(SELECT id FROM unique_key WHERE rule = 'group.group_code' AND scope = ${`r${globalRepoId}`} AND value = ${groupCode})`;
  const changed = isMember
    ? await tx.run(
        sql`INSERT INTO group_member (group_id, repo_id, user_id) SELECT id, ${globalRepoId}, ${userId} FROM ${code} AS g ON CONFLICT DO NOTHING`,
      )
    : await tx.run(sql`DELETE FROM group_member WHERE user_id = ${userId} AND group_id = ${code}`);
  if (!isMember) await keepAdministrator(tx);
  if (changed > 0) await announceGroups(tx);
}

const GroupRow = z.strictObject({ id: column.int, grants: column.text, members: column.text });

/** The texts of groups of a repository by ascending id, with grants; with members where asked, [] otherwise. `only`: one id, those of a code, those changed since a time in epoch seconds. */
export async function readGroups(
  reader: Reader,
  repoId: number,
  only: { readonly id?: number; readonly code?: string; readonly modifiedSince?: number },
  withMembers: boolean,
): Promise<readonly string[]> {
  const id = only.id === undefined ? sql.fragment`` : sql.fragment` AND r.id = ${only.id}`;
  const code = only.code === undefined ? sql.fragment`` : sql.fragment` AND r.label = ${only.code}`;
  const since = sql.fragment` AND r.system_mtime >= to_timestamp(${only.modifiedSince ?? 0})`;
  const members = withMembers
    ? sql.fragment`coalesce((SELECT json_agg(u.label ORDER BY u.label) FROM group_member m JOIN record u ON u.kind = 'user' AND u.id = m.user_id WHERE m.group_id = r.id), '[]')`
    : sql.fragment`'[]'::json`;
  const rows = await reader.any(sql.type(GroupRow)`
    SELECT r.id, ${members} AS members, coalesce((
      SELECT json_agg(g.permission_code ORDER BY p.id) FROM group_grant g JOIN permission p ON p.code = g.permission_code WHERE g.group_id = r.id), '[]') AS grants
    FROM record r WHERE r.kind = 'group' AND r.repo_id = ${repoId}${id}${code}${since} ORDER BY r.id`);
  const records = await readRecords(reader, new Map([['group', rows.map((row) => row.id)]]), { seesSuppressed: true });
  return rows.flatMap((row) => {
    const record = records.get(uriOf(group, row.id, repoId));
    return record === undefined
      ? []
      : [`${record.text.slice(0, -1)},"member_usernames":${row.members},"grants_permissions":${row.grants}}`];
  });
}

const GroupIdRow = z.strictObject({ group_id: column.int });

/** Uris of the groups of a repository that a user is a member of, by ascending id. */
export async function groupUrisOf(reader: Reader, userId: number, repoId: number): Promise<readonly string[]> {
  const rows = await reader.any(sql.type(GroupIdRow)`
    SELECT group_id FROM group_member WHERE user_id = ${userId} AND repo_id = ${repoId} ORDER BY group_id`);
  return rows.map((row) => uriOf(group, row.group_id, repoId));
}

/** A group body for the service's own groups. */
export function groupBody(
  code: string,
  description: string,
  grants: readonly string[],
  members: readonly string[],
): Prepared {
  const body: JsonObject = {
    jsonmodel_type: 'group',
    group_code: code,
    description,
    member_usernames: members,
    grants_permissions: grants,
  };
  return { body, links: [], newEnumerationValues: [], warnings: {} };
}
