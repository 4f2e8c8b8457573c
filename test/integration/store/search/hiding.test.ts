// What goes to another root is hidden from searches of the public where it comes below something hidden, with what only it uses, and not by the move itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import type { Reader, Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { moveRecords } from '#store/records/writing/move.ts';
import { spreadHiding } from '#store/search/hiding.ts';
import { transferComponent } from '#store/transfers/component.ts';
import { transferRecord } from '#store/transfers/transfer.ts';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { RecordStore } from '#test/support/records.ts';
import { importInto } from '#test/support/batch.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { AnyRow } from '#test/support/rows.ts';
import { z } from 'zod';
import { generatedValues } from '../../../../apps/generated-values.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
  const person = await store.create('agent_person', personBody('Bilby, Bo', { publish: true }));
  agentUri = person.uri;
  const agent = { ref: (await store.create('agent_corporate_entity', corporate)).uri };
  for (const code of ['SHOWN', 'HIDDEN'])
    others.push((await store.create('repository', { repo_code: code, name: code })).id);
  await store.database.transaction(async (tx) => {
    await tx.run(
      sql`UPDATE record SET publish = (body->>'repo_code') <> 'HIDDEN', body = with_property((body::jsonb || '{"agent_representation": 0}')::json, 'agent_representation', ${JSON.stringify(agent)}::json) WHERE kind = 'repository' AND id > 1`,
    );
  });
});
const corporate = { names: [{ primary_name: 'The archive', source: 'local', sort_name_auto_generate: true }] };
const others: number[] = [];
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

test('what is hidden behind a first look is looked through by the end of the transaction, with what was hidden before it', async () => {
  const { nodes, box } = await series();
  const hide = (tx: Transaction, uri: string | undefined): Promise<number> =>
    tx.run(
      sql`UPDATE record SET publish = false WHERE kind = 'archival_object' AND id = ${Number(uri?.split('/').at(-1))}`,
    );
  const hidden = async (tx: Reader): Promise<readonly string[]> =>
    (
      await tx.any(
        sql.type(
          Hidden,
        )`SELECT DISTINCT record_uri(kind, id, ${store.repoId}) AS uri, reach FROM search_hidden ORDER BY 1`,
      )
    ).map(({ uri }) => uri);
  await store.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
  await store.database.transaction(async (tx) => {
    await hide(tx, nodes[1]);
    await spreadHiding(tx);
    expect(await hidden(tx)).toEqual([nodes[1]]);
    await hide(tx, nodes[2]);
  });
  // The box is in both files, and in nothing else.
  expect(await hidden(store.database.reader)).toEqual([...nodes.slice(1), box].sort());
});

test('a transfer to another repository hides a subject only where it leaves the published for one that is not', async () => {
  const vocabulary = (await store.create('vocabulary', { name: 'V', ref_id: 'v' })).uri;
  const terms = [{ term: 'Moved', term_type: 'topical', vocabulary }];
  const subject = (await store.create('subject', { vocabulary, source: 'local', terms })).uri;
  const { id } = await store.create('resource', resourceBody('SUBJ', { publish: true, subjects: [{ ref: subject }] }));
  const [shown = 0, hidden = 0] = others;
  const route = [store.repoId, shown, hidden, shown];
  const found = [];
  for (const [n, from] of route.slice(0, -1).entries()) {
    const to = route[n + 1] ?? 0;
    await store.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
    await store.database.transaction((tx) =>
      transferRecord(
        tx,
        kindNamed('resource'),
        id,
        { from, to, actor: 'tester' },
        { at: '2026-01-01T00:00:00Z', generatedValues },
      ),
    );
    const rows = await store.database.reader.any(
      sql.type(
        Hidden,
      )`SELECT kind AS uri, reach FROM search_hidden WHERE kind IN ('resource', 'subject') ORDER BY 1, 2`,
    );
    found.push(rows.map(({ uri, reach }) => `${uri} ${reach}`));
    // What was counted before is not to be shown after it, whether anything was looked for or not.
    const noted = await store.database.reader.any(
      sql.type(
        Hidden.pick({ uri: true }),
      )`SELECT h.xid::text AS uri FROM search_hiding h WHERE h.xid IN (SELECT xid FROM search_hidden)`,
    );
    expect(noted).toHaveLength(1);
  }
  expect(found).toEqual([['resource repository'], ['resource repository', 'subject public'], ['resource repository']]);
});

const Fetched = z.strictObject({ rows: column.int });

