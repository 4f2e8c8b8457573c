// Links that many records get in addition to those they have, in one statement: what a job adds to bodies with reviseMany.
import type { Kind } from '#domain/kind.ts';
import type { LinkRow } from '#domain/checking/split.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import { checkTargets } from './links.ts';

/** Appends links to records that the transaction holds and that are not suppressed; targets must be of kinds that never are. Fails with `unknown_reference`. */
export async function appendLinks(
  tx: Transaction,
  kind: Kind,
  repoId: number,
  all: readonly { readonly id: number; readonly link: LinkRow }[],
): Promise<void> {
  if (all.length === 0) return;
  await checkTargets(
    tx,
    all.map(({ link }) => link),
    repoId,
    null,
  );
  const rows = all.map(({ id, link }, index) => [id, index, link.property, link.targetKind, link.targetId, link.role]);
  await tx.run(sql`
    WITH given AS (SELECT *, row_number() OVER (PARTITION BY id ORDER BY at) AS nth FROM ${sql.unnest(rows, ['int4', 'int4', 'text', 'text', 'int4', 'text'])} AS u (id, at, property, target_kind, target_id, role)),
      behind AS (SELECT source_id, max(ordinal) AS last FROM link WHERE source_kind = ${kind.name} AND source_id IN (SELECT id FROM given) GROUP BY source_id)
    INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role)
    SELECT ${kind.name}, g.id, coalesce(b.last, -1) + g.nth, g.property, g.target_kind, g.target_id, ${repoId}::int, g.role FROM given g LEFT JOIN behind b ON b.source_id = g.id`);
}
