// Who a job runs for: a caller by user name, with the permissions as they are now.
import type { Caller } from '#domain/rules/caller.ts';
import { anonymous } from '#domain/rules/caller.ts';
import type { Reader } from './database.ts';
import { grantsText, parseGrants } from './grants.ts';
import { sql } from './sql.ts';

/** The caller of a user name; an anonymous one, who may nothing, where the user is gone or none is named. */
export async function readCaller(reader: Reader, username: string | null): Promise<Caller> {
  if (username === null) return anonymous;
  const row = await reader.maybeOne<{ id: number; grants: string; agent_id: number | null }>(sql`
    SELECT u.id, ${grantsText(sql.fragment`u.id`)} AS grants,
      (SELECT l.target_id FROM link l WHERE l.source_kind = 'user' AND l.source_id = u.id AND l.property = 'agent_record' LIMIT 1) AS agent_id
    FROM record u JOIN unique_key k ON k.kind = 'user' AND k.id = u.id WHERE u.kind = 'user' AND k.rule = 'user.username' AND k.value = ${username}`);
  if (row === null) return anonymous;
  return { userId: row.id, username, agentUri: row.agent_id === null ? null : `/agents/people/${row.agent_id}`, grants: parseGrants(row.grants) };
}
