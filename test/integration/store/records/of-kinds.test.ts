// A statement over records of several kinds is planned for the partitions of these kinds.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnreadRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { ofKinds } from '#store/records/of-kinds.ts';
import { heldInOrder } from '#store/records/writing/lock-order.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => store[Symbol.asyncDispose]());

/** The partitions of `record` that a plan reads. */
async function partitionsIn(statement: Fragment): Promise<readonly string[]> {
  const rows = await store.database.transaction((tx) => tx.any(sql.type(UnreadRow)`EXPLAIN ${statement}`));
  return [...new Set(JSON.stringify(rows).match(/record_[a-z_]+(?= r)/g) ?? [])].sort();
}

const records = [
  { kind: 'subject', id: 2 },
  { kind: 'agent_person', id: 1 },
  { kind: 'subject', id: 1 },
];
const keys = sql.fragment`${sql.unnest(
  records.map(({ kind, id }) => [kind, id]),
  ['text', 'int4'],
)} AS u (kind, id)`;

test('a join by kind and id reads the partitions of the kinds that are told', async () => {
  const join = sql.fragment`SELECT r.id FROM ${keys} JOIN record r ON r.kind = u.kind AND r.id = u.id`;
  expect((await partitionsIn(join)).length).toBeGreaterThan(20);
  expect(await partitionsIn(sql.fragment`${join} AND ${ofKinds(records.map(({ kind }) => kind))}`)).toEqual([
    'record_agent_person',
    'record_subject',
  ]);
  expect(await partitionsIn(sql.fragment`${join} AND ${ofKinds([])}`)).toEqual([]);
});

test('records are held one after another in the order of their keys, whatever is in the tables', async () => {
  const rows = await store.database.transaction((tx) =>
    tx.any(sql.type(UnreadRow)`EXPLAIN SELECT r.id FROM ${heldInOrder(records, 'deletion')}`),
  );
  const plan = JSON.stringify(rows);
  expect(plan).toMatch(/Nested Loop.*Function Scan on u.*LockRows/);
  expect(plan).not.toMatch(/Sort/);
  expect(plan).not.toContain('record_accession');
  // Whoever holds two of them in the other order would wait for who holds them in this one, and be waited for.
  for (const given of [records, records.toReversed()])
    expect(heldInOrder(given, 'deletion').values.slice(0, 2)).toEqual([
      ['agent_person', 'subject', 'subject'],
      '{1,1,2}',
    ]);
});
