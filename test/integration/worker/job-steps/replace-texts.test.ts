// What finding and replacing holds, and when: nothing while it finds and checks, then the records alone in which it replaces something, as they are by then.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { findAndReplace } from '#domain/jobs/find-and-replace.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { replaceInBodies } from '#domain/text/replace-in-bodies.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { everybody } from '#test/support/job-beside.ts';
import { doneOrWaiting } from '#test/support/lock-waits.ts';
import { addressOf } from '#test/support/make/linked-records.ts';
import { outside } from '#test/support/outside.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import { runHandler } from '#test/support/run-handler.ts';
import { noThreads } from '#test/support/worker.ts';
import type { JobContext, JobHandler } from '../../../../apps/worker/handler.ts';
import { defineHandler } from '../../../../apps/worker/handler.ts';
import { handler } from '../../../../apps/worker/jobs/find-and-replace.ts';
import { findChanges, writeChanges } from '../../../../apps/worker/job-steps/replace-texts.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

let made = 0;
const date = { date_type: 'single', label: 'creation', begin: '1900', expression: 'old times' };

/** A resource with two components of which the titles say `old`, and one without. The resource and the first have a date that says so. */
async function tree() {
  const base = (await store.create('resource', resourceBody(`H${(made += 1)}`, { dates: [date] }))).uri;
  const part = async (title: string, more: JsonObject = {}): Promise<string> =>
    (await store.create('archival_object', { title, level: 'file', resource: { ref: base }, ...more })).uri;
  return {
    base,
    first: await part('old a', { dates: [date] }),
    second: await part('old b'),
    other: await part('plain'),
  };
}

const titles = { find: 'old', replace: 'new', record_type: 'archival_object', property: 'title' };
const expressions = { ...titles, record_type: 'date', property: 'expression' };

/** What is done beside a job: when it has found something in its first records and not begun to write, and when all is written but not committed. */
type Beside = {
  readonly checking?: () => Promise<unknown>;
  readonly written?: () => Promise<unknown>;
  readonly around?: (context: JobContext) => Partial<JobContext>;
  readonly handler?: JobHandler;
};

async function replacing(base: string, asked: object, beside: Beside = {}) {
  const payload = { repoId: store.repoId, actor: 'tester', job: { ...asked, base_record_uri: base }, params: {} };
  let calls = 0;
  const value = await runHandler(store.database, findAndReplace, beside.handler ?? handler, payload, (context) => ({
    caller: everybody,
    threads: {
      ...noThreads,
      run: async (_name: string, work: never) => {
        const found = replaceInBodies(work);
        calls += 1;
        if (calls === 1) await beside.checking?.();
        return found as never;
      },
    },
    complete: async (tx, value) => {
      await beside.written?.();
      await context.complete(tx, value);
    },
    ...beside.around?.(context),
  }));
  return { value: value as Json, calls };
}

/** Does it while the job stands still; fails where it has to wait. */
async function unhindered(work: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  const running = outside(work).finally(() => (isDone = true));
  await doneOrWaiting(store.database, running);
  expect(isDone, 'it waits').toBe(true);
  await running;
}

const saving = (uri: string, change: JsonObject) => async (): Promise<void> => {
  await store.update(uri, { ...(await store.read(uri)), ...change });
};

/** Whether somebody holds the record against those who write it. */
async function isHeld(uri: string): Promise<boolean> {
  const { kind, id } = addressOf(uri);
  const free = await outside(() =>
    store.database.transaction((tx) =>
      tx.any(
        sql.type(IdRow)`SELECT id FROM record WHERE kind = ${kind.name} AND id = ${id} FOR NO KEY UPDATE SKIP LOCKED`,
      ),
    ),
  );
  return free.length === 0;
}

const shown = async (...uris: readonly string[]) =>
  (await Promise.all(uris.map((uri) => store.read(uri)))).map((body) => [body['title'], body['lock_version']]);

test('holds nothing while it finds and checks, and replaces in what was saved meanwhile', async () => {
  const { base, first, second, other } = await tree();
  const { value, calls } = await replacing(base, titles, {
    checking: async () => {
      await unhindered(saving(first, { title: 'an old one, older' }));
      await unhindered(saving(other, { title: 'very plain' }));
      await unhindered(saving(base, { title: 'Saved' }));
    },
  });
  expect(value).toEqual({ changed: 2 });
  // What had been saved was gone through again, and nothing else.
  expect(calls).toBe(2);
  expect(await shown(first, second, other, base)).toEqual([
    ['an new one, newer', 2],
    ['new b', 1],
    ['very plain', 1],
    ['Saved', 1],
  ]);
});

test('holds what it changes, and neither what has no match nor what all is below', async () => {
  const { base, first, second, other } = await tree();
  const { value, calls } = await replacing(base, titles, {
    written: async () => {
      await unhindered(saving(other, { title: 'very plain' }));
      await unhindered(saving(base, { title: 'Saved' }));
      expect([await isHeld(first), await isHeld(second)]).toEqual([true, true]);
    },
  });
  expect([value, calls]).toEqual([{ changed: 2 }, 1]);
  expect(await shown(first, second, other, base)).toEqual([
    ['new a', 1],
    ['new b', 1],
    ['very plain', 1],
    ['Saved', 1],
  ]);
});

