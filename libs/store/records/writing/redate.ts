// Re-dating records that did not change themselves, where what they show follows from others that did (contract 5.1, 5.5):
// `system_mtime` rises and a change is logged, so that indexes and harvesters look again.
import { topContainer } from '#domain/kinds/top_container.ts';
import { IdRow } from '../../connection/columns.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { appendManyFrom } from '../../change-log/append.ts';
import { sql } from '../../connection/sql.ts';
import type { IdsOfKind } from '../visibility/reach.ts';

/** Re-dates records of a kind, those that exist; locks in order of id. */
export async function redateRecords(tx: Transaction, { kind, ids }: IdsOfKind, actor: string | null): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(sql`
    WITH held AS (SELECT r.id FROM unnest(${sql.array([...ids], 'int4')}) AS u (id) JOIN record r ON r.kind = ${kind.name} AND r.id = u.id ORDER BY r.id FOR NO KEY UPDATE OF r),
    written AS (UPDATE record r SET system_mtime = now() FROM held WHERE r.kind = ${kind.name} AND r.id = held.id RETURNING r.kind, r.id, r.repo_id, r.lock_version)
    ${appendManyFrom('written', 'update', actor)}`);
  tx.changed();
}

/** Re-dates the top containers that records are in, for what is public of them, or in them at all, changed. */
export async function redateContainers(tx: Transaction, { kind, ids }: IdsOfKind, actor: string | null): Promise<void> {
  await tx.run(sql`
    WITH used AS (SELECT DISTINCT l.target_id AS id FROM unnest(${sql.array([...ids], 'int4')}) AS u (id)
      JOIN link l ON l.source_kind = ${kind.name} AND l.source_id = u.id AND l.target_kind = ${topContainer.name}),
    held AS (SELECT r.id FROM record r JOIN used USING (id) WHERE r.kind = ${topContainer.name} ORDER BY r.id FOR NO KEY UPDATE OF r),
    written AS (UPDATE record r SET system_mtime = now() FROM held WHERE r.kind = ${topContainer.name} AND r.id = held.id RETURNING r.kind, r.id, r.repo_id, r.lock_version)
    ${appendManyFrom('written', 'update', actor)}`);
}

/** The top containers that records of a kind are in. */
export async function containersOf(reader: Reader, { kind, ids }: IdsOfKind): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT DISTINCT l.target_id AS id FROM unnest(${sql.array([...ids], 'int4')}) AS u (id)
    JOIN link l ON l.source_kind = ${kind.name} AND l.source_id = u.id AND l.target_kind = ${topContainer.name}`);
  return rows.map(({ id }) => id);
}
