// Deleting records: what goes with them, what stays, what forbids it (contract 5.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column, NumberRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { RecordStore } from '../../../../support/records.ts';
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
