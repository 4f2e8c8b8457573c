// The other sides of links that both sides write: these show them too, so whoever makes, changes or drops such a link re-dates the record on its other side
// (contract 3.3, 7.2), without a new version. A save that leaves its links as they are re-dates nobody.
// It holds them together with its own record, before anything else: two that were saved with a relation to each other in one moment waited in a circle.
import type { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { LinkRow } from '#domain/checking/split.ts';
import { mutualLinkRows } from '#domain/checking/split.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { keyTable, RecordKey } from '../record-key.ts';
import type { IdsOfKind } from '../visibility/reach.ts';
import { keysOf } from '../visibility/reach.ts';
import { holdRepository } from './home.ts';
import { holdKeys } from './lock-order.ts';
import { redateRecords } from './redate.ts';

/** A link that both sides write, as one of them has it: the record on its other side, and whether it is written from there. */
export const MutualRow = RecordKey.extend({ relation: column.text, ref: column.text, far: column.bool });
export type MutualRow = z.infer<typeof MutualRow>;

/** The records on the other sides of links that a save of a record of the kind has made, changed or dropped. */
export function changedFarSides(
  kind: Kind,
  dropped: readonly MutualRow[],
  links: readonly LinkRow[],
): readonly RecordKey[] {
  const mutual = links.filter((link) => link.mutual !== null);
  if (dropped.length + mutual.length === 0) return [];
  const inverses = new Map(Object.values(kind.mutual ?? {}).map(({ relation, inverse }) => [relation, inverse]));
  const keyed = (record: RecordKey, relation: string, ref: JsonObject): readonly [string, RecordKey] => [
    `${record.kind} ${record.id} ${relation} ${JSON.stringify(ref)}`,
    { kind: record.kind, id: record.id },
  ];
  const before = new Map(
    dropped.map((row) => {
      const ref: JsonObject = JSON.parse(row.ref);
      return keyed(row, row.relation, row.far ? (inverses.get(row.relation)?.(ref) ?? ref) : ref);
    }),
  );
  const after = new Map(
    mutual.map((link) =>
      keyed({ kind: link.targetKind, id: link.targetId }, link.mutual ?? '', JSON.parse(link.ref ?? '{}')),
    ),
  );
  return [
    ...[...before].flatMap(([key, record]) => (after.has(key) ? [] : [record])),
    ...[...after].flatMap(([key, record]) => (before.has(key) ? [] : [record])),
  ];
}

/** Holds a record with those on the other sides of links that its save will make, change or drop, in one order; nothing where it leaves them as they are. */
export async function holdSides(tx: Transaction, kind: Kind, id: number, prepared: Prepared): Promise<void> {
  if (kind.mutual === undefined) return;
  const changed = changedFarSides(kind, await mutualRowsOf(tx, kind.name, id), mutualLinkRows(kind, prepared));
  if (changed.length > 0) await holdKeys(tx, [{ kind: kind.name, id }, ...changed], 'writes');
}

/** The same for new records, behind their repository (holdNewTargets). */
export async function holdNewSides(
  tx: Transaction,
  kind: Kind,
  all: readonly Prepared[],
  repoId: number | null,
): Promise<void> {
  const far = all.flatMap((prepared) => changedFarSides(kind, [], mutualLinkRows(kind, prepared)));
  if (far.length === 0) return;
  await holdRepository(tx, repoId);
  await holdKeys(tx, far, 'writes');
}

const mutualRowsOf = (reader: Reader, kind: string, id: number): Promise<readonly MutualRow[]> =>
  reader.any(sql.type(MutualRow)`
    SELECT target_kind AS kind, target_id AS id, mutual AS relation, coalesce(ref::text, '{}') AS ref, false AS far FROM link WHERE source_kind = ${kind} AND source_id = ${id} AND mutual IS NOT NULL
    UNION ALL SELECT source_kind, source_id, mutual, coalesce(ref::text, '{}'), true FROM link WHERE target_kind = ${kind} AND target_id = ${id} AND mutual IS NOT NULL`);

/** The records on the other sides of all such links of records. One statement, and none where no kind has any. */
export async function farSidesOf(reader: Reader, groups: readonly IdsOfKind[]): Promise<readonly RecordKey[]> {
  const records = keysOf(groups.filter(({ kind }) => kind.mutual !== undefined));
  if (records.length === 0) return [];
  return reader.any(sql.type(RecordKey)`
    WITH own AS MATERIALIZED (SELECT * FROM ${keyTable(records)} AS u (kind, id))
    SELECT l.target_kind AS kind, l.target_id AS id FROM own JOIN link l ON l.source_kind = own.kind AND l.source_id = own.id WHERE l.mutual IS NOT NULL
    UNION SELECT l.source_kind, l.source_id FROM own JOIN link l ON l.target_kind = own.kind AND l.target_id = own.id WHERE l.mutual IS NOT NULL`);
}

/** Re-dates them, those that are still there. A statement for each kind, of which there are few, all sent at once. */
export async function redateFarSides(tx: Transaction, far: readonly RecordKey[], actor: string | null): Promise<void> {
  if (far.length === 0) return;
  const byKind = [...Map.groupBy(far, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.together(() =>
    byKind.map(([name, records]) =>
      redateRecords(tx, { kind: kindNamed(name), ids: [...new Set(records.map(({ id }) => id))] }, actor),
    ),
  );
}
