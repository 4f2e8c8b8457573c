// The permissions that groups can grant, as clients read them (contract 2.4). Which there are stands in db/reference/permissions.json, who holds
// them in grants.ts.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

const PermissionRow = z.strictObject({
  id: column.int,
  code: column.text,
  description: column.text,
  level: column.text,
  create_time: column.time,
});

/** Permissions of a level, or of both (null), by ascending id; hidden ones left out. */
export async function listPermissions(reader: Reader, level: string | null): Promise<readonly JsonObject[]> {
  const rows = await reader.any(sql.type(PermissionRow)`
    SELECT id, code, description, level, create_time FROM permission WHERE NOT hidden AND (${level}::text IS NULL OR level = ${level}) ORDER BY id`);
  return rows.map((row) => ({
    permission_code: row.code,
    description: row.description,
    level: row.level,
    create_time: row.create_time,
    system_mtime: row.create_time,
    user_mtime: row.create_time,
    jsonmodel_type: 'permission',
    uri: `/permissions/${row.id}`,
  }));
}
