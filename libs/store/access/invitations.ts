// Invitations of users who have no password yet: a random token, of which the SHA-256 alone is stored, that is good for one password and for
// a time. A new one takes the place of the last, and a password that is set otherwise ends it.
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { protectAdministrator } from './administrators.ts';
import { holdUser, noUser } from './grants.ts';

const tokenBytes = 32;
const longestToken = 512;

/** An invitation as it is handed out: nobody can read the token again. */
export type Invitation = { readonly username: string; readonly token: string; readonly expiresAt: string };

const ToInvite = z.strictObject({ username: column.text, has_password: column.bool, is_active: column.bool });
const ExpiryRow = z.strictObject({ expires_at: column.time });
const WithoutPassword = z.strictObject({
  id: column.int,
  username: column.text,
  name: column.maybeText,
  email: column.maybeText,
});
/** A user without a password. */
export type WithoutPassword = z.infer<typeof WithoutPassword>;

const nobodyHidden = sql.fragment`r.kind = 'user' AND NOT r.suppressed AND NOT coalesce((r.body->>'is_system_user')::boolean, false)`;
const isActive = sql.fragment`coalesce((r.body->>'is_active_user')::boolean, false)`;

/**
 * Invites a user, for so many hours. Fails with `not_found` for users of the system and unknown ones, with `bad_parameter` for one who has a password or may not log in, with `access_denied` for an
 * administrator where the actor is none.
 */
export async function inviteUser(
  tx: Transaction,
  userId: number,
  hours: number,
  actor: string | null,
): Promise<Invitation> {
  // A password that is being set is seen by whoever asks once the user is held, and not by who waits within the question.
  await holdUser(tx, userId);
  await protectAdministrator(tx, userId, actor);
  const found = await tx.maybeOne(sql.type(ToInvite)`
    SELECT r.body->>'username' AS username, c.user_id IS NOT NULL AS has_password, ${isActive} AS is_active
    FROM record r LEFT JOIN credential c ON c.user_id = r.id WHERE ${nobodyHidden} AND r.id = ${userId}`);
  if (found === null) throw noUser();
  if (found.has_password) throw fail('bad_parameter', { id: [`${found.username} has a password`] });
  if (!found.is_active) throw fail('bad_parameter', { id: [`${found.username} may not log in`] });
  const token = randomBytes(tokenBytes).toString('hex');
  const { expires_at: expiresAt } = await tx.one(sql.type(ExpiryRow)`
    INSERT INTO invitation (user_id, digest, expires_at) VALUES (${userId}, ${digestOf(token)}, now() + ${hours} * interval '1 hour')
    ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at RETURNING expires_at`);
  return { username: found.username, token, expiresAt };
}

/** Whether the token is that of the user's invitation, and still good. */
export async function isInvited(reader: Reader, userId: number, token: string): Promise<boolean> {
  if (token.length > longestToken) return false;
  const row = await reader.maybeOne(
    sql.type(IdRow)`SELECT user_id AS id FROM invitation i WHERE ${isGood(userId, token)}`,
  );
  return row !== null;
}

/** Uses an invitation up; false where it is none, or was used meanwhile. */
export async function useInvitation(tx: Transaction, userId: number, token: string): Promise<boolean> {
  // As who invites, and sets the password, does first.
  await holdUser(tx, userId);
  return (await tx.run(sql`DELETE FROM invitation i WHERE ${isGood(userId, token)}`)) === 1;
}

/** Active users without a password, by name; those of the system are left out, and those whose password the service they came from knows. */
export async function listWithoutPassword(reader: Reader): Promise<readonly WithoutPassword[]> {
  return reader.any(sql.type(WithoutPassword)`
    SELECT r.id, r.body->>'username' AS username, r.body->>'name' AS name, r.body->>'email' AS email
    FROM record r WHERE ${nobodyHidden} AND ${isActive} AND NOT EXISTS (SELECT FROM credential c WHERE c.user_id = r.id)
      AND NOT EXISTS (SELECT FROM source_credential c WHERE c.user_id = r.id)
    ORDER BY r.body->>'username' COLLATE "C"`);
}

/** Removes invitations that are over. Returns how many. */
export async function pruneInvitations(database: Database): Promise<number> {
  return database.transaction((tx) => tx.run(sql`DELETE FROM invitation WHERE expires_at < now()`));
}

const digestOf = (token: string): Fragment => sql.fragment`decode(${hash('sha256', token, 'hex')}, 'hex')`;
const isGood = (userId: number, token: string): Fragment =>
  sql.fragment`i.user_id = ${userId} AND i.digest = ${digestOf(token)} AND i.expires_at > now()`;
