// What users may do: codes granted by groups, and the news that they changed (contract 2.4).
// Group records are groups.ts's; who is behind a session is sessions.ts's.
import { z } from 'zod';
import type { Caller } from '#domain/access/caller.ts';
import { anonymous, globalRepoId } from '#domain/access/caller.ts';
import type { Grants } from '#domain/access/user-permissions.ts';
import { fail } from '#domain/errors.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { heldInOrder } from '../records/writing/lock-order.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** The channel that tells every process that sessions, grants or repositories changed. */
export const accessChannel = 'muniment_access';

/** Tells every process, at the commit, that what it remembers of sessions, grants and repositories may be old. */
export async function announceAccessChange(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT pg_notify(${accessChannel}, '')`);
}

/**
 * The grants of one user as JSON text {"<repository id>": ["code", …]} in the order of the permissions; '{}' where there are
 * none. Served by group_member_user_idx and the primary key of group_grant.
 */
export function grantsText(userId: Fragment): Fragment {
  return sql.fragment`(SELECT coalesce(json_object_agg(held.repo_id, held.codes), '{}') FROM (
    SELECT g.repo_id, json_agg(DISTINCT g.permission_code) AS codes
    FROM group_member m JOIN group_grant g ON g.group_id = m.group_id WHERE m.user_id = ${userId} GROUP BY g.repo_id) AS held)`;
}

/** Parses what `grantsText` gave. */
export function parseGrants(text: string): Grants {
  // The statement above makes this shape.
  const byRepository: { readonly [repoId: string]: readonly string[] } = JSON.parse(text);
  return new Map(Object.entries(byRepository).map(([repoId, codes]) => [Number(repoId), new Set(codes)]));
}

const GrantRow = z.strictObject({ id: column.int, grants: column.text });

/** The grants of users, by user id; a user without any has an empty map. One statement. */
export async function readGrants(reader: Reader, userIds: readonly number[]): Promise<ReadonlyMap<number, Grants>> {
  if (userIds.length === 0) return new Map();
  const rows = await reader.any(sql.type(GrantRow)`
    SELECT u.id, ${grantsText(sql.fragment`u.id`)} AS grants FROM unnest(${sql.array([...userIds], 'int4')}) AS u (id)`);
  return new Map(rows.map((row) => [row.id, parseGrants(row.grants)]));
}

const CallerRow = z.strictObject({ id: column.int, agent_uri: column.maybeText, grants: column.text });

/**
 * A user as a caller, by user name, for work done in the user's name; anonymous where there is none (or a null name). Who is deactivated may do
 * nothing: what such a user asked for before does not begin.
 */
export async function readCaller(reader: Reader, username: string | null): Promise<Caller> {
  if (username === null) return anonymous;
  const row = await reader.maybeOne(sql.type(CallerRow)`
    SELECT r.id, r.body #>> '{agent_record,ref}' AS agent_uri,
      CASE WHEN r.body->>'is_active_user' = 'false' THEN '{}' ELSE ${grantsText(sql.fragment`r.id`)}::text END AS grants
    FROM unique_key k JOIN record r ON r.kind = 'user' AND r.id = k.id WHERE k.rule = 'user.username' AND k.scope = '' AND k.value = ${username}`);
  return row === null
    ? anonymous
    : { userId: row.id, username, agentUri: row.agent_uri, grants: parseGrants(row.grants) };
}

/**
 * Refuses a change that leaves nobody who administers the service and can log in: only the next start would bring one back. Who has no password, as a
 * load leaves users, is none of these, even where an invitation to choose one is out: nobody may take it up. Whoever is
 * found stays until the transaction has ended, and so does the grant by which they are one: two who remove each other, or take the grant from two
 * groups, in one moment do not both find the other.
 */
export async function keepAdministrator(tx: Transaction): Promise<void> {
  const administrator = await tx.maybeOne(sql.type(IdRow)`
    SELECT m.user_id AS id FROM group_grant g JOIN group_member m ON m.group_id = g.group_id
    JOIN record u ON u.kind = 'user' AND u.id = m.user_id
    WHERE g.repo_id = ${globalRepoId} AND g.permission_code = 'administer_system' AND u.body->>'is_active_user' = 'true'
      AND (EXISTS (SELECT FROM credential c WHERE c.user_id = u.id) OR EXISTS (SELECT FROM source_credential c WHERE c.user_id = u.id))
    ORDER BY m.user_id LIMIT 1 FOR SHARE OF g, m, u`);
  if (administrator === null) throw fail('conflict', 'This would leave the service without an administrator');
}

/**
 * Holds users until the transaction ends, and gives those that are there: who deletes one waits for that, and finds what was made for the user
 * meanwhile, such as a membership.
 */
export async function holdUsers(tx: Transaction, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const keys = ids.map((id) => ({ kind: 'user', id }));
  const rows = await tx.any(sql.type(IdRow)`SELECT r.id FROM ${heldInOrder(keys, 'deletion')}`);
  return rows.map(({ id }) => id);
}

/** Holds a user against others who change the account, or give it a password or a way to one. Ask what there is in a statement behind it. */
export async function holdUser(tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`SELECT FROM ${heldInOrder([{ kind: 'user', id }], 'writes')}`);
}

/** The failure that every route answers for a user that does not exist. */
export const noUser = (): ReturnType<typeof fail> => fail('not_found', "User wasn't found");

/** Whether grants make an administrator (contract 2.3: `is_admin`). */
export function isAdministrator(grants: Grants | undefined): boolean {
  return grants?.get(globalRepoId)?.has('administer_system') === true;
}
