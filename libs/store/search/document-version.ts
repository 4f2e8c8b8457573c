// Makes the search index anew after an upgrade that changed the version of its documents, and tells when that is done.
import { z } from 'zod';
import { reindex } from '#domain/jobs/reindex.ts';
import { documentVersion } from '#domain/search/documents/version.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { enqueueJob } from '../queue/enqueue.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

const HasRow = z.strictObject({ has: column.bool });

/**
 * Enqueues a reindex where documents of an older version are stored, also where the one that was to renew them has failed: nothing else would make them anew. One that was
 * canceled was meant to end. Gives its job, or null. Of several processes that ask at once one does.
 */
export async function renewOldIndex(database: Database): Promise<number | null> {
  return database.transaction(async (tx) => {
    const raised = await tx.run(sql`
      UPDATE search_form SET form = ${documentVersion} WHERE form < ${documentVersion} OR EXISTS (SELECT FROM job WHERE id = renewal AND status = 'failed')`);
    if (raised === 0) return null;
    const { has } = await tx.one(sql.type(HasRow)`SELECT EXISTS (SELECT FROM search_doc) AS has`);
    if (!has) return null;
    const { jobId } = await enqueueJob(tx, reindex, { kinds: null, repoId: null, rewrite: true }, { visible: true });
    await tx.run(sql`UPDATE search_form SET renewal = ${jobId}`);
    return jobId;
  });
}

/** To be called when a job has made everything anew. */
export async function endRenewal(tx: Transaction, jobId: number): Promise<void> {
  await tx.run(sql`UPDATE search_form SET renewal = NULL WHERE renewal <= ${jobId}`);
}

const EditionRow = z.strictObject({ edition: column.int });

/** The edition of the index: what was written in another is written again when its record is next indexed. */
export async function readEdition(reader: Reader): Promise<number> {
  return (await reader.one(sql.type(EditionRow)`SELECT edition FROM search_form`)).edition;
}

/** Begins another edition. */
export async function raiseEdition(tx: Transaction): Promise<void> {
  await tx.run(sql`UPDATE search_form SET edition = edition + 1`);
}

/** Whether all documents have the version of this release, so that queries may rely on it. */
export async function hasPresentVersion(reader: Reader): Promise<boolean> {
  const { has } = await reader.one(sql.type(HasRow)`
    SELECT EXISTS (SELECT FROM search_form WHERE form >= ${documentVersion} AND renewal IS NULL) AS has`);
  return has;
}
