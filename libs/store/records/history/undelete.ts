// Bringing a deleted record back under its own uri: a create with the id it had. Ids are never given twice, so it is free.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Transaction } from '../../connection/database.ts';
import { column, EmptyRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Version } from './history.ts';
import type { WriteContext } from '../writing/write-context.ts';
import type { Written } from '../writing/write.ts';
import { removePartTombstones } from '../writing/part-tombstones.ts';
import { createRecord } from '../writing/write.ts';
import { suppressRecord } from '../visibility/suppress.ts';

const KeptRow = z.strictObject({ has_state: column.bool, last: column.maybeInt, suppressed: column.bool });

/**
 * Creates the record anew from a prepared body, with the checks of any create, and takes its tombstone away, and those of its sub-records. Its version follows that of its
 * deletion; where it was suppressed then, it is. What other records said of it does not come back, nor what was below it in a tree. Fails with `conflict` where it is there again,
 * `not_found` where the version was purged since it was read.
 */
export async function undeleteRecord(
  tx: Transaction,
  kind: Kind,
  id: number,
  prepared: Prepared,
  version: Version,
  context: WriteContext,
): Promise<Written> {
  // Two that bring it back at once: the second finds it.
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext(${`undelete ${kind.name}`}), ${id})`);
  const there = await tx.maybeOne(sql.type(EmptyRow)`SELECT FROM record WHERE kind = ${kind.name} AND id = ${id}`);
  if (there !== null) throw fail('conflict', `${kind.model} ${id} is not deleted any more`);
  const { state, first, last } = version;
  // Looked at again, since it was read before: what was purged meanwhile stays erased, and after another deletion the versions follow that.
  const kept = await tx.one(sql.type(KeptRow)`
    SELECT coalesce(bool_or(n = ${state.n}), false) AS has_state, max(n) AS last, coalesce((array_agg(suppressed ORDER BY n DESC))[1], false) AS suppressed FROM revision WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${context.repoId}::int`);
  if (!kept.has_state) throw fail('not_found', `${kind.model} has no version ${state.lockVersion}`);
  if (kept.last !== last.n) throw fail('unavailable', 'The record was changed meanwhile; try again');
  const written = await createRecord(tx, kind, prepared, context, {
    id,
    lockVersion: last.lockVersion + 2,
    createdBy: first.by,
    createTime: first.at,
    body: version.lastBody,
  });
  await tx.run(sql`DELETE FROM tombstone WHERE uri = ${uriOf(kind, id, context.repoId)}`);
  await removePartTombstones(tx, kind, [id], context.repoId);
  // Before anybody sees it: who brings it back need not be one who may show it.
  if (kept.suppressed)
    await suppressRecord(tx, { kind, id, repoId: context.repoId, suppressed: true, actor: context.actor });
  return written;
}
