// What goes to another root is hidden from searches of the public where it comes below something hidden, with what only it uses, and not by the move itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { transferComponent } from '#store/transfers/component.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { z } from 'zod';
import { generatedValues } from '../../../../apps/generated-values.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
  const person = await store.create('agent_person', personBody('Bilby, Bo', { publish: true }));
  agentUri = person.uri;
  await store.database.transaction((tx) =>
    tx.run(sql`UPDATE record SET publish = true WHERE kind = 'repository' AND id = ${store.repoId}`),
  );
});
afterAll(() => store[Symbol.asyncDispose]());

let agentUri = '';
let made = 0;
const root = async (publish: boolean): Promise<{ readonly id: number; readonly uri: string }> =>
  store.create('resource', resourceBody(`M${(made += 1)}`, { publish }));

/** A published series with two files in a box of their own, below a published resource. */
async function series(): Promise<{ readonly id: number; readonly nodes: readonly string[]; readonly box: string }> {
  const from = await root(true);
  const box = await store.create('top_container', { indicator: String((made += 1)), type: 'box' });
  const instances = [{ instance_type: 'text', sub_container: { top_container: { ref: box.uri } } }];
  const body = { title: 'T', level: 'file', publish: true, resource: { ref: from.uri } };
  const top = await store.create('archival_object', body);
  const files = [];
  for (const _ of [1, 2])
    files.push(await store.create('archival_object', { ...body, parent: { ref: top.uri }, instances }));
  return { id: top.id, nodes: [top.uri, ...files.map(({ uri }) => uri)], box: box.uri };
}

const Hidden = z.strictObject({ uri: column.text, reach: column.text });

/** What a transfer to the resource adds to the overlay. */
async function hiddenBy(componentId: number, resourceId: number): Promise<readonly string[]> {
  await store.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
  const { repoId } = store;
  await store.database.transaction((tx) =>
    transferComponent(
      tx,
      { repoId, componentId, resourceId, actor: 'tester', agentUri },
      { at: '2026-01-01T00:00:00Z', generatedValues },
    ),
  );
  const rows = await store.database.reader.any(
    sql.type(Hidden)`SELECT DISTINCT record_uri(kind, id, ${repoId}) AS uri, reach FROM search_hidden ORDER BY 1`,
  );
  return rows.map(({ uri, reach }) => `${uri} ${reach}`);
}

test('below a published resource nothing is hidden, what a component is in neither', async () => {
  const { id } = await series();
  expect(await hiddenBy(id, (await root(true)).id)).toEqual([]);
});

test('below an unpublished resource all of it is, and the box that nothing else is in', async () => {
  const { id, nodes, box } = await series();
  expect(await hiddenBy(id, (await root(false)).id)).toEqual([...nodes, box].map((uri) => `${uri} public`).sort());
});

test('of what was hidden there, what comes below a published resource is left to the index', async () => {
  const { id } = await series();
  await hiddenBy(id, (await root(false)).id);
  expect(await hiddenBy(id, (await root(true)).id)).toEqual([]);
});
