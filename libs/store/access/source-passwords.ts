// Passwords that users had in the service they came from. Their hashes (bcrypt) are kept apart from our own: at the first login that fits, our own hash
// takes the place. A password that is set otherwise ends them, and so does the end of the account.
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { longestPassword } from '#domain/access/password-rules.ts';
import { toUsername } from '#domain/text/username.ts';
import { column } from '../connection/columns.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { holdUser } from './grants.ts';
import { Turns } from '../connection/turns.ts';

// What others wrote is run here: above this cost one login would take a core for minutes.
const highestCost = 14;
const form = /^\$2[aby]\$(0[4-9]|1\d|2\d|3[01])\$[./A-Za-z0-9]{53}$/;

/** Why a hash is not taken; null: it is. */
function faultOf(hash: string): string | null {
  const cost = form.exec(hash)?.[1];
  if (cost === undefined) return 'the hash is none of bcrypt';
  return Number(cost) > highestCost ? `the hash costs ${cost}, and ${highestCost} is the most` : null;
}

/** A user name, and the hash that the source has. */
export type SourcePassword = { readonly username: string; readonly hash: string };

/** Names that were not taken, and why; hashes are never in it. */
export type Taken = {
  readonly taken: number;
  readonly refused: readonly { readonly username: string; readonly reason: string }[];
};

const Known = z.strictObject({
  id: column.int,
  username: column.text,
  is_hidden: column.bool,
  is_system: column.bool,
  has_password: column.bool,
});

/** Keeps the hashes of users who have no password here. Whoever has one, belongs to the system or is unknown keeps what there is. */
export async function takeSourcePasswords(tx: Transaction, given: readonly SourcePassword[]): Promise<Taken> {
  const named = given.map(({ username, hash }) => ({ username, hash, name: toUsername(username) }));
  const whose = sql.fragment`k.rule = 'user.username' AND k.scope = '' AND k.value = ANY (${sql.array(
    named.flatMap(({ name }) => name ?? []),
    'text',
  )})`;
  // A password that is being set is seen by whoever asks once the user is held, and not by who waits within the question.
  await holdRecords(tx, sql.fragment`SELECT k.kind, k.id FROM unique_key k WHERE ${whose}`, 'writes');
  const rows = await tx.any(sql.type(Known)`
    SELECT r.id, k.value AS username, r.suppressed AS is_hidden, coalesce((r.body->>'is_system_user')::boolean, false) AS is_system,
      EXISTS (SELECT FROM credential c WHERE c.user_id = r.id) AS has_password
    FROM unique_key k JOIN record r ON r.kind = 'user' AND r.id = k.id
    WHERE ${whose} ORDER BY r.id`);
  const users = new Map(rows.map((row) => [row.username, row]));
  const refused: { username: string; reason: string }[] = [];
  const taken = new Map<number, string>();
  for (const { username, hash, name } of named) {
    const known = name === null ? undefined : users.get(name);
    const reason =
      known === undefined || known.is_hidden || (known.is_system && !known.has_password)
        ? 'there is no such user'
        : known.has_password
          ? 'the user has a password here'
          : taken.has(known.id)
            ? 'the name occurs more than once'
            : faultOf(hash);
    if (reason !== null) refused.push({ username, reason });
    else if (known !== undefined) taken.set(known.id, hash);
  }
  await tx.run(sql`
    INSERT INTO source_credential (user_id, password_hash) SELECT * FROM ${sql.unnest([...taken], ['int4', 'text'])}
    ON CONFLICT (user_id) DO UPDATE SET password_hash = excluded.password_hash, taken_at = now()`);
  return { taken: taken.size, refused };
}

const HashRow = z.strictObject({ hash: column.text });

/** One of the dearest hashes that are kept, so that a login which fails can cost as much as one of those who brought a hash; null: there is none. */
export async function findDearestHash(reader: Reader): Promise<string | null> {
  const row = await reader.maybeOne(
    sql.type(
      HashRow,
    )`SELECT password_hash AS hash FROM source_credential ORDER BY substr(password_hash, 5, 2) DESC LIMIT 1`,
  );
  return row?.hash ?? null;
}

/** Takes the hash away that a user brought, if it is still this one; false where another login was first, or a password was set. */
export async function useSourceHash(tx: Transaction, userId: number, hash: string): Promise<boolean> {
  // First, as whoever sets a password.
  await holdUser(tx, userId);
  return (await tx.run(sql`DELETE FROM source_credential WHERE user_id = ${userId} AND password_hash = ${hash}`)) === 1;
}

// bcrypt is pure JavaScript here, and takes a core for up to a second: a thread of its own each time, which is seldom, and two at a time.
const turns = new Turns(2);

/** Whether the password fits a hash of bcrypt. False where the hash is none, or costs more than is taken. */
export async function fitsSourceHash(password: string, hash: string): Promise<boolean> {
  if (faultOf(hash) !== null || password.length > longestPassword) return false;
  const endTurn = await turns.take();
  try {
    return await new Promise<boolean>((resolve, reject) => {
      const thread = new Worker(new URL('./bcrypt-thread.ts', import.meta.url), { workerData: { password, hash } });
      thread.once('message', (fits: unknown) => resolve(fits === true));
      thread.once('error', reject);
      thread.once('exit', () => resolve(false));
    });
  } finally {
    endTurn();
  }
}
