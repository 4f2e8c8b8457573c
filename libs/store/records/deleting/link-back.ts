// The way back of a deletion that was begun in steps and did not end: canceled, refused in its last step, or given up. Every holder that nobody has saved since gets back the refs that were taken
// out of it (docs/decisions/0046).
import { z } from 'zod';
import { appendManyFrom } from '../../change-log/append.ts';
import type { Transaction } from '../../connection/database.ts';
import { column, NumberRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { ofKinds } from '../of-kinds.ts';
import { RecordKey } from '../record-key.ts';
import { holdersAtOnce } from '../visibility/in-steps.ts';
import { markSuppressedLinks } from '../writing/link-marks.ts';
import { heldInOrder, lookUpByKey } from '../writing/lock-order.ts';
import { withoutRefs } from './detach.ts';
import type { DeletedInSteps } from './unlink-first.ts';

const KeptRow = RecordKey.extend({
  lock_version: column.int,
  before: column.text,
  links: column.text,
});
const NowRow = RecordKey.extend({ lock_version: column.int, body: column.text, repo_id: column.maybeInt });
const Links = z.array(z.object({ property: z.string(), target_kind: z.string(), target_id: z.int() }));

/** Gives a block of holders their refs back, and gives how many are left; with none left the deletion is no longer under way. What somebody saved since stays as it was saved. */
export async function linkBackBlock(
  tx: Transaction,
  id: number,
  { repoId, records }: DeletedInSteps,
  actor: string | null,
  atOnce = holdersAtOnce,
): Promise<number> {
  const block = await tx.any(sql.type(KeptRow)`
    SELECT kind, id, lock_version, body::text AS before, links::text FROM deletion_unlinked WHERE deletion_id = ${id} ORDER BY 1, 2 LIMIT ${atOnce}`);
  await lookUpByKey(tx);
  const now = await tx.any(sql.type(NowRow)`
    SELECT r.kind, r.id, r.lock_version, r.body, r.repo_id FROM ${heldInOrder(block, 'writes')}`);
  const current = new Map(now.map((row) => [`${row.kind} ${row.id}`, row]));
  const back = block.filter((kept) => {
    const found = current.get(`${kept.kind} ${kept.id}`);
    const left = { kind: kept.kind, id: kept.id, links: Links.parse(JSON.parse(kept.links)) };
    // A save numbers all links of its record anew; what writes a body without saving it changes that body.
    return (
      found?.lock_version === kept.lock_version &&
      (repoId === null || found.repo_id === repoId) &&
      found.body === JSON.stringify(withoutRefs(JSON.parse(kept.before), left, repoId))
    );
  });
  const given = sql.unnest(
    back.map(({ kind, id: holderId, before, links }) => [
      kind,
      holderId,
      current.get(`${kind} ${holderId}`)?.repo_id ?? null,
      before,
      links,
    ]),
    ['text', 'int4', 'int4', 'text', 'text'],
  );
  await tx.run(sql`
    WITH back AS MATERIALIZED (SELECT * FROM ${given} AS u (kind, id, repo_id, body, links)),
    -- It may have gone to another repository meanwhile, if what it links to is of none.
    linked AS (
      INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, target_ordinal)
      SELECT b.kind, b.id, l.ordinal, l.property, l.target_kind, l.target_id, b.repo_id, l.role, l.target_ordinal FROM back b CROSS JOIN LATERAL json_populate_recordset(NULL::link, b.links::json) AS l
    ),
    written AS (
      UPDATE record r SET system_mtime = now(), body = b.body::json FROM back b
      WHERE r.kind = b.kind AND r.id = b.id AND ${ofKinds(back.map(({ kind }) => kind))} RETURNING r.kind, r.id, r.repo_id
    ) ${appendManyFrom('written', 'update', actor)}`);
  const last = block.at(-1);
  // A range of its key: a join with what was filled just now would go through all of it.
  await tx.run(
    sql`DELETE FROM deletion_unlinked WHERE deletion_id = ${id} AND (kind, id) <= (${last?.kind ?? ''}, ${last?.id ?? 0})`,
  );
  tx.changed();
  const { n } = await tx.one(
    sql.type(NumberRow)`SELECT count(*)::int AS n FROM deletion_unlinked WHERE deletion_id = ${id}`,
  );
  if (n === 0) {
    await markSuppressedLinks(
      tx,
      records.map(({ kind, id: recordId }) => ({ kind, id: recordId, repoId })),
    );
    await tx.run(sql`DELETE FROM deletion_begun WHERE id = ${id}`);
  }
  return n;
}
