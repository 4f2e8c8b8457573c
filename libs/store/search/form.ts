// Makes the search index anew after an upgrade that changed the form of its documents.
import { reindex } from '#domain/jobs/reindex.ts';
import { indexForm } from '#domain/search/form.ts';
import type { Database } from '../database.ts';
import { enqueueJob } from '../queue/enqueue.ts';
import { sql } from '../sql.ts';

/** Enqueues a reindex where documents of an older form are stored; gives its job, or null. Of several processes that ask at once one does. */
export async function renewOldIndex(database: Database): Promise<number | null> {
  return database.transaction(async (tx) => {
    const raised = await tx.run(sql`UPDATE search_form SET form = ${indexForm} WHERE form < ${indexForm}`);
    if (raised === 0) return null;
    const { has } = await tx.one<{ has: boolean }>(sql`SELECT EXISTS (SELECT FROM search_doc) AS has`);
    return has ? (await enqueueJob(tx, reindex, { kinds: null, repoId: null })).jobId : null;
  });
}
