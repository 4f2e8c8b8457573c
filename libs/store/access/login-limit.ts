// Limits on failed logins, shared by all processes, so that passwords cannot be tried by the thousand (contract 7.1; OWASP ASVS 4.0, 2.2.1).
// Counted are: those of a minute at a user from an address; those of an hour at a user from wherever; those of an hour from an address, whoever
// is tried. Where a user has logged in before, the failures of others hold nobody up: there only those at the same user from there count.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { networkOf } from '#domain/access/network.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** Failed logins that are allowed; 0 is no limit. */
export type LoginLimits = {
  /** A minute, at a user from an address. */
  readonly pairPerMinute: number;
  /** An hour, at a user. */
  readonly userPerHour: number;
  /** An hour, from an address. */
  readonly addressPerHour: number;
};

/** Who is tried, and from where. */
export type LoginAttempt = { readonly username: string; readonly address: string };

/** How long a place is remembered in which nobody logged in any more, in days. */
const placeDays = 90;

const BlockedRow = z.strictObject({ blocked: column.bool });

/** Says whether a login may be tried at all. */
export class LoginLimit {
  readonly #limits: LoginLimits;

  constructor(limits: LoginLimits) {
    this.#limits = limits;
  }

  /** Whether one of the limits of this attempt is used up. One statement by primary keys. */
  async isBlocked(reader: Reader, attempt: LoginAttempt): Promise<boolean> {
    const { blocked } = await reader.one(sql.type(BlockedRow)`
      SELECT EXISTS (SELECT FROM ${this.#tallies(attempt)} JOIN login_failure f ON f.scope = t.scope AND f.subject = t.subject
        WHERE f.failures >= t.most AND f.since > now() - t.seconds * interval '1 second') AS blocked`);
    return blocked;
  }

  /** Counts a failed login; true where it used up a limit. */
  async failed(tx: Transaction, attempt: LoginAttempt): Promise<boolean> {
    // In one order, so that no two of them wait for each other.
    const rows = await tx.any(sql.type(NumberRow)`
      WITH tally AS MATERIALIZED (SELECT t.* FROM ${this.#tallies(attempt)} ORDER BY t.scope), counted AS (
        INSERT INTO login_failure AS f (scope, subject, since, failures) SELECT scope, subject, now(), 1 FROM tally ORDER BY scope
        ON CONFLICT (scope, subject) DO UPDATE SET
          failures = CASE WHEN f.since > now() - ${windowOf(sql.fragment`f.scope`)} THEN f.failures + 1 ELSE 1 END,
          since = CASE WHEN f.since > now() - ${windowOf(sql.fragment`f.scope`)} THEN f.since ELSE now() END
        RETURNING scope, failures)
      SELECT count(*) AS n FROM counted c JOIN tally t USING (scope) WHERE c.failures = t.most`);
    return (rows[0]?.n ?? 0) > 0;
  }

  /** A login succeeded: the failures of this user from there no longer count, and the place is known from now on. */
  async succeeded(tx: Transaction, attempt: LoginAttempt): Promise<void> {
    const { pair } = subjectsOf(attempt);
    await tx.run(sql`DELETE FROM login_failure WHERE scope IN ('known', 'pair') AND subject = ${pair}`);
    await tx.run(sql`INSERT INTO login_place AS p (subject) VALUES (${pair})
      ON CONFLICT (subject) DO UPDATE SET last_login = now() WHERE p.last_login < now() - interval '1 day'`);
  }

  /** The tallies that count for an attempt, as `t` (scope, subject, most, seconds). */
  #tallies(attempt: LoginAttempt): Fragment {
    const { pair, user, address } = subjectsOf(attempt);
    const { pairPerMinute, userPerHour, addressPerHour } = this.#limits;
    return sql.fragment`(SELECT v.* FROM (VALUES
        ('pair', ${pair}, ${pairPerMinute}::int, 60, NULL::boolean), ('known', ${pair}, ${userPerHour}::int, 3600, true),
        ('user', ${user}, ${userPerHour}::int, 3600, false), ('address', ${address}, ${addressPerHour}::int, 3600, false))
      AS v (scope, subject, most, seconds, known)
      WHERE v.most > 0 AND (v.known IS NULL OR v.known = EXISTS (SELECT FROM login_place p WHERE p.subject = ${pair}))) AS t`;
  }
}

const windowOf = (scope: Fragment): Fragment =>
  sql.fragment`CASE ${scope} WHEN 'pair' THEN interval '1 minute' ELSE interval '1 hour' END`;

const digest = (text: string): Fragment => sql.fragment`decode(${hash('sha256', text, 'hex')}, 'hex')`;

function subjectsOf({ username, address }: LoginAttempt): {
  readonly [scope in 'pair' | 'user' | 'address']: Fragment;
} {
  const network = networkOf(address);
  // A name holds no line break.
  return { pair: digest(`${username}\n${network}`), user: digest(username), address: digest(network) };
}

/** Removes what counts no more. Returns how many. */
export async function pruneLogins(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const failures = await tx.run(sql`DELETE FROM login_failure WHERE since < now() - interval '1 hour'`);
    return (
      failures + (await tx.run(sql`DELETE FROM login_place WHERE last_login < now() - ${placeDays} * interval '1 day'`))
    );
  });
}
