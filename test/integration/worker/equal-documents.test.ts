// Documents that are there as they would be written stay as they are: which those are, and that what stays is never less than what would be written.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hideDocuments } from '#store/search/postgres/hide.ts';
import { appendChange } from '#store/changes.ts';
import { indexedKinds } from '#domain/search/echo.ts';
import { makeDocuments } from '#domain/search/material.ts';
import { claimDue, enqueue, enqueueAll } from '#store/search/due.ts';
import { raiseEdition } from '#store/search/form.ts';
import { readMaterial } from '#store/search/material.ts';
import { readEqual } from '#store/search/postgres/equal.ts';
import { keyOf } from '#store/search/postgres/keys.ts';
import { Database } from '#store/database.ts';
import { sql } from '#store/sql.ts';
import type { TestIndexer } from '#test/support/indexer.ts';
import { startIndexer, untilIndexed } from '#test/support/indexer.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let indexer: TestIndexer | null = null;
beforeAll(async () => {
  store = await openRecordStore();
});
afterEach(stopIndexer);
afterAll(() => store[Symbol.asyncDispose]());

async function stopIndexer(): Promise<void> {
  if (indexer === null) return;
  expect(indexer.errors).toEqual([]);
  await indexer[Symbol.asyncDispose]();
  indexer = null;
}

async function indexed(): Promise<void> {
  indexer ??= await startIndexer(store.database, { batchSize: 50 });
  await untilIndexed(store.database);
}

async function anew({ rewrite = false } = {}): Promise<void> {
  await store.database.transaction(async (tx) => {
    if (rewrite) await raiseEdition(tx);
    await enqueueAll(tx, [...indexedKinds], null);
  });
  await indexed();
}

/** By uri and audience, what wrote the row. */
const writers = async (): Promise<ReadonlyMap<string, string>> =>
  new Map((await store.database.reader.any<{ id: string; xmin: string }>(sql`SELECT id || ' ' || audience AS id, xmin::text AS xmin FROM search_doc ORDER BY 1`)).map(({ id, xmin }) => [id, xmin]));

/** All that is stored of all documents but their numbers, and what is told of writing. */
const contents = (): Promise<readonly unknown[]> =>
  store.database.reader.any(sql`SELECT to_jsonb(d) - '{no,seq,digest,vals}'::text[] || to_jsonb(b) - 'no' || jsonb_build_object('vals', (SELECT array_agg(v.field || '=' || v.value ORDER BY v.field, v.value) FROM search_value v WHERE v.id = ANY(d.vals))) AS document
    FROM search_doc d JOIN search_body b USING (no) ORDER BY d.id, d.audience`);

const counts = (): Promise<readonly unknown[]> =>
  store.database.reader.any(sql`
    SELECT audience, published, suppressed, repo_id, tsv::text, value, sum(n)::int AS n FROM (
      SELECT s.audience, s.published, s.suppressed, s.repo_id, s.tsv, c.value, c.n FROM search_count c JOIN search_scope s ON s.id = c.scope
      UNION ALL SELECT t.audience, t.published, t.suppressed, t.repo_id, t.tsv, u.value, u.n FROM search_tally t, unnest(t.ids, t.counts) AS u (value, n)) AS told
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6`);

const idOf = (uri: string): number => Number(uri.split('/').at(-1));

