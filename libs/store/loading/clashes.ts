// What stands in the way of a load, told whole before anything is written: records that are there, addresses that two lines have. What the
// service made by itself and nobody has changed gives way to what the source has in its place.
import { z } from 'zod';
import { group } from '#domain/kinds/group.ts';
import { user } from '#domain/kinds/user.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Records that the service made by itself, and nobody changed since: `r` names the row. None after a load, which may bring some that name nobody. */
export const isOwnOfService = sql.fragment`(r.created_by IS NULL AND r.last_modified_by IS NULL AND NOT EXISTS (SELECT FROM load))`;

// Rights hang on the ids of users and groups: one gives way to its namesake alone.
const isSomebodyElse = sql.fragment`(r.kind = ANY(${sql.array([user.name, group.name], 'text')}) AND lower(r.label) <> lower(s.name))`;

const CountOfKind = z.strictObject({ kind: column.text, n: column.int });
type CountOfKind = z.infer<typeof CountOfKind>;

/** The records that somebody has made in the service, by kind; none where it is empty. */
export async function readFilled(tx: Transaction): Promise<readonly CountOfKind[]> {
  return tx.any(sql.type(CountOfKind)`
    SELECT r.kind, count(*)::int AS n FROM record r WHERE NOT ${isOwnOfService} GROUP BY r.kind ORDER BY r.kind`);
}

/** A line whose address is taken: `twice` by a line before it, otherwise by a record of the service with this label. */
const Clash = z.strictObject({
  number: column.int,
  kind: column.text,
  uri: column.text,
  label: column.maybeText,
  twice: column.bool,
});
export type Clash = z.infer<typeof Clash>;

/** Addresses that two lines have, in the order of the lines, at most `limit`. */
export async function readTwice(tx: Transaction, limit: number): Promise<readonly Clash[]> {
  return tx.any(sql.type(Clash)`
    SELECT s.number, s.kind, s.uri, NULL::text AS label, true AS twice FROM (
      SELECT number, kind, uri, row_number() OVER (PARTITION BY kind, id ORDER BY number) AS place FROM load_record) s WHERE s.place > 1
    ORDER BY s.number LIMIT ${limit}`);
}

/** All clashes in the order of the lines, at most `limit`. Call it once. */
export async function readClashes(tx: Transaction, limit: number): Promise<readonly Clash[]> {
  await tx.client.query('CREATE INDEX ON load_record (kind, id); ANALYZE load_record');
  return tx.any(sql.type(Clash)`
    SELECT c.number, c.kind, c.uri, c.label, c.twice FROM (
      SELECT s.number, s.kind, s.uri, NULL::text AS label, true AS twice FROM (
        SELECT number, kind, uri, row_number() OVER (PARTITION BY kind, id ORDER BY number) AS place FROM load_record) s WHERE s.place > 1
      UNION ALL SELECT s.number, s.kind, s.uri, r.label, false FROM load_record s JOIN record r ON r.kind = s.kind AND r.id = s.id WHERE NOT ${isOwnOfService} OR ${isSomebodyElse}
    ) c ORDER BY c.number LIMIT ${limit}`);
}

/** Takes out what the service made by itself where the source has a record of the same address; passwords and sessions of users stay. */
export async function removeReplaced(tx: Transaction): Promise<void> {
  const given = sql.fragment`JOIN record r ON r.kind = s.kind AND r.id = s.id WHERE ${isOwnOfService}`;
  await tx.run(
    sql`DELETE FROM link l USING (SELECT s.kind, s.id FROM load_record s ${given}) g WHERE l.source_kind = g.kind AND l.source_id = g.id`,
  );
  await tx.run(
    sql`DELETE FROM unique_key k USING (SELECT s.kind, s.id FROM load_record s ${given}) g WHERE k.kind = g.kind AND k.id = g.id`,
  );
  await tx.run(
    sql`DELETE FROM record d USING (SELECT s.kind, s.id FROM load_record s ${given}) g WHERE d.kind = g.kind AND d.id = g.id`,
  );
}
