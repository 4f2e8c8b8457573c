// The indexer on a real database: from commit to searchable, and on to everything that shows what changed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { appendChange } from '#store/change-log/append.ts';
import { readIndexLag } from '#store/search/lag.ts';
import { enqueueAll } from '#store/search/pending.ts';
import type { Visibility } from '#store/search/port.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { IdRow, column } from '#store/connection/columns.ts';
import { amount } from '#test/support/long.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestIndexer } from '#test/support/indexer.ts';
import { startIndexer, untilIndexed } from '#test/support/indexer.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { testProgram } from '#test/support/test-programs.ts';

const everything: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true };
const staff: Visibility = { ...everything, seesSuppressed: false };
const publicUser: Visibility = { ...staff, mayNotSeeUnpublished: true };

let store: RecordStore;
let indexer: TestIndexer;

beforeAll(async () => {
  store = await openRecordStore();
  indexer = await startIndexer(store.database, { batchSize: 50 });
});
afterAll(async () => {
  expect(indexer.errors).toEqual([]);
  await indexer[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function idsOf(parameters: Partial<SearchParameters>, visibility = staff): Promise<readonly string[]> {
  const request = buildSearchRequest({ page: 1, page_size: 250, ...parameters }, { now: Date.now() });
  return (await postgresSearch(store.database).search(request, visibility)).hits.map(({ id }) => id);
}

const publish = async (uri: string, publish: boolean): Promise<void> =>
  void (await store.update(uri, { ...(await store.read(uri)), publish }));

describe('one record', () => {
  it('is found after its commit, and found as updated', async () => {
    const { uri } = await store.create('resource', resourceBody('QK1', { title: 'Quokka papers' }));
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'quokka' })).toEqual([uri]);
    await store.update(uri, { ...(await store.read(uri)), title: 'Numbat papers' });
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'quokka' })).toEqual([]);
    expect(await idsOf({ q: 'numbat' })).toEqual([uri]);
  });

  it('is not found once it is deleted, nor are the parts of its tree', async () => {
    const { uri } = await store.create('resource', resourceBody('DEL1', { title: 'Bilby papers' }));
    await store.create('archival_object', {
      title: 'Bilby letter',
      level: 'file',
      resource: { ref: uri },
      publish: true,
    });
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'bilby' })).toHaveLength(2);
    await store.remove(uri);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'bilby' }, everything)).toEqual([]);
    expect(await idsOf({ q: 'bilby' }, publicUser)).toEqual([]);
  });

  it('is hidden while it is suppressed', async () => {
    const { uri, id } = await store.create('accession', {
      id_0: 'SUP',
      title: 'Potoroo gift',
      accession_date: '2020-01-01',
    });
    const suppress = (suppressed: boolean): Promise<void> =>
      store.database.transaction(async (tx) => {
        await tx.run(
          sql`UPDATE record SET suppressed = ${suppressed}, lock_version = lock_version + 1 WHERE kind = 'accession' AND id = ${id}`,
        );
        await appendChange(tx, {
          kind: 'accession',
          id,
          repoId: store.repoId,
          op: 'update',
          actor: null,
          lockVersion: 1,
        });
      });
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'potoroo' })).toEqual([uri]);
    await suppress(true);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'potoroo' })).toEqual([]);
    expect(await idsOf({ q: 'potoroo' }, everything)).toEqual([uri]);
    await suppress(false);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'potoroo' })).toEqual([uri]);
  });
});

