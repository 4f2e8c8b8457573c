// Deleting records: what goes with them, what stays, what forbids it (contract 5.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column, NumberRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { kindNamed } from '#domain/addresses.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { moveNodes } from '#store/trees/move.ts';
import { lockTree } from '#store/trees/root.ts';
import { idOf } from '../../../../support/api.ts';
import type { RecordStore } from '../../../../support/records.ts';
import { eventBody } from '../../../../support/make/linked-records.ts';
import { openRecordStore, personBody, resourceBody } from '../../../../support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

describe('deleting a record', () => {
  it('takes a root with its whole tree and leaves a tombstone and a revision for each', async () => {
    const resource = await store.create('resource', resourceBody('D1'));
    const parent = await store.create('archival_object', {
      title: 'P',
      level: 'series',
      resource: { ref: resource.uri },
    });
    const child = await store.create('archival_object', {
      title: 'C',
      level: 'file',
      resource: { ref: resource.uri },
      parent: { ref: parent.uri },
    });
    expect([...(await store.remove(resource.uri))].sort()).toEqual([child.uri, parent.uri, resource.uri].sort());
    await expect(store.read(child.uri)).rejects.toMatchObject({ code: 'not_found', error: 'ArchivalObject not found' });
    const tombstones = await store.database.reader.any(sql.type(z.strictObject({ uri: column.text }))`
      SELECT uri FROM tombstone`);
    expect(tombstones.map((row) => row.uri)).toEqual(expect.arrayContaining([child.uri, parent.uri, resource.uri]));
    const revisions = await store.database.reader.any(sql.type(AnyRow)`
      SELECT FROM revision WHERE op = 'delete' AND kind = 'archival_object'`);
    expect(revisions).toHaveLength(2);
    const left = await store.database.reader.one(sql.type(NumberRow)`
      SELECT (SELECT count(*) FROM tree_node) + (SELECT count(*) FROM tree_bucket) + (SELECT count(*) FROM tree_root)::int AS n`);
    expect(left.n).toBe(0);
  });

  it('takes the ref to a deleted subject out of the records that have it, and re-dates them', async () => {
    const vocabulary = await store.create('vocabulary', { name: 'V', ref_id: 'v' });
    const subject = async (term: string) =>
      store.create('subject', {
        vocabulary: vocabulary.uri,
        source: 'local',
        terms: [{ term, term_type: 'topical', vocabulary: vocabulary.uri }],
      });
    const [one, two] = [await subject('One'), await subject('Two')];
    const accession = await store.create('accession', {
      id_0: 'D2',
      accession_date: '2020-01-01',
      subjects: [{ ref: one.uri }, { ref: two.uri }],
    });
    await store.remove(one.uri);
    expect(await store.read(accession.uri)).toMatchObject({ subjects: [{ ref: two.uri }], lock_version: 0 });
    const changes = await store.database.reader.any(sql.type(AnyRow)`
      SELECT FROM change WHERE kind = 'accession' AND id = ${accession.id} AND op = 'update'`);
    expect(changes).toHaveLength(1);
  });

  it('takes the whole instance of a deleted top container', async () => {
    const [gone, stays] = [
      await store.create('top_container', { indicator: '1' }),
      await store.create('top_container', { indicator: '2' }),
    ];
    const instance = (uri: string) => ({
      instance_type: 'mixed_materials',
      sub_container: { top_container: { ref: uri } },
    });
    const accession = await store.create('accession', {
      id_0: 'D3',
      accession_date: '2020-01-01',
      instances: [instance(gone.uri), instance(stays.uri)],
    });
    await store.remove(gone.uri);
    const instances = (await store.read(accession.uri))['instances'];
    expect(instances).toMatchObject([{ sub_container: { top_container: { ref: stays.uri } } }]);
    expect(instances).toHaveLength(1);
  });

  it('refuses to delete a location that holds a container', async () => {
    const location = await store.create('location', { building: 'B', barcode: '1' });
    await store.create('top_container', {
      indicator: '9',
      container_locations: [{ ref: location.uri, status: 'current', start_date: '2020-01-01' }],
    });
    await expect(store.remove(location.uri)).rejects.toMatchObject({ status: 409 });
    await expect(store.read(location.uri)).resolves.toMatchObject({ building: 'B' });
  });

  it('drops links that both sides write, from either side', async () => {
    const agent = await store.create('agent_person', personBody('A'));
    const related = await store.create(
      'agent_person',
      personBody('B', {
        related_agents: [
          { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: agent.uri },
        ],
      }),
    );
    await store.remove(related.uri);
    expect((await store.read(agent.uri))['related_agents']).toEqual([]);
  });

  it('lets the keys of a deleted record be used again', async () => {
    const first = await store.create('accession', { id_0: 'AGAIN', accession_date: '2020-01-01' });
    await store.remove(first.uri);
    await expect(store.create('accession', { id_0: 'AGAIN', accession_date: '2020-01-01' })).resolves.toMatchObject({
      lockVersion: 0,
    });
  });
});

