// Where a record of no repository is used, as search documents tell it: by whom, and by whom in something public.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUsingRepositories } from '#store/search/using-repositories.ts';
import { sql } from '#store/connection/sql.ts';
import { RecordRow } from '#store/records/reading/row.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => store[Symbol.asyncDispose]());

const repository = async (code: string, publish: boolean): Promise<number> =>
  (await store.create('repository', { repo_code: code, name: code, publish }, 0)).id;
const rowsOf = (ids: readonly number[]): Promise<readonly RecordRow[]> =>
  store.database.reader.any(sql.type(RecordRow)`
    SELECT r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by, r.create_time, r.system_mtime, r.user_mtime, r.body
    FROM record r WHERE r.kind = 'agent_person' AND r.id = ANY(${sql.array([...ids], 'int4')})`);

test('repositories that use it, and of them the public ones with something public that does', async () => {
  const [open, quiet, closed] = [
    await repository('OPEN', true),
    await repository('QUIET', true),
    await repository('CLOSED', false),
  ];
  const agent = await store.create('agent_person', personBody('Used'));
  const creator = { linked_agents: [{ ref: agent.uri, role: 'creator' }] };
  await store.create('resource', resourceBody('A', { ...creator, publish: true }), open);
  await store.create('accession', { id_0: 'B', accession_date: '2020-01-01', publish: false, ...creator }, open);
  await store.create('resource', resourceBody('C', { ...creator, publish: false }), quiet);
  await store.create('resource', resourceBody('D', { ...creator, publish: true }), closed);
  const unused = await store.create('agent_person', personBody('Unused'));
  const found = await store.database.transaction(async (tx) =>
    readUsingRepositories(tx, await rowsOf([agent.id, unused.id])),
  );
  const uri = (id: number): string => `/repositories/${id}`;
  expect(found.map(([of, all, published]) => [of, [...all].sort(), published])).toEqual([
    [agent.uri, [uri(open), uri(quiet), uri(closed)].sort(), [uri(open)]],
  ]);
});

test('nothing is asked where no record is of a kind that repositories use', async () => {
  expect(await store.database.transaction((tx) => readUsingRepositories(tx, []))).toEqual([]);
});
