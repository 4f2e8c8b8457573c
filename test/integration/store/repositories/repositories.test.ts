// Repositories in the store: deletion in sets, and the memory of which exist (contract 2.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysOf } from '#domain/checking/split.ts';
import { accession, resource, topContainer } from '#domain/kinds/index.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import { setGroupsOf } from '#store/access/groups.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readCanceled } from '#store/queue/mailbox.ts';
import { replaceAttributeDefinitions } from '#store/settings/assessment-definitions.ts';
import { writeFormSetting } from '#store/settings/form-settings.ts';
import { holdRepository } from '#store/records/writing/home.ts';
import { createMany } from '#store/records/writing/write-many.ts';
import { deleteRepository, RepositoryIds, repositoryKinds } from '#store/repositories/repositories.ts';
import { AnyRow } from '#test/support/rows.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { openRecordStore, personBody, resourceBody } from '../../../support/records.ts';
import type { RecordStore } from '../../../support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const repository = async (code: string): Promise<number> =>
  (await store.create('repository', { repo_code: code, name: code })).id;
const remove = (id: number): Promise<void> => store.database.transaction((tx) => deleteRepository(tx, id, 'tester'));

describe('deleteRepository', () => {
  it('takes everything in the repository, keeps revisions, and leaves other repositories alone', async () => {
    const id = await repository('doomed');
    const agent = await store.create('agent_person', {
      names: [{ primary_name: 'Shared', name_order: 'direct', sort_name_auto_generate: true }],
    });
    const made = await store.create(
      'resource',
      resourceBody('in', { linked_agents: [{ role: 'creator', ref: agent.uri }] }),
      id,
    );
    const kept = await store.create(
      'resource',
      resourceBody('in', { linked_agents: [{ role: 'creator', ref: agent.uri }] }),
    );
    await store.create('top_container', { indicator: '1' }, id);
    await remove(id);
    await expect(store.read(made.uri)).rejects.toThrow('not found');
    expect((await store.read(kept.uri))['linked_agents']).toHaveLength(1);
    const left = await store.database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*) FROM revision WHERE kind = 'resource' AND id = ${made.id} AND op = 'delete') AS revisions,
      (SELECT count(*) FROM link WHERE source_kind = 'resource' AND source_id = ${made.id}) AS links`);
    expect(left).toEqual({ revisions: 1, links: 0 });
    // Its identifier is free again, its code too.
    await repository('doomed');
  });

  it('logs what is gone a thousand to a row, and costs no more statements for more records', async () => {
    const id = await repository('large');
    const first = await store.create('accession', { id_0: 'x', title: 't', accession_date: '2020-01-01' }, id);
    await store.database.transaction((tx) =>
      tx.run(sql`
      INSERT INTO record (kind, id, repo_id, label, body) SELECT kind, nextval('accession_id_seq'), repo_id, label, body FROM record, generate_series(1, 2500) WHERE kind = 'accession' AND id = ${first.id}`),
    );
    await remove(id);
    const rows = await store.database.reader.any(sql.type(NumberRow)`
      SELECT cardinality(ids) AS n FROM change WHERE kind = 'accession' AND op = 'delete' AND repo_id = ${id} ORDER BY n`);
    expect(rows.map((row) => row.n)).toEqual([501, 1000, 1000]);
    const { n } = await store.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM tombstone WHERE kind = 'accession'`);
    expect(n).toBeGreaterThanOrEqual(2501);
  });

  it('takes what is being written into it at that moment, with its links and keys', async () => {
    const id = await repository('written into');
    const agent = await store.create('agent_person', personBody('Outlives it'));
    const saved = await store.create('resource', resourceBody('saved'), id);
    const body = {
      ...(await store.read(saved.uri)),
      id_0: 'another',
      linked_agents: [{ role: 'creator', ref: agent.uri }],
    };
    const late = { id_0: 'late', title: 'late', accession_date: '2020-01-01' };
    const keys = [...keysOf(accession, late, id, null), ...keysOf(resource, body, id, null)];
    const waiting = async (): Promise<number> =>
      (
        await store.database.reader.one(sql.type(NumberRow)`
          SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      ).n;
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Keys are claimed last: who wants these has written all else.
    const holding = store.database.transaction(async (tx) => {
      for (const { rule, scope, value } of keys)
        await tx.run(
          sql`INSERT INTO unique_key (rule, scope, value, kind, id) VALUES (${rule}, ${scope}, ${value}, 'user', 0)`,
        );
      held.resolve();
      await over.promise;
      throw new Error('given up');
    });
    await held.promise;
    const writing = [store.create('accession', late, id), store.update(saved.uri, body)];
    await expect.poll(waiting).toBe(2);
    const removing = remove(id);
    await expect.poll(waiting).toBe(3);
    over.resolve();
    await expect(holding).rejects.toThrow('given up');
    await Promise.all([...writing, removing]);
    const left = await store.database.reader.one(sql.type(AnyRow)`
      SELECT (SELECT count(*) FROM record WHERE repo_id = ${id}) AS records, (SELECT count(*) FROM link WHERE repo_id = ${id}) AS links,
      (SELECT count(*) FROM unique_key WHERE scope = ${`r${id}`}) AS keys`);
    expect(left).toEqual({ records: 0, links: 0, keys: 0 });
  });

  it('waits for no job that runs in it and waits for it: that is canceled', async () => {
    const id = await repository('worked in');
    const saved = await store.create('resource', resourceBody('worked in'), id);
    const { jobId } = await store.database.transaction((tx) =>
      enqueueJob(tx, reindex, { kinds: null, repoId: id, rewrite: false }, { repoId: id }),
    );
    await store.database.write(sql`UPDATE job SET status = 'running', worker = 1 WHERE id = ${jobId}`);
    // So long that PostgreSQL has looked whether it waits in a circle, which it does once: who waits later in one is whom it ends.
    const waiting = async (ms: number): Promise<number> =>
      (
        await store.database.reader.one(sql.type(NumberRow)`
          SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > ${ms} * interval '1 millisecond'`)
      ).n;
    let tries = 0;
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = store.database.transaction(async (tx) => {
      await tx.run(sql`SELECT FROM record WHERE kind = 'resource' AND id = ${saved.id} FOR UPDATE`);
      held.resolve();
      await over.promise;
    });
    await held.promise;
    const removing = store.database.transaction(async (tx) => {
      tries += 1;
      await deleteRepository(tx, id, 'tester');
    });
    await expect.poll(() => waiting(0)).toBe(1);
    // As a run does: its own row first.
    const working = store.database.transaction(async (tx) => {
      await tx.run(sql`SELECT FROM job WHERE id = ${jobId} AND status = 'running' FOR KEY SHARE`);
      await holdRepository(tx, id);
    });
    const outcome = working.catch(String);
    await expect.poll(() => waiting(1500)).toBe(2);
    over.resolve();
    await Promise.all([holding, removing]);
    expect(String(await outcome)).toContain('Repository must exist');
    expect(tries).toBe(1);
    expect(await readCanceled(store.database, [jobId])).toEqual([jobId]);
    await store.database.write(sql`DELETE FROM job WHERE id = ${jobId}`);
  });

  it('refuses what is to be written into it behind', async () => {
    const id = await repository('going');
    const members = await store.create('group', { group_code: 'going', description: 'g' }, id);
    const [gone, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const removing = store.database.transaction(async (tx) => {
      await deleteRepository(tx, id, 'tester');
      gone.resolve();
      await over.promise;
    });
    await gone.promise;
    const joining = Promise.allSettled([
      store.database.transaction((tx) => setGroupsOf(tx, 4, id, [members.id], null)),
    ]);
    const form = { kind: 'default_values', repoId: id, recordType: 'accession' } as const;
    const definitions = { definitions: [{ label: 'Late', type: 'rating' }] };
    const late = Promise.allSettled([
      store.database.transaction((tx) => writeFormSetting(tx, form, {}, 0, null)),
      store.database.transaction((tx) => replaceAttributeDefinitions(tx, id, definitions)),
      store.database.transaction((tx) =>
        enqueueJob(tx, reindex, { kinds: null, repoId: id, rewrite: false }, { repoId: id }),
      ),
      store.create('top_container', { indicator: '1' }, id),
      store.database.transaction((tx) =>
        createMany(
          tx,
          topContainer,
          [{ body: { indicator: '2' }, links: [], newEnumerationValues: [], warnings: {} }],
          {
            actor: 'tester',
            repoId: id,
            generatedValues: { newHexId: () => '', publishDefault: false },
          },
        ),
      ),
    ]);
    over.resolve();
    await removing;
    for (const reply of await late)
      expect(reply.status === 'rejected' ? String(reply.reason) : reply.status).toContain('Repository must exist');
    expect(String((await joining).map((reply) => (reply.status === 'rejected' ? reply.reason : '')))).toContain(
      'Group not found',
    );
    await expect(store.database.transaction((tx) => holdRepository(tx, id))).rejects.toThrow('Repository must exist');
    await store.database.transaction((tx) => holdRepository(tx, null));
  });

  it('refuses the global repository, and one that does not exist', async () => {
    await expect(remove(1)).rejects.toThrow('Repository not empty');
    await expect(remove(99_999)).rejects.toThrow('Repository not found');
  });

  it('knows every kind that lives in a repository', () => {
    expect(repositoryKinds().map((kind) => kind.name)).toEqual(
      expect.arrayContaining(['accession', 'archival_object', 'group', 'resource', 'top_container']),
    );
  });
});

describe('RepositoryIds', () => {
  it('finds new repositories at once, remembers them, and forgets when told', async () => {
    const ids = new RepositoryIds(store.database.reader);
    expect(await ids.has(1)).toBe(true);
    expect(await ids.has(store.repoId + 50)).toBe(false);
    const id = await repository('fresh');
    expect(await ids.has(id)).toBe(true);
    await remove(id);
    expect(await ids.has(id)).toBe(true);
    ids.forget();
    expect(await ids.has(id)).toBe(false);
  });
});