test('holds what all is below where it changes that, too', async () => {
  const { base, first, second } = await tree();
  const { value } = await replacing(base, expressions, {
    written: async () => {
      await unhindered(saving(second, { title: 'Saved' }));
      expect([await isHeld(first), await isHeld(base)]).toEqual([true, true]);
    },
  });
  expect(value).toEqual({ changed: 2 });
  for (const uri of [base, first])
    expect(await store.read(uri)).toMatchObject({ dates: [{ expression: 'new times' }], lock_version: 1 });
});

test('leaves out what has no match any more, and what was deleted or suppressed meanwhile', async () => {
  const { base, first, second, other } = await tree();
  const fourth = await store.create('archival_object', { title: 'old d', level: 'file', resource: { ref: base } });
  const { value } = await replacing(base, titles, {
    checking: async () => {
      await unhindered(() => store.remove(first));
      await unhindered(saving(second, { title: 'Nothing' }));
      await unhindered(saving(other, { title: 'old, but later than the job' }));
      await unhindered(() =>
        store.database.transaction((tx) =>
          tx.run(sql`UPDATE record SET suppressed = true WHERE kind = 'archival_object' AND id = ${fourth.id}`),
        ),
      );
    },
  });
  expect(value).toEqual({ changed: 0 });
  await store.database.transaction((tx) =>
    tx.run(sql`UPDATE record SET suppressed = false WHERE kind = 'archival_object' AND id = ${fourth.id}`),
  );
  expect(await shown(second, other, fourth.uri)).toEqual([
    ['Nothing', 1],
    ['old, but later than the job', 1],
    ['old d', 0],
  ]);
});

test('fails where what all is below was deleted meanwhile', async () => {
  const { base } = await tree();
  const ended = replacing(base, titles, { checking: () => unhindered(() => store.remove(base)) });
  await expect(ended).rejects.toMatchObject({ code: 'not_found', error: 'Resource not found' });
});

const without = { ...titles, replace: '' };

test('changes nothing at all where what was saved meanwhile cannot be changed so, and names it', async () => {
  const { base, first, second } = await tree();
  const ended = replacing(base, without, { checking: () => unhindered(saving(second, { title: 'old' })) });
  await expect(ended).rejects.toMatchObject({
    code: 'invalid_record',
    error: { record_type: 'archival_object', record_uri: second, errors: { title: expect.anything() } },
  });
  expect(await shown(first, second)).toEqual([
    ['old a', 0],
    ['old', 1],
  ]);
});

test('fails with what it finds before it holds anything', async () => {
  const { base, first, second } = await tree();
  await saving(second, { title: 'old' })();
  const began = { transaction: () => Promise.reject(new Error('it began to write')) };
  await expect(replacing(base, without, { around: () => began })).rejects.toMatchObject({
    error: { record_type: 'archival_object', record_uri: second },
  });
  expect(await shown(first)).toEqual([['old a', 0]]);
});

test('a transaction that a deadlock has done anew is told of once', async () => {
  const { base, first, second } = await tree();
  const lines: string[] = [];
  let written = 0;
  await replacing(base, titles, {
    around: (context) => ({
      log: (line) => lines.push(line),
      changedRecords: async (tx, uris) => {
        await context.changedRecords(tx, uris);
        written += 1;
        if (written === 1)
          await tx.run(sql`DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = 'deadlock_detected'; END $$`);
      },
    }),
  });
  expect(written).toBe(2);
  expect(lines).toEqual([
    ...[first, second].map((uri) => `Updating ArchivalObject[${addressOf(uri).id}].title`),
    'All done, logging modified records.',
  ]);
  expect(await shown(first, second)).toEqual([
    ['new a', 1],
    ['new b', 1],
  ]);
});

test('what it cannot keep it replaces once more', async () => {
  const { base, first, second } = await tree();
  const enumerations = await EnumerationCache.load(store.database.reader);
  const asked = { find: 'old', replace: 'new', type: 'archival_object', property: 'title' };
  const work = { ...asked, repoId: store.repoId, actor: 'tester', enumerations };
  const groups = [{ kind: kindNamed('archival_object'), ids: [first, second].map((uri) => addressOf(uri).id) }];
  const ofTwo = defineHandler(findAndReplace, async (_, context) => {
    const found = await findChanges(groups, work, context, 'new a'.length);
    expect(found.map(({ changes }) => changes.map(({ texts }) => texts))).toEqual([[['new a'], null]]);
    return context.transaction(async (tx) => (await writeChanges(tx, found, work, context)).length);
  });
  expect(await replacing(base, titles, { handler: ofTwo })).toEqual({ value: 2, calls: 2 });
  expect(await shown(first, second)).toEqual([
    ['new a', 1],
    ['new b', 1],
  ]);
});

test('what was saved meanwhile waits for a thread once, however many blocks it is in', async () => {
  const { base, first, second } = await tree();
  const enumerations = await EnumerationCache.load(store.database.reader);
  const asked = { find: 'old', replace: 'new', type: 'archival_object', property: 'title' };
  const work = { ...asked, repoId: store.repoId, actor: 'tester', enumerations };
  const groups = [{ kind: kindNamed('archival_object'), ids: [first, second].map((uri) => addressOf(uri).id) }];
  const oneByOne = defineHandler(findAndReplace, async (_, context) => {
    const found = await findChanges(groups, work, context);
    await saving(first, { title: 'old and saved' })();
    await saving(second, { title: 'older' })();
    return context.transaction(async (tx) => (await writeChanges(tx, found, work, context, 1)).length);
  });
  expect(await replacing(base, titles, { handler: oneByOne })).toEqual({ value: 2, calls: 2 });
  expect(await shown(first, second)).toEqual([
    ['new and saved', 2],
    ['newer', 2],
  ]);
});