describe('what a change concerns besides', () => {
  it('finds records under the new name of an agent', async () => {
    const agent = await store.create('agent_person', personBody('Wambenger'));
    const links = { linked_agents: [{ ref: agent.uri, role: 'creator' }] };
    const uris = [];
    // More than one batch of this indexer.
    for (let n = 0; n < 60; n++)
      uris.push(
        (await store.create('accession', { id_0: `W${n}`, title: `Gift ${n}`, accession_date: '2020-01-01', ...links }))
          .uri,
      );
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'wambenger', type: ['accession'] })).toHaveLength(60);
    await store.update(agent.uri, { ...(await store.read(agent.uri)), ...personBody('Phascogale') });
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'wambenger' })).toEqual([]);
    expect([...(await idsOf({ q: 'creators_text:phascogale', type: ['accession'] }))].sort()).toEqual([...uris].sort());
  });

  it('finds components under the new title of what is above them, and their container under its collection', async () => {
    const resource = await store.create('resource', resourceBody('TREE1', { title: 'Kowari family' }));
    const series = await store.create('archival_object', {
      title: 'Correspondence',
      level: 'series',
      component_id: 'S1',
      resource: { ref: resource.uri },
      publish: true,
    });
    const container = await store.create('top_container', { indicator: '7', type: 'box', barcode: '32044012345678' });
    const file = await store.create('archival_object', {
      title: 'Letters',
      level: 'file',
      resource: { ref: resource.uri },
      parent: { ref: series.uri },
      publish: true,
      instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: container.uri } } }],
    });
    await untilIndexed(store.database);
    expect([...(await idsOf({ q: 'kowari', type: ['archival_object'] }))].sort()).toEqual(
      [series.uri, file.uri].sort(),
    );
    expect(await idsOf({ q: `collection_uri_u_sstr:"${resource.uri}"`, type: ['top_container'] })).toEqual([
      container.uri,
    ]);
    expect(await idsOf({ q: '32044012345678', type: ['archival_object'] })).toEqual([file.uri]);
    await store.update(resource.uri, { ...(await store.read(resource.uri)), title: 'Mulgara family' });
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'kowari' })).toEqual([]);
    expect([...(await idsOf({ q: 'mulgara' }))].sort()).toEqual(
      [resource.uri, series.uri, file.uri, container.uri].sort(),
    );
    await store.remove(file.uri);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'empty_u_sbool:true', type: ['top_container'] })).toEqual([container.uri]);
  });

  it('hides components from the public with what is above them', async () => {
    const resource = await store.create('resource', resourceBody('PUB1', { title: 'Dibbler', publish: true }));
    const series = await store.create('archival_object', {
      title: 'Dibbler series',
      level: 'series',
      resource: { ref: resource.uri },
      publish: true,
    });
    const file = await store.create('archival_object', {
      title: 'Dibbler file',
      level: 'file',
      resource: { ref: resource.uri },
      parent: { ref: series.uri },
      publish: true,
    });
    const repository = `/repositories/${store.repoId}`;
    await publish(repository, true);
    await untilIndexed(store.database);
    expect([...(await idsOf({ q: 'dibbler' }, publicUser))].sort()).toEqual(
      [resource.uri, `${series.uri}#pui`, `${file.uri}#pui`].sort(),
    );
    await publish(resource.uri, false);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'dibbler' }, publicUser)).toEqual([]);
    await publish(resource.uri, true);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'dibbler' }, publicUser)).toHaveLength(3);
    await publish(repository, false);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'dibbler' }, publicUser)).toEqual([]);
    expect(await idsOf({ q: 'dibbler' })).toHaveLength(3);
  });

  it('tells where a subject is used, and shows it to the public through published records alone', async () => {
    const subject = await store
      .create('subject', {
        source: 'local',
        vocabulary: '/vocabularies/1',
        terms: [{ term: 'Ningaui', term_type: 'topical', vocabulary: '/vocabularies/1' }],
      })
      .catch(() => null);
    if (subject === null) return console.warn('SKIPPED: no vocabulary in the test database');
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'ningaui' }, publicUser)).toEqual([]);
    const record = await store.create(
      'resource',
      resourceBody('SUBJ', { title: 'Its record', publish: true, subjects: [{ ref: subject.uri }] }),
    );
    await publish(`/repositories/${store.repoId}`, true);
    await untilIndexed(store.database);
    expect([...(await idsOf({ q: 'ningaui' }, publicUser))].sort()).toEqual([record.uri, subject.uri].sort());
    expect(await idsOf({ q: `used_within_repository:"/repositories/${store.repoId}"`, type: ['subject'] })).toEqual([
      subject.uri,
    ]);
    await store.remove(record.uri);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'ningaui' }, publicUser)).toEqual([]);
  });
});

