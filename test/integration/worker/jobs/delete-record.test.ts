// A deletion by a job: what its value counts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { deleteRecord } from '#domain/jobs/delete-record.ts';
import { sql } from '#store/connection/sql.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { moveNodes } from '#store/trees/move.ts';
import { idOf } from '#test/support/api.ts';
import { outside } from '#test/support/outside.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { AnyRow } from '#test/support/rows.ts';
import { runHandler } from '#test/support/run-handler.ts';
import type { JobContext } from '../../../../apps/worker/handler.ts';
import { handler } from '../../../../apps/worker/jobs/delete-record.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

test('its value counts what came below at its end', async () => {
  const root = (await store.create('resource', resourceBody('D1'))).uri;
  const component = async (parent: string | null): Promise<string> =>
    (
      await store.create('archival_object', {
        title: 'N',
        level: 'file',
        resource: { ref: root },
        ...(parent === null ? {} : { parent: { ref: parent } }),
      })
    ).uri;
  const top = await component(null);
  const [below, late] = [await component(top), await component(null)];
  const tree = treeUnder(kindNamed('archival_object'), store.repoId, idOf(root));
  const payload = {
    kind: 'archival_object',
    id: idOf(top),
    repoId: store.repoId,
    nodeKind: 'archival_object',
    rootId: idOf(root),
    lockVersion: null,
    isHeldByMany: false,
    actor: null,
  };
  // What others do when the job has its value, and has not taken the tree yet.
  const around = (context: JobContext): Partial<JobContext> => ({
    completeAhead: async (tx, value) => {
      await context.completeAhead(tx, value);
      await outside(() =>
        store.database.transaction((other) =>
          moveNodes(other, tree, { parentId: idOf(below), position: 0, ids: [idOf(late)] }),
        ),
      );
    },
  });
  expect(await runHandler(store.database, deleteRecord, handler, payload, around)).toEqual({ deleted: 3 });
  expect(
    await store.database.reader.one(sql.type(AnyRow)`SELECT status, outcome->'ok'->'deleted' AS deleted FROM job`),
  ).toEqual({
    status: 'completed',
    deleted: '3',
  });
  for (const uri of [top, below, late]) await expect(store.read(uri)).rejects.toMatchObject({ code: 'not_found' });
});
