// The beginning and the making anew of the index: a new collection is written beside the live one, then searches are turned to it at once.
import { fail } from '#domain/errors.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import type { Database } from '../../connection/database.ts';
import { CountRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { enqueueAll } from '../pending.ts';
import type { Collections } from './collections.ts';

/**
 * Makes the first collection, empty, and has all records indexed. The records are due before the alias is there: whoever is killed between the
 * two leaves it to the next start, and then they are due twice, which does no harm.
 */
export async function prepareIndex(
  database: Database,
  collections: Collections,
  now: number,
): Promise<{ readonly isCurrent: boolean }> {
  const begun = await database.transaction(async (tx) => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended('muniment search mirror', 0))`);
    const live = await collections.live();
    if (live !== null) return { isCurrent: live.isCurrent, name: null };
    const name = `${collections.alias}_0_${now}`;
    await collections.create(name);
    await enqueueAll(tx, [...indexedKinds], null);
    return { isCurrent: true, name };
  });
  if (begun.name !== null) await collections.turnTo(begun.name);
  return { isCurrent: begun.isCurrent };
}

// Documents come and go while they are counted; where that was the reason, the next try of the job passes.
const leastShare = 0.99;

/** Turns searches to the collection of a job. Counts its documents before: an index that lost some is not put in the place of one that has them. */
export async function finishRebuild(
  database: Database,
  collections: Collections,
  jobId: number,
  now: number,
): Promise<void> {
  const { name, isNew } = await collections.building(jobId, now);
  const made = await collections.describe(name);
  const { count } = await database.reader.one(sql.type(CountRow)`SELECT count(*) AS count FROM search_doc`);
  if (isNew || made === null || made.documents < Math.floor(count * leastShare))
    throw fail('internal', `The new search index has ${made?.documents ?? 0} documents of ${count}; the old one stays`);
  await collections.turnTo(name);
}
