// The migration 0084 on an index in which records have more documents than are made of them.
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { sql } from '#store/connection/sql.ts';
import { writersOf } from '#test/support/index-contents.ts';
import { indexerOnDemand } from '#test/support/indexer.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import { AnyRow } from '#test/support/rows.ts';
import { runSql } from '#test/support/run-sql.ts';

const store = await openRecordStore();
const { database } = store;
const { indexed, stop } = indexerOnDemand(() => database, 100);
afterAll(async () => {
  await stop();
  await store[Symbol.asyncDispose]();
});

const repository = await store.create('repository', { repo_code: 'TWICE', name: 'Open to all', publish: true });
const made = (kind: string, title: string, more: JsonObject = {}) =>
  store.create(kind, { ...resourceBody(title), title, publish: true, ...more }, repository.id);
const documents = async (): Promise<readonly string[]> => [...(await writersOf(database)).keys()];

it('has those records due of which there are two documents for the same callers', async () => {
  const note = { jsonmodel_type: 'note_multipart', type: 'odd', publish: false };
  const text = { jsonmodel_type: 'note_text', content: 'For staff', publish: true };
  const [alone, inParts, twice, moved] = [
    await made('resource', 'Alone'),
    await made('resource', 'In parts', { notes: [{ ...note, subnotes: [text] }] }),
    await made('resource', 'Twice'),
    await made('resource', 'Moved'),
  ];
  const managed = await store.create(
    'accession',
    { id_0: 'M1', accession_date: '2026-01-01', collection_management: { processing_plan: 'Soon' } },
    repository.id,
  );
  await indexed();
  await stop();
  const right = await documents();
  expect(right).toEqual(
    expect.arrayContaining([
      `${alone.uri} 0`,
      `${inParts.uri} 1`,
      `${inParts.uri} 2`,
      `${twice.uri} 0`,
      `${managed.uri} 1`,
    ]),
  );
  expect(right.filter((one) => one.includes('/collection_management/'))).toHaveLength(1);
  const another = (id: number, values: JsonObject) => sql`
    WITH twin AS (INSERT INTO search_doc OVERRIDING SYSTEM VALUE
      SELECT (jsonb_populate_record(d, ${JSON.stringify(values)}::jsonb || jsonb_build_object('no', 1000 + d.no))).* FROM search_doc d WHERE d.kind = 'resource' AND d.record_id = ${id} RETURNING no)
    INSERT INTO search_body SELECT (jsonb_populate_record(b, jsonb_build_object('no', twin.no))).* FROM twin JOIN search_body b ON b.no = twin.no - 1000`;
  const movedFrom = `/repositories/9/resources/${moved.id}`;
  await database.transaction(async (tx) => {
    await tx.run(another(twice.id, { audience: 1 }));
    await tx.run(another(moved.id, { uri: movedFrom, id: movedFrom }));
  });
  expect(await documents()).toEqual([...right, `${twice.uri} 1`, `${movedFrom} 0`].sort());

  const file = new URL('../../../../db/migrations/0084_documents_written_twice.sql', import.meta.url);
  await runSql(store.databaseUrl, readFileSync(file, 'utf8'));
  expect(await database.reader.any(sql.type(AnyRow)`SELECT lane, way, kind, ids FROM reindex_fan`)).toEqual([
    { lane: 1, way: 'ids', kind: 'resource', ids: [twice.id, moved.id] },
  ]);
  await indexed();
  expect(await documents()).toEqual(right);
});
