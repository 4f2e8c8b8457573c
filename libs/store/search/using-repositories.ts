// Which repositories use records of no repository, and which of them in something public: for search documents.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { repository } from '#domain/kinds/repository.ts';
import { kindsWhere } from '#domain/search/declared.ts';
import type { Material } from '#domain/search/documents/material.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { ofKinds } from '../records/of-kinds.ts';
import type { RecordRow } from '../records/reading/row.ts';
import { keyTable } from '../records/record-key.ts';

/** Kinds of no repository whose documents name the repositories that use them: those that follow their use, agents and subjects. */
const used: ReadonlySet<string> = new Set(
  kindsWhere(({ showsUse }, { scope }) => scope === 'global' && showsUse !== undefined),
);

const UseRow = z.strictObject({
  kind: column.text,
  id: column.int,
  repo_id: column.int,
  is_public: column.bool,
  kinds: column.texts,
});

const UsedRow = z.strictObject({ kind: column.text, id: column.int, repo_id: column.int });

/**
 * Which repositories use a record of no repository: one walk of its links, and for each public repository a look for one public record. That an event
 * was about it is no use (as records tell: records/reading/computed/use.ts). Two statements at most.
 */
export async function readUsingRepositories(tx: Transaction, rows: readonly RecordRow[]): Promise<Material['used']> {
  const wanted = rows.filter((row) => used.has(row.kind));
  if (wanted.length === 0) return [];
  const found = await tx.any(sql.type(UseRow)`
    SELECT u.kind, u.id, used.repo_id, coalesce(p.publish, false) AS is_public, used.kinds FROM ${keyTable(wanted)} AS u (kind, id)
    CROSS JOIN LATERAL (
      SELECT repo_id, array_agg(source_kind) AS kinds FROM (
        SELECT DISTINCT l.repo_id, l.source_kind FROM link l
        WHERE l.target_kind = u.kind AND l.target_id = u.id AND l.repo_id <> ${globalRepoId} AND l.property <> 'linked_records') AS l GROUP BY repo_id) AS used
    LEFT JOIN record p ON p.kind = ${repository.name} AND p.id = used.repo_id`);
  const published = await readPublishedUse(
    tx,
    found.filter((use) => use.is_public),
  );
  const uses = new Map<string, { readonly all: string[]; readonly published: string[] }>();
  for (const { kind, id, repo_id: repoId } of found) {
    const uri = uriOf(kindNamed(kind), id, null);
    const use = uses.get(uri) ?? { all: [], published: [] };
    use.all.push(`/repositories/${repoId}`);
    if (published.has(`${kind} ${id} ${repoId}`)) use.published.push(`/repositories/${repoId}`);
    uses.set(uri, use);
  }
  return [...uses].map(([uri, use]) => [uri, use.all, use.published]);
}

/** Those uses of which one record is public. */
async function readPublishedUse(
  tx: Transaction,
  found: readonly z.infer<typeof UseRow>[],
): Promise<ReadonlySet<string>> {
  if (found.length === 0) return new Set();
  const rows = await tx.any(sql.type(UsedRow)`
    SELECT u.kind, u.id, u.repo_id FROM ${sql.unnest(
      found.map(({ kind, id, repo_id: repoId }) => [kind, id, repoId]),
      ['text', 'int4', 'int4'],
    )} AS u (kind, id, repo_id) WHERE EXISTS (
      SELECT FROM link l CROSS JOIN LATERAL (
        SELECT FROM record r WHERE r.kind = l.source_kind AND r.id = l.source_id AND ${ofKinds(found.flatMap(({ kinds }) => kinds))} AND r.publish AND NOT r.suppressed OFFSET 0) r
      WHERE l.target_kind = u.kind AND l.target_id = u.id AND l.repo_id = u.repo_id)`);
  return new Set(rows.map(({ kind, id, repo_id: repoId }) => `${kind} ${id} ${repoId}`));
}
