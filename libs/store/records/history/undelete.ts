// Bringing a deleted record back under its own uri: a create with the id it had. Ids are never given twice, so it is free.
import type { Kind } from '#domain/kind.ts';
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Transaction } from '../../connection/database.ts';
import { EmptyRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Version } from './history.ts';
import type { WriteContext } from '../writing/write-context.ts';
import type { Written } from '../writing/write.ts';
import { removePartTombstones } from '../writing/part-tombstones.ts';
import { createRecord } from '../writing/write.ts';

/**
 * Creates the record anew from a prepared body, with the checks of any create, and takes its tombstone away, and those of its sub-records. Its version follows that of its
 * deletion. What other records said of it does not come back, nor what was below it in a tree. Fails with `conflict` where it is there again.
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
  const { first, last } = version;
  const written = await createRecord(tx, kind, prepared, context, {
    id,
    lockVersion: last.lockVersion + 2,
    createdBy: first.by,
    createTime: first.at,
  });
  await tx.run(sql`DELETE FROM tombstone WHERE uri = ${uriOf(kind, id, context.repoId)}`);
  await removePartTombstones(tx, kind, [id], context.repoId);
  return written;
}
