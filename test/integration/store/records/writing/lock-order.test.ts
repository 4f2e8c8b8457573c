// Records that somebody is updating are waited for, and not left out, where records of several kinds are locked together.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BodyRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => store[Symbol.asyncDispose]());

/** Holds the rows of records as an update does until `release` is called, and leaves them changed. */
async function hold(kind: string, id: number): Promise<{ readonly release: () => Promise<void> }> {
  let release = (): void => undefined;
  let held = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const done = store.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE record SET system_mtime = now() WHERE kind = ${kind} AND id = ${id}`);
    held();
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await isHeld;
  return {
    release: async () => {
      release();
      await done;
    },
  };
}

test('a delete rewrites a record that is being updated at that moment', async () => {
  const agent = await store.create('agent_person', personBody('Gone'));
  const accession = await store.create('accession', {
    id_0: 'L1',
    accession_date: '2020-01-01',
    linked_agents: [{ ref: agent.uri, role: 'creator' }],
  });
  const event = await store.create('event', {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [{ ref: agent.uri, role: 'validator' }],
    linked_records: [{ ref: accession.uri, role: 'source' }],
  });
  const { release } = await hold('accession', accession.id);
  const removing = store.remove(agent.uri);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await release();
  await removing;
  expect((await store.read(accession.uri))['linked_agents']).toEqual([]);
  expect((await store.read(event.uri))['linked_agents']).toEqual([]);
});

test('a delete waits for whoever links to the record, and takes that link too', async () => {
  const agent = await store.create('agent_person', personBody('Linked late'));
  let release = (): void => undefined;
  let held = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const linking = store.database.transaction(async (tx) => {
    await tx.run(sql`
      SELECT FROM record WHERE kind = 'agent_person' AND id = ${agent.id} FOR KEY SHARE`);
    held();
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await tx.run(sql`WITH made AS (INSERT INTO record (kind, id, repo_id, publish, label, body) VALUES ('accession', nextval('accession_id_seq'), ${store.repoId}, false, 'late', ${JSON.stringify({ jsonmodel_type: 'accession', linked_agents: [{ ref: agent.uri, role: 'creator' }] })}::json) RETURNING id)
      INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role) SELECT 'accession', id, 0, 'linked_agents', 'agent_person', ${agent.id}, ${store.repoId}, 'creator' FROM made`);
  });
  await isHeld;
  const removing = store.remove(agent.uri);
  await new Promise((resolve) => setTimeout(resolve, 200));
  release();
  await linking;
  await removing;
  expect(
    (
      await store.database.reader.one(sql.type(BodyRow)`
        SELECT body FROM record WHERE kind = 'accession' AND label = 'late'`)
    ).body,
  ).not.toContain('/agents/people/');
});
