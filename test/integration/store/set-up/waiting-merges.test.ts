// The migration 0081 on merges that wait in the mailbox of a repository's merges, as they did before: they run where transfers from it run.
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { deleteRecord } from '#domain/jobs/delete-record.ts';
import { mergeRecords } from '#domain/jobs/merge-records.ts';
import { undoMerge } from '#domain/jobs/undo-merge.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { sweepActivations } from '#store/queue/sweep.ts';
import { createDatabase } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';
import { connect } from '#test/support/worker.ts';

const server = await createDatabase();
const { database, ...connected } = connect(server.url);
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await server.drop();
});

const Row = z.strictObject({ type: column.text, mailbox: column.text });

it('puts what waits there into the mailbox of transfers, with what wakes a worker', async () => {
  const actor = null;
  const merge = { destination: '', candidates: [], selections: null, actor, agentUri: null };
  const box = { kind: 'top_container', id: 1, nodeKind: null, rootId: null, lockVersion: null, isHeldByMany: true };
  await database.transaction(async (tx) => {
    await enqueueJob(tx, mergeRecords, { ...merge, what: 'top_container', repoId: 12 });
    await enqueueJob(tx, mergeRecords, { ...merge, what: 'subject', repoId: null });
    await enqueueJob(tx, undoMerge, { mergeId: 1, repoId: 3, actor });
    await enqueueJob(tx, deleteRecord, { ...box, repoId: 3, actor });
    await tx.run(sql`UPDATE job SET mailbox = replace(mailbox, 'repository/', 'merge/') WHERE type <> 'delete-record'`);
    await tx.run(sql`UPDATE pgboss.job SET singleton_key = 'merge/12' WHERE singleton_key = 'repository/12'`);
  });
  const dropped = 'ALTER TABLE merge_begun DROP COLUMN repo_id;';
  const file = new URL('../../../../db/migrations/0081_merges_of_a_repository_in_steps.sql', import.meta.url);
  await runSql(server.url, `${dropped}${readFileSync(file, 'utf8')}`);
  const waiting = await database.reader.any(sql.type(Row)`SELECT type, mailbox FROM job ORDER BY id`);
  expect(waiting.map(({ type, mailbox }) => `${type} ${mailbox}`)).toEqual([
    'merge-records repository/12',
    'merge-records merge',
    'undo-merge repository/3',
    'delete-record repository/3',
  ]);
  // One of repository 12; those of the others are there.
  expect(await sweepActivations(database)).toEqual({ sent: 1, givenBack: 0 });
});