test('made anew, what has not changed is not written; what has, and what shows it, is', async () => {
  const agent = await store.create('agent_person', personBody('Numbat'));
  const { uri } = await store.create('resource', resourceBody('EQ1', { title: 'Papers', publish: true, linked_agents: [{ role: 'creator', ref: agent.uri }] }));
  const other = await store.create('resource', resourceBody('EQ2', { title: 'Others' }));
  await indexed();
  const first = await writers();
  expect([...first.keys()]).toEqual(expect.arrayContaining([`${other.uri} 1`]));
  await anew();
  expect(await writers()).toEqual(first);

  await stopIndexer();
  await store.update(agent.uri, { ...(await store.read(agent.uri)), ...personBody('Bilby') });
  await anew();
  const second = await writers();
  const written = [...second].filter(([id, xmin]) => first.get(id) !== xmin).map(([id]) => id.split(/[ #]/)[0]);
  expect(new Set(written)).toEqual(new Set([agent.uri, uri]));

  await anew({ rewrite: true });
  const third = await writers();
  expect([...third.keys()]).toEqual([...second.keys()]);
  for (const [id, xmin] of third) expect(xmin, id).not.toBe(second.get(id));
  await anew();
  expect(await writers()).toEqual(third);
});

test('a record that another batch has taken, or may take, is written', async () => {
  const { uri } = await store.create('resource', resourceBody('EQ3', { title: 'Wombat papers' }));
  await indexed();
  await stopIndexer();
  const record = { kind: 'resource', id: idOf(uri) };
  const { read, heads } = await store.database.transaction(async (tx) => {
    const material = await readMaterial(tx, [record]);
    return { read: material, heads: makeDocuments(material.material).heads };
  });
  await using other = new Database({ url: store.database.settings.url, poolSize: 1 });
  const equal = (): Promise<ReadonlySet<string>> => other.transaction((tx) => readEqual(tx, [record], heads, read.edition));
  expect(await equal()).toEqual(new Set([keyOf(record)]));
  await store.database.transaction((tx) => enqueue(tx, 0, [record]));
  expect(await equal()).toEqual(new Set());
  await store.database.transaction(async (tx) => {
    expect(await claimDue(tx, 0, 10, 0)).toHaveLength(1);
    expect(await equal()).toEqual(new Set());
  });
  expect(await equal()).toEqual(new Set([keyOf(record)]));
  expect(await store.database.transaction((tx) => readEqual(tx, [record], heads, read.edition + 1))).toEqual(new Set());
  expect(await store.database.transaction((tx) => readEqual(tx, [record], heads.slice(1), read.edition))).toEqual(new Set());
  expect(await store.database.transaction((tx) => readEqual(tx, [record], heads.map((head) => ({ ...head, digest: 'x' })), read.edition))).toEqual(new Set());
});

test('a document that was hidden comes back with a record that is as it was', async () => {
  const { uri } = await store.create('resource', resourceBody('EQ4', { title: 'Potoroo papers', publish: true }));
  await indexed();
  await stopIndexer();
  const before = await contents();
  await store.database.transaction(async (tx) => {
    await hideDocuments(tx, 'resource', [idOf(uri)], true);
    await appendChange(tx, { kind: 'resource', id: idOf(uri), repoId: null, op: 'update', actor: null, lockVersion: 1 });
  });
  expect(await contents()).not.toEqual(before);
  await indexed();
  expect(await contents()).toEqual(before);
});

test('after any changes the index is what writing all of it would make it, counts included', async () => {
  const uris: string[] = [];
  for (let n = 0; n < 4; n++) uris.push((await store.create('resource', resourceBody(`EQP${n}`, { title: `Series ${n}`, publish: true }))).uri);
  const agents = await Promise.all(['Koala', 'Dingo'].map(async (name) => (await store.create('agent_person', personBody(name))).uri));
  // A batch that meets a new record beside another fails, and comes again: told of elsewhere.
  await indexed();
  const change = fc.record({ which: fc.nat(uris.length - 1), title: fc.constantFrom('Series', 'Letters'), publish: fc.boolean(), agent: fc.constantFrom(null, ...agents), isAnew: fc.boolean() });
  await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
    for (const { which, title, publish, agent, isAnew } of changes) {
      const uri = uris[which] ?? '';
      await store.update(uri, { ...(await store.read(uri)), title, publish, linked_agents: agent === null ? [] : [{ role: 'creator', ref: agent }] });
      if (isAnew) await anew();
    }
    await indexed();
    const [made, counted] = [await contents(), await counts()];
    await anew({ rewrite: true });
    expect(await contents()).toEqual(made);
    expect(await counts()).toEqual(counted);
  }), { numRuns: 5 });
}, 120_000);
