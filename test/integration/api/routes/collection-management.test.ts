// Sub-records with an address: collection management, telephones and, in R-A, revision statements (contract 3.2, 7.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { httpRecords } from '../../../support/make/http-records.ts';
import type { HttpRecords } from '../../../support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  records = await httpRecords(api);
});
afterAll(() => api[Symbol.asyncDispose]());

const UriRow = z.strictObject({ uri: column.text });
const tombstones = async (...uris: readonly string[]): Promise<readonly string[]> =>
  (
    await api.database.reader.any(
      sql.type(UriRow)`SELECT uri FROM tombstone WHERE uri = ANY(${sql.array([...uris], 'text')}) ORDER BY uri`,
    )
  ).map((row) => row.uri);

describe('collection management', () => {
  it.each(['accession', 'resource', 'digital_object'])(
    'of a %s has an address that stays from save to save',
    async (kind) => {
      const owner = await records.make(kind, { collection_management: { processing_status: 'new' } });
      const { json } = await api.get(owner);
      const { uri } = json.collection_management;
      expect(uri).toMatch(new RegExp(`^/repositories/${records.repoId}/collection_management/\\d+$`));
      expect((await api.get(uri)).json).toEqual(json.collection_management);
      expect((await api.get(uri)).json).toMatchObject({
        jsonmodel_type: 'collection_management',
        uri,
        parent: { ref: owner },
        processing_status: 'new',
        lock_version: 0,
      });
      await api.post(owner, { ...json, collection_management: { processing_status: 'completed' } });
      expect((await api.get(`${uri}?resolve[]=parent`)).json).toMatchObject({
        uri,
        processing_status: 'completed',
        parent: { _resolved: { uri: owner } },
      });
      expect(await tombstones(uri)).toEqual([]);
    },
  );

  it('leaves a tombstone when it is taken out of its record, none when it is back, and one when the record goes', async () => {
    const owner = await records.make('accession', { collection_management: { processing_status: 'new' } });
    const { collection_management: management, ...rest } = (await api.get(owner)).json;
    await api.post(owner, rest);
    const gone = await api.get(management.uri);
    expect([gone.status, gone.json]).toEqual([404, { error: 'CollectionManagement not found' }]);
    expect(await tombstones(management.uri)).toEqual([management.uri]);
    await api.post(owner, { ...rest, lock_version: 1, collection_management: management });
    expect(await tombstones(management.uri)).toEqual([]);
    await api.del(owner);
    expect(await tombstones(management.uri, owner)).toEqual([owner, management.uri].sort());
  });

  it('is found in its own repository alone, by those who may view it', async () => {
    const owner = await records.make('resource', { collection_management: { processing_status: 'new' } });
    const { uri } = (await api.get(owner)).json.collection_management;
    const other = await api.repository();
    expect((await api.get(uri.replace(`/${records.repoId}/`, `/${other}/`))).status).toBe(404);
    expect((await api.get(uri, await api.userWith(['view_repository'], other))).status).toBe(403);
    expect((await api.get(uri.replace(/\d+$/, '0'))).status).toBe(404);
  });
});

it('leaves a tombstone when its repository goes', async () => {
  const other = await api.repository();
  const owner = (
    await api.post(`/repositories/${other}/accessions`, {
      id_0: 'X',
      accession_date: '2020-01-01',
      collection_management: { processing_status: 'new' },
    })
  ).json.uri;
  const { uri } = (await api.get(owner)).json.collection_management;
  await api.del(`/repositories/${other}`);
  expect(await tombstones(uri)).toEqual([uri]);
});

describe('telephones', () => {
  it('keep their addresses through saves, and leave tombstones', async () => {
    const contacts = [{ name: 'Home' }, { name: 'Work', telephones: [{ number: '1' }, { number: '2' }] }];
    const agent = await records.make('agent_person', { agent_contacts: contacts });
    const uris = async (): Promise<readonly string[]> =>
      (await api.get(agent)).json.agent_contacts.flatMap((contact: { telephones: readonly { uri: string }[] }) =>
        contact.telephones.map((each) => each.uri),
      );
    const first = await uris();
    expect(new Set(first).size).toBe(2);
    expect(first).toEqual([expect.stringMatching(/^\/telephone\/\d+$/), expect.stringMatching(/^\/telephone\/\d+$/)]);
    const { json } = await api.get(agent);
    await api.post(agent, { ...json, title: 'x' });
    expect(await uris()).toEqual(first);
    await api.post(agent, {
      ...json,
      lock_version: 1,
      agent_contacts: [contacts[0], { name: 'Work', telephones: [{ number: '3' }] }],
    });
    expect(await uris()).toEqual(first.slice(0, 1));
    expect(await tombstones(...first)).toEqual(first.slice(1));
  });
});

describe('revision statements', () => {
  const statements = {
    revision_statements: [
      { date: '1999', description: 'first', publish: true },
      { date: '2001', description: 'second', publish: false },
    ],
  };

  it('tell their repository, and no address', async () => {
    const resource = await records.make('resource', statements);
    const shown = (await api.get(resource)).json.revision_statements;
    expect(shown).toMatchObject(
      statements.revision_statements.map((each) => ({
        ...each,
        lock_version: 0,
        repository: { ref: `/repositories/${records.repoId}` },
      })),
    );
    expect(shown[0]).not.toHaveProperty('uri');
  });

  it('have addresses in the earlier release, which stay, also resolved and in old versions', async () => {
    await using earlier = await startTestApi({ worker: false, environment: { MUNIMENT_RELEASE: 'R-A' } });
    const own = await httpRecords(earlier);
    const resource = await own.make('resource', statements);
    const { json } = await earlier.get(resource);
    const uris = json.revision_statements.map((each: { uri: string }) => each.uri);
    expect(uris).toEqual(
      [0, 1].map(
        (place) =>
          `/repositories/${own.repoId}/revision_statement/${Number(resource.split('/').at(-1)) * 1000 + place}`,
      ),
    );
    expect((await earlier.post(resource, { ...json, title: 'Saved again' })).status).toBe(200);
    const node = await own.make('archival_object', { resource: { ref: resource } });
    const again = [
      (await earlier.get(resource)).json,
      (await earlier.get(`${node}?resolve[]=resource`)).json.resource._resolved,
      (await earlier.get(`${resource}/history/0`)).json,
    ];
    for (const each of again) expect(each.revision_statements.map((one: { uri: string }) => one.uri)).toEqual(uris);
  });
});
