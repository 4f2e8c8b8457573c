// What others do while records are published, suppressed and shown again, in one transaction or in steps: nobody waits in a circle, and marks are what the records say.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { Step } from '#store/records/visibility/in-steps.ts';
import { publishRecord, publishSteps } from '#store/records/visibility/publish.ts';
import { suppressRecord, suppressSteps } from '#store/records/visibility/suppress.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { addressOf, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

const publishing = (uri: string, publish: boolean) => ({
  ...addressOf(uri),
  publish,
  seesSuppressed: true,
  actor: 'tester',
});
const suppressing = (uri: string, suppressed: boolean) => ({ ...addressOf(uri), suppressed, actor: 'tester' });
/** A digital object with a component below another; kinds go by their names, and here that of the root comes first. */
const digital = async (): Promise<readonly [string, string]> => {
  const root = (await store.create('digital_object', { digital_object_id: make.next(), title: 'd' })).uri;
  const below = async (more = {}): Promise<string> =>
    (await store.create('digital_object_component', { title: 'dc', digital_object: { ref: root }, ...more })).uri;
  const part = await below();
  await below({ parent: { ref: part } });
  return [root, part];
};

test.each([
  ['saved while its record is suppressed', true],
  ['deleted while its record is shown again', false],
])('an event is %s', async (_, suppressed) => {
  await besideEachOther(store.database, async () => {
    const [agent, record] = [await make.person(), await make.accession()];
    const event = await make.event(record, agent);
    if (!suppressed) await store.database.transaction((tx) => suppressRecord(tx, suppressing(record, true)));
    return {
      one: (tx) => suppressRecord(tx, suppressing(record, suppressed)),
      other: suppressed ? await make.saving(event, { outcome_note: 'saved' }) : make.deleting(event),
    };
  });
});

test('a tree and a part of it are published', async () => {
  await besideEachOther(store.database, async () => {
    const [root, part] = await digital();
    return {
      one: (tx) => publishRecord(tx, publishing(root, true)),
      other: (tx) => publishRecord(tx, publishing(part, true)),
    };
  });
});

/** The step of several that is done to the first block below the top, behind that of the top. */
const blockOf = (steps: readonly Step[]) => (tx: Transaction) => steps[1]?.work(tx) ?? Promise.resolve();

test('a part of a collection is published, or the collection deleted, between the steps that hide it', async () => {
  for (const isDeleted of [false, true])
    await besideEachOther(store.database, async () => {
      const root = await make.resource();
      const part = await make.component(root);
      await make.component(root, { parent: { ref: part } });
      const steps = isDeleted
        ? await suppressSteps(store.database.reader, suppressing(root, true), 1)
        : await publishSteps(store.database.reader, publishing(root, false), 1);
      return {
        one: blockOf(steps),
        other: isDeleted ? make.deleting(root) : (tx) => publishRecord(tx, publishing(part, true)),
      };
    });
});
