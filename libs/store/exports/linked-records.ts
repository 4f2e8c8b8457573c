// The records that name an agent, for the relations of EAC-CPF (contract behaviour-exports 6).
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { LinkedRecord } from '#domain/formats/define-export.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Whose records are told: published ones with nothing unpublished above them, or all in the repositories named ('all': in any). */
export type Told = { readonly publishedOnly: boolean; readonly repositories: 'all' | readonly number[] };

const Row = z.strictObject({
  kind: column.text,
  id: column.int,
  repo_id: column.int,
  title: column.maybeText,
  role: column.maybeText,
});
type Row = z.infer<typeof Row>;

/**
 * Resources, archival objects and digital objects that link to an agent, once for each role, by kind and id; suppressed ones never. One
 * statement, served by link_target_idx.
 */
export async function linkedRecordsOf(
  reader: Reader,
  kind: string,
  id: number,
  { publishedOnly, repositories }: Told,
): Promise<readonly LinkedRecord[]> {
  const published = publishedOnly
    ? sql.fragment`AND r.publish AND EXISTS (SELECT FROM record p WHERE p.kind = 'repository' AND p.id = r.repo_id AND p.publish IS NOT FALSE) AND NOT has_hidden_ancestor(r.kind, r.id, r.repo_id)`
    : sql.fragment``;
  const within =
    repositories === 'all'
      ? sql.fragment``
      : sql.fragment`AND r.repo_id = ANY(${sql.array([...repositories], 'int4')})`;
  const rows = await reader.any(sql.type(Row)`
    SELECT DISTINCT l.source_kind AS kind, l.source_id AS id, r.repo_id, coalesce(r.body->>'title', r.label) AS title, l.role
    FROM link l JOIN record r ON r.kind = l.source_kind AND r.id = l.source_id AND r.kind IN ('resource', 'archival_object', 'digital_object')
    WHERE l.target_kind = ${kind} AND l.target_id = ${id} AND l.property = 'linked_agents' AND NOT r.suppressed ${published} ${within}
    ORDER BY kind DESC, id, role`);
  return rows.map((row) => ({
    uri: uriOf(kindNamed(row.kind), row.id, row.repo_id),
    title: row.title ?? '',
    role: row.role ?? '',
  }));
}
