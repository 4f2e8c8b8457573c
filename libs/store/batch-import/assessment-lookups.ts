// What a sheet of assessments names, loaded before it is read: the definitions of a repository, and the agents of users.
import { z } from 'zod';
import type { AssessmentLookups } from '#domain/formats/define-import.ts';
import { user } from '#domain/kinds/user.ts';
import { readAttributeDefinitions } from '../settings/assessment-definitions.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

const UserRow = z.strictObject({ name: column.text, uri: column.text });

/** Definitions of all and of the repository, and person agents by user name. Two statements; users are few. */
export async function readAssessmentLookups(reader: Reader, repoId: number): Promise<AssessmentLookups> {
  const definitions = await readAttributeDefinitions(reader, repoId);
  const users = await reader.any(sql.type(UserRow)`
    SELECT lower(body->>'username') AS name, body->'agent_record'->>'ref' AS uri FROM record
    WHERE kind = ${user.name} AND body->'agent_record'->>'ref' LIKE '/agents/people/%'`);
  return {
    definitions: definitions.map(({ id, label, type }) => ({ id, label, type })),
    agents: new Map(users.map(({ name, uri }) => [name, uri])),
  };
}
