// Repositories in the store: deletion in sets, and the memory of which exist (contract 2.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteRepository, RepositoryIds, repositoryKinds } from '#store/repositories/repositories.ts';
import { AnyRow } from '#test/support/rows.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { openRecordStore, resourceBody } from '../../../support/records.ts';
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