describe('batches', () => {
  const batch = amount(600, 2500);
  it('indexes what a batch wrote as rows of many ids, beside single changes', async () => {
    const count = batch;
    await store.database.transaction(async (tx) => {
      const made = await tx.any(sql.type(IdRow)`
        INSERT INTO record (kind, id, repo_id, label, body) SELECT 'location', 100000 + n, NULL, 'Shelf ' || n, json_build_object('jsonmodel_type', 'location', 'building', 'Echidna house', 'room', n::text)
        FROM generate_series(1, ${count}) AS n RETURNING id`);
      await appendChange(tx, {
        kind: 'location',
        ids: made.map(({ id }) => id),
        repoId: null,
        op: 'create',
        actor: null,
      });
    });
    const { uri } = await store.create('accession', {
      id_0: 'BESIDE',
      title: 'Tammar gift',
      accession_date: '2020-01-01',
    });
    await expect.poll(async () => (await idsOf({ q: 'tammar' })).length, { interval: 10 }).toBe(1);
    await untilIndexed(store.database);
    const request = buildSearchRequest({ page: 1, q: 'echidna' }, { now: Date.now() });
    expect((await postgresSearch(store.database).search(request, staff)).total).toBe(count);
    expect(await idsOf({ q: 'tammar' })).toEqual([uri]);
  });

  it('makes the index anew by kind, search staying up', async () => {
    await store.database.transaction(async (tx) =>
      tx.run(
        sql`UPDATE record SET body = json_build_object('jsonmodel_type', 'location', 'building', 'Platypus house') WHERE kind = 'location'`,
      ),
    );
    expect(await store.database.transaction((tx) => enqueueAll(tx, ['location'], null))).toBe(batch);
    await untilIndexed(store.database);
    const total = async (q: string): Promise<number> =>
      (await postgresSearch(store.database).search(buildSearchRequest({ page: 1, q }, { now: Date.now() }), staff))
        .total;
    expect([await total('echidna'), await total('platypus')]).toEqual([0, batch]);
  });

  it('moves a record to its new repository', async () => {
    const other = await store.create('repository', { repo_code: 'OTHER', name: 'Other' });
    const { uri, id } = await store.create('accession', {
      id_0: 'MOVE',
      title: 'Pademelon gift',
      accession_date: '2020-01-01',
    });
    await untilIndexed(store.database);
    await store.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE record SET repo_id = ${other.id} WHERE kind = 'accession' AND id = ${id}`);
      await appendChange(tx, { kind: 'accession', id, repoId: other.id, op: 'update', actor: null, lockVersion: 1 });
    });
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'pademelon' }, everything)).toEqual([
      uri.replace(`/repositories/${store.repoId}/`, `/repositories/${other.id}/`),
    ]);
    expect(kindNamed('accession').scope).toBe('repository');
  });
});

describe('an indexer that is killed', () => {
  it('loses nothing and does nothing twice', async () => {
    await using own = await openRecordStore();
    // A kill lets through the batches that wait then, three of a hundred records; the first one falls before them. Here are more than all take.
    const count = amount(800, 4000);
    await own.database.transaction(async (tx) => {
      await tx.run(
        sql`INSERT INTO record (kind, id, label, body) SELECT 'location', n, 'Shelf ' || n, json_build_object('jsonmodel_type', 'location', 'building', 'Quoll house') FROM generate_series(1, ${count}) AS n`,
      );
      await appendChange(tx, {
        kind: 'location',
        ids: Array.from({ length: count }, (_, n) => n + 1),
        repoId: null,
        op: 'create',
        actor: null,
      });
    });
    const hold = 'BEGIN; LOCK TABLE search_doc IN SHARE ROW EXCLUSIVE MODE';
    const waiting = (mode: string) =>
      expect
        .poll(() =>
          own.database.reader.any(sql.type(AnyRow)`
            SELECT FROM pg_locks WHERE relation = 'search_doc'::regclass AND mode = ${mode} AND NOT granted`),
        )
        .not.toEqual([]);
    const killAmidst = async (first: PoolClient, second: PoolClient): Promise<void> => {
      await first.query(hold);
      const child = spawn(process.execPath, [testProgram('indexer')], {
        env: { ...process.env, TEST_DATABASE_URL: own.database.settings.url },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await waiting('RowExclusiveLock');
      const next = second.query(hold);
      await waiting('ShareRowExclusiveLock');
      // Those batches that wait go in, and what follows them is held.
      await first.query('ROLLBACK');
      await next;
      child.kill('SIGKILL');
      await once(child, 'exit');
      await second.query('ROLLBACK');
    };
    for (let kills = 0; kills < amount(2, 4); kills++)
      await own.database.withClient((first) => own.database.withClient((second) => killAmidst(first, second)));
    const left = await readIndexLag(own.database);
    const { done } = await own.database.reader.one(sql.type(z.strictObject({ done: column.int }))`
      SELECT count(*)::int AS done FROM search_doc WHERE kind = 'location'`);
    await using last = await startIndexer(own.database);
    await untilIndexed(own.database);
    expect(last.errors).toEqual([]);
    const { docs, records } = await own.database.reader.one(sql.type(
      z.strictObject({ docs: column.int, records: column.int }),
    )`
      SELECT count(*) AS docs, count(DISTINCT record_id) AS records FROM search_doc WHERE kind = 'location'`);
    expect([docs, records]).toEqual([count, count]);
    // The kills fell into the work, neither before nor behind it.
    expect(done).toBeGreaterThan(0);
    expect(left.entries + left.pendingBulk + left.dependents).toBeGreaterThan(0);
  });
});