test('what is below is looked up, however many there are beside it', async () => {
  const resource = await root(true);
  const component = (name: string, more: JsonObject): JsonObject => ({
    jsonmodel_type: 'archival_object',
    uri: `/repositories/${store.repoId}/archival_objects/import_${name}`,
    title: name,
    level: 'file',
    publish: true,
    resource: { ref: resource.uri },
    ...more,
  });
  const files = (parent: string): readonly JsonObject[] =>
    Array.from({ length: 500 }, (_, n) =>
      component(`${parent}_${n}`, {
        parent: { ref: `/repositories/${store.repoId}/archival_objects/import_${parent}` },
        position: n,
      }),
    );
  const tops = ['a', 'b', 'c', 'd'];
  await importInto(
    store.database,
    [...tops.map((name, position) => component(name, { position })), ...tops.flatMap(files)],
    {
      repoId: store.repoId,
    },
  );
  await store.database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE)`);
  const fetched = async (tx: Transaction): Promise<number> =>
    (
      await tx.one(
        sql.type(
          Fetched,
        )`SELECT idx_tup_fetch + seq_tup_read AS rows FROM pg_stat_xact_user_tables WHERE relname = 'tree_node'`,
      )
    ).rows;
  const read = await store.database.transaction(async (tx) => {
    const before = await fetched(tx);
    // As the planner thinks where there are many nodes.
    await tx.run(sql`SET LOCAL enable_nestloop = off`);
    await tx.run(sql`UPDATE record SET publish = false WHERE kind = 'archival_object' AND label = 'a'`);
    await tx.run(sql`SET CONSTRAINTS ALL IMMEDIATE`);
    return (await fetched(tx)) - before;
  });
  expect(read).toBeGreaterThan(500);
  // All of the repository are four times as many, and were read for each level.
  expect(read).toBeLessThan(1500);
});

const Counts = z.strictObject({ counts: column.bool });
const Planned = z.strictObject({ text: column.text, plans: column.int });

test('what a deletion hides is looked for without planning anew for each', async ({ skip }) => {
  const { repoId, database } = store;
  const { counts } = await database.reader.one(sql.type(Counts)`
    SELECT current_setting('shared_preload_libraries') LIKE '%pg_stat_statements%' AS counts`);
  if (!counts) console.warn('SKIPPED: this PostgreSQL counts no plans (pg_stat_statements).');
  skip(!counts);
  const from = await root(true);
  const made = [];
  for (let n = 0; n < 10; n++) {
    const box = await store.create('top_container', { indicator: `P${n}`, type: 'box' });
    const instances =
      n % 2 === 0 ? [] : [{ instance_type: 'text', sub_container: { top_container: { ref: box.uri } } }];
    made.push(
      await store.create('archival_object', { title: 'T', level: 'file', resource: { ref: from.uri }, instances }),
    );
  }
  await database.write(sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`);
  await database.reader.any(sql.type(AnyRow)`SELECT pg_stat_statements_reset()`);
  // One connection, which has none of these plans yet, or had them made before.
  await using alone = new Database({ url: store.databaseUrl, poolSize: 1 });
  for (const { id } of made)
    await alone.transaction(async (tx) => {
      await tx.run(sql`SET LOCAL pg_stat_statements.track = 'all'`);
      await tx.run(sql`SET LOCAL pg_stat_statements.track_planning = on`);
      await deleteRecord(tx, kindNamed('archival_object'), id, repoId, 'tester');
    });
  const rows = await database.reader.any(
    sql.type(
      Planned,
    )`SELECT query AS text, plans::int FROM pg_stat_statements JOIN pg_database d ON d.oid = dbid AND datname = current_database()
      WHERE query LIKE '%search_hidden%'`,
  );
  expect(rows.length).toBeGreaterThan(3);
  // Once, and once more where statistics came in between.
  expect(rows.filter(({ plans }) => plans > made.length / 2)).toEqual([]);
  const large = rows.filter(({ text }) => /LATERAL/.test(text)).map(({ text }) => text);
  // Of what is moved or below there is nothing, of what uses a container there is.
  expect(large).toEqual([expect.stringContaining('LIMIT $')]);
});

test('a move within a tree hides all that it brings below a hidden component, and nothing where the resource alone hides it', async () => {
  const { repoId } = store;
  // What the move adds to the overlay: a series with two files, to a series beside it.
  const hiddenIn = async (resourceShown: boolean, targetShown: boolean): Promise<readonly string[]> => {
    const { id, uri } = await root(resourceShown);
    const make = async (title: string, publish: boolean, parent?: string): Promise<{ id: number; uri: string }> =>
      store.create('archival_object', {
        title,
        level: 'file',
        publish,
        resource: { ref: uri },
        ...(parent === undefined ? {} : { parent: { ref: parent } }),
      });
    const [mover, target] = [await make('mover', true), await make('target', targetShown)];
    const files = [await make('file', true, mover.uri), await make('file', true, mover.uri)];
    names.clear();
    for (const [n, each] of [mover, ...files].entries()) names.set(each.uri, ['mover', 'one', 'two'][n] ?? '');
    await store.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
    await store.database.transaction((tx) =>
      moveRecords(
        tx,
        kindNamed('archival_object'),
        repoId,
        id,
        { parentId: target.id, position: 0, ids: [mover.id] },
        'tester',
      ),
    );
    const rows = await store.database.reader.any(
      sql.type(Hidden)`SELECT DISTINCT record_uri(kind, id, ${repoId}) AS uri, reach FROM search_hidden ORDER BY 1`,
    );
    return rows.map((row) => `${names.get(row.uri) ?? row.uri} ${row.reach}`);
  };
  const names = new Map<string, string>();
  const all = ['mover public', 'one public', 'two public'];
  expect(await hiddenIn(true, true)).toEqual([]);
  expect(await hiddenIn(false, true)).toEqual([]);
  expect(await hiddenIn(true, false)).toEqual(all);
  expect(await hiddenIn(false, false)).toEqual(all);
});
