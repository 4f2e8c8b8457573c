// Which undos leave holders to steps, and which holders they leave.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseUri } from '#domain/addresses.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import type { RecordAddress } from '#domain/uri.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { readBegun } from '#store/merges/begun.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { hasManyToLeadBack } from '#store/merges/undo-holders.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';
import { z } from 'zod';
import { generatedValues } from '../../../../apps/generated-values.ts';

const mergeId = 4_000_001;
const stepsOf = 4_000_002;
let store: RecordStore;
let [kept, gone, both] = ['', '', ''];
let survivor: RecordAddress = { kind: 'agent_person', id: 0, repoId: null };
let single: readonly string[] = [];
beforeAll(async () => {
  store = await openRecordStore();
  [kept, gone] = [await person('Kept'), await person('Gone')];
  both = await accession([kept, gone]);
  single = [await accession([gone]), await accession([gone]), await accession([gone])];
  const records = toMergeRecords('agent', kept, [gone], null);
  survivor = records.survivor;
  const merge = { id: mergeId, what: 'agent', records, actor: 'tester', agentUri: null, selections: null } as const;
  const enumerations = await EnumerationCache.load(store.database.reader);
  await store.database.transaction((tx) =>
    mergeRecords(tx, merge, { at: '2026-01-01T00:00:00Z', generatedValues, enumerations }),
  );
});
afterAll(async () => store[Symbol.asyncDispose]());

const person = async (name: string): Promise<string> => (await store.create('agent_person', personBody(name))).uri;
let made = 0;
const accession = async (agents: readonly string[]): Promise<string> =>
  (
    await store.create('accession', {
      id_0: `L${(made += 1)}`,
      accession_date: '2020-01-01',
      linked_agents: agents.map((ref) => ({ ref, role: 'creator' })),
    })
  ).uri;
const idOf = (uri: string): number => parseUri(uri)?.id ?? 0;
const LedRow = z.strictObject({ id: column.int, target: column.int });

test('more holders of one ref than are given, where none of the records is suppressed', async () => {
  const ask = (atOnce: number, suppressed = false): Promise<boolean> =>
    store.database.transaction((tx) => hasManyToLeadBack(tx, mergeId, survivor, [{ suppressed }], atOnce));
  const suppress = (suppressed: boolean): Promise<unknown> =>
    store.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET suppressed = ${suppressed} WHERE kind = ${survivor.kind} AND id = ${idOf(kept)}`),
    );
  expect([await ask(2), await ask(3), await ask(2, true)]).toEqual([true, false, false]);
  await suppress(true);
  expect(await ask(2)).toBe(false);
  await suppress(false);
  expect(await ask(2)).toBe(true);
});

test('those whose bodies were kept are led back at once, the others are written down', async () => {
  const undone = await store.database.transaction((tx) =>
    undoMerge(tx, mergeId, 'tester', { stepsOf, atOnce: 2, beforeTrees: () => Promise.reject(new Error('not yet')) }),
  );
  expect(undone).toEqual({ survivor: kept, restored: [gone], hasLeft: true });
  expect(await store.read(both)).toMatchObject({ linked_agents: [{ ref: kept }, { ref: gone }] });
  for (const uri of single) expect(await store.read(uri)).toMatchObject({ linked_agents: [{ ref: kept }] });
  expect(await readBegun(store.database.reader, stepsOf)).toEqual({
    ...toMergeRecords('agent', kept, [gone], null),
    actor: 'tester',
  });
  const led = await store.database.reader.any(
    sql.type(LedRow)`SELECT source_id AS id, target_id AS target FROM merge_led WHERE merge_id = ${stepsOf} ORDER BY 1`,
  );
  expect(led).toEqual(single.map((uri) => ({ id: idOf(uri), target: idOf(gone) })));
});