describe('deleting a component with all below it, while somebody else works in its tree', () => {
  const component = async (root: string, parent: string | null, more: object = {}): Promise<string> =>
    (
      await store.create('archival_object', {
        title: 'N',
        level: 'file',
        resource: { ref: root },
        ...(parent === null ? {} : { parent: { ref: parent } }),
        ...more,
      })
    ).uri;
  const box = async (): Promise<string> => (await store.create('top_container', { indicator: '1', type: 'box' })).uri;
  const inBox = (uri: string): object => ({
    instances: [{ instance_type: 'text', sub_container: { top_container: { ref: uri } } }],
  });
  const waiting = (pid: number) =>
    expect
      .poll(
        async () =>
          (
            await store.database.reader.one(sql.type(NumberRow)`
              SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${pid}::int = ANY(pg_blocking_pids(pid))`)
          ).n,
      )
      .toBeGreaterThan(0);

  /** Holds what the statement locks from before the deletion begins, until `work` has run once the deletion waits for it. */
  async function whileHeld(statement: string, uri: string, work: () => Promise<unknown>): Promise<readonly string[]> {
    return store.database.withClient(async (client) => {
      await client.query('BEGIN READ WRITE');
      await client.query(statement);
      const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
      const removing = store.remove(uri);
      // A failure is told where it is awaited.
      removing.catch(() => undefined);
      try {
        await waiting(Number(pid));
        await work();
      } finally {
        await client.query('COMMIT');
      }
      return removing;
    });
  }

  it('holds up nobody who adds elsewhere in the tree or saves a container, and takes what was put below it meanwhile', async () => {
    const root = (await store.create('resource', resourceBody('D20'))).uri;
    const container = await box();
    const top = await component(root, null);
    const child = await component(root, top, inBox(container));
    // The deletion waits for the row of a child of which it has not come to the record yet; the rest of the tree is free.
    const added: string[] = [];
    const gone = await whileHeld(
      `SELECT FROM record WHERE kind = 'archival_object' AND id = ${idOf(child)} FOR UPDATE`,
      top,
      async () => {
        added.push(await component(root, null), await component(root, top, inBox(container)));
        await store.update(container, { ...(await store.read(container)), indicator: '2' });
      },
    );
    const [elsewhere = '', below = ''] = added;
    expect([...gone].sort()).toEqual([top, child, below].sort());
    expect(await store.read(elsewhere)).toMatchObject({ title: 'N' });
    await expect(store.read(below)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.read(container)).toMatchObject({ indicator: '2' });
    expect(await checkTrees(store.database.reader)).toEqual([]);
  });

  it('waits for the tree at its end alone', async () => {
    const root = (await store.create('resource', resourceBody('D21'))).uri;
    const top = await component(root, null);
    const [child, beside] = [await component(root, top), await component(root, null)];
    const gone = await whileHeld(
      `UPDATE tree_root SET version = version + 1 WHERE kind = 1 AND root_id = ${idOf(root)}`,
      top,
      // The records wait for nobody: they are gone already, and an editor of what is beside them is not held up.
      async () => {
        const { publish, title } = await store.read(beside);
        await store.update(beside, { ...(await store.read(beside)), title: `${String(title)} saved`, publish });
      },
    );
    expect([...gone].sort()).toEqual([top, child].sort());
    expect(await store.read(beside)).toMatchObject({ title: 'N saved' });
    expect(await checkTrees(store.database.reader)).toEqual([]);
  });

  it('ends the job of a whole resource, its tree gone, before it holds a container that is in use elsewhere', async () => {
    const root = (await store.create('resource', resourceBody('D25'))).uri;
    const container = await box();
    const top = await component(root, null, inBox(container));
    const told: unknown[] = [];
    const gone = await store.database.transaction(async (tx) =>
      deleteRecord(tx, kindNamed('resource'), idOf(root), store.repoId, 'admin', null, async (uris) => {
        const left = await tx.one(
          sql.type(NumberRow)`SELECT count(*)::int AS n FROM tree_node WHERE root_id = ${idOf(root)}`,
        );
        await store.database.withClient(async (client) => {
          await client.query('BEGIN READ WRITE');
          await client.query(
            `SELECT FROM record WHERE kind = 'top_container' AND id = ${idOf(container)} FOR NO KEY UPDATE NOWAIT`,
          );
          await client.query('ROLLBACK');
        });
        told.push(uris, left.n);
      }),
    );
    expect(told).toEqual([gone, 0]);
    expect([...gone].sort()).toEqual([root, top].sort());
    // Made, and told that it is in use no more.
    const changes = await store.database.reader.one(
      sql.type(
        NumberRow,
      )`SELECT count(*)::int AS n FROM change WHERE kind = 'top_container' AND id = ${idOf(container)}`,
    );
    expect(changes.n).toBe(2);
  });

  it('takes what others move below it, before its places are gone and behind that', async () => {
    const root = (await store.create('resource', resourceBody('D23'))).uri;
    const tree = treeUnder(kindNamed('archival_object'), store.repoId, idOf(root));
    const top = await component(root, null);
    const leaf = await component(root, top);
    const agent = (await store.create('agent_person', personBody('D23'))).uri;
    const event = await store.create('event', {
      ...eventBody(root, agent),
      linked_records: [root, leaf].map((ref) => ({ ref, role: 'source' })),
    });
    const [early, late] = [await component(root, null), await component(root, null)];
    const [belowEarly, belowLate] = [await component(root, early), await component(root, late)];
    const move = (tx: Transaction, uri: string, parent: string): Promise<unknown> =>
      moveNodes(tx, tree, { parentId: idOf(parent), position: 0, ids: [idOf(uri)] });
    const [isTaken, mayMove] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    let moving: Promise<unknown> = Promise.resolve();
    const removing = whileHeld(
      // What was found below is had, and what links to one of these is waited for.
      `SELECT FROM record WHERE kind = 'event' AND id = ${event.id} FOR NO KEY UPDATE`,
      top,
      async () => {
        await store.database.transaction((tx) => move(tx, early, top));
        moving = store.database.transaction(async (tx) => {
          await lockTree(tx, tree);
          isTaken.resolve((await tx.one(sql.type(NumberRow)`SELECT pg_backend_pid() AS n`)).n);
          await mayMove.promise;
          await move(tx, late, leaf);
        });
        await isTaken.promise;
      },
    );
    // Then the tree is, when the places of all that is below are gone.
    await waiting(await isTaken.promise);
    mayMove.resolve();
    await moving;
    const all = [top, leaf, early, belowEarly, late, belowLate].sort();
    expect([...(await removing)].sort()).toEqual(all);
    for (const uri of all) await expect(store.read(uri)).rejects.toMatchObject({ code: 'not_found' });
    expect(await checkTrees(store.database.reader)).toEqual([]);
  });

  it('is refused where one of them was moved out behind its back, and changes nothing then', async () => {
    const root = (await store.create('resource', resourceBody('D22'))).uri;
    const top = await component(root, null);
    const child = await component(root, top);
    const tree = treeUnder(kindNamed('archival_object'), store.repoId, idOf(root));
    const [isMoved, mayCommit] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    // Takes the tree alone, and not the record, as no request does.
    const moving = store.database.transaction(async (tx) => {
      await moveNodes(tx, tree, { parentId: null, position: null, ids: [idOf(child)] });
      isMoved.resolve((await tx.one(sql.type(NumberRow)`SELECT pg_backend_pid() AS n`)).n);
      await mayCommit.promise;
    });
    const pid = await isMoved.promise;
    const removing = store.remove(top);
    removing.catch(() => undefined);
    await waiting(pid);
    mayCommit.resolve();
    await moving;
    await expect(removing).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.read(top)).toMatchObject({ title: 'N' });
    expect([...(await store.remove(top))]).toEqual([top]);
    expect(await store.read(child)).toMatchObject({ title: 'N' });
    expect(await checkTrees(store.database.reader)).toEqual([]);
  });
});
