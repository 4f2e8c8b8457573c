// A load in a transaction of its own: what it finds wrong between records, and that it leaves nothing when it is cut off.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadRecords as loadJob } from '#domain/jobs/load-records.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { kindNamed } from '#domain/addresses.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { beside } from '#test/support/lock-waits.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { NumberRow, column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/load-records.ts';
import { linesAsArray } from '../../../../apps/worker/loading/lines.ts';
import type { LoadOutcome } from '../../../../apps/worker/loading/load.ts';
import { loadRecords } from '../../../../apps/worker/loading/load.ts';
import { indexLoadBlock, prepareLoadBlock } from '../../../../apps/worker/threads/loading-tasks.ts';
import type { Threads } from '../../../../apps/worker/threads/pool.ts';
import { chunksOf } from '../../../support/batch.ts';
import { killedOnce, runHandler } from '../../../support/run-handler.ts';
import { sharedThreads } from '../../../support/threads.ts';

const MarkedRow = z.strictObject({ link: column.text, suppressed: column.bool });

let own: TestDatabase;
let database: Database;
let threads: Threads;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 4 });
  threads = await sharedThreads();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const repository = { jsonmodel_type: 'repository', uri: '/repositories/7', repo_code: 'SEVEN', name: 'Seven' };
const resource = (id: number): object => ({
  jsonmodel_type: 'resource',
  uri: `/repositories/7/resources/${id}`,
  id_0: `R${id}`,
  title: `R${id}`,
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  lang_materials: [{ language_and_script: { language: 'eng' } }],
  extents: [{ portion: 'whole', number: '1', extent_type: 'cassettes' }],
  dates: [{ date_type: 'single', label: 'creation', begin: '2001' }],
});
const node = (id: number, more: object): object => ({
  jsonmodel_type: 'archival_object',
  uri: `/repositories/7/archival_objects/${id}`,
  title: `N${id}`,
  level: 'file',
  resource: { ref: '/repositories/7/resources/3' },
  ...more,
});
const textOf = (records: readonly object[]): string => records.map((each) => JSON.stringify(each)).join('\n');
const around = () => ({ threads, signal: new AbortController().signal, progress: () => undefined });
const loadIn = (tx: Transaction, records: readonly object[]): Promise<LoadOutcome> =>
  loadRecords(
    tx,
    {
      source: () => linesAsArray(chunksOf(textOf(records), 100)),
      sizeBytes: 0,
      blockBytes: 500,
      intoFilled: true,
      actor: 'admin',
      limit: 10,
    },
    around(),
  );
const load = (records: readonly object[]): Promise<LoadOutcome> => database.transaction((tx) => loadIn(tx, records));
const count = async (): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM record WHERE repo_id = 7`)).n;

describe('a load', () => {
  it('tells refs that lead nowhere, nodes without a place and keys that two have, all at once', async () => {
    const bad = [
      repository,
      resource(3),
      { ...resource(4), id_0: 'R3' },
      { ...resource(5), subjects: [{ ref: '/subjects/77' }] },
      node(1, { parent: { ref: '/repositories/7/archival_objects/99' } }),
      node(2, { resource: { ref: '/repositories/7/resources/98' } }),
      node(3, { resource: { ref: '/repositories/7/resources/4' } }),
      node(4, { parent: { ref: '/repositories/7/archival_objects/3' } }),
    ];
    await expect(load(bad)).rejects.toMatchObject({
      code: 'import_failed',
      extra: {
        report: {
          faults: [
            { record_number: 3, errors: { id_0: ['That ID is already in use'] } },
            { record_number: 4, errors: { subjects: ["Reference does not exist! (Reference: '/subjects/77')"] } },
            { record_number: 5, errors: { parent: ['Must be a node of the same tree'] } },
            { record_number: 6, errors: { resource: ['Reference does not exist!'] } },
            { record_number: 8, errors: { parent: ['Must be a node of the same tree'] } },
          ],
        },
      },
    });
    expect(await count()).toBe(0);
  });

  it('tells an address that two lines have', async () => {
    await expect(load([repository, resource(3), resource(3)])).rejects.toMatchObject({
      code: 'conflict',
      error: { clashes: ['/repositories/7/resources/3 (line 3): the address occurs more than once'] },
    });
  });

  it('takes an upload that is cut otherwise at its second reading, as one that is unpacked may be', async () => {
    const lines = [repository, resource(3), ...[1, 2, 3, 4, 5, 6, 7, 8].map((id) => node(id, {}))].map(
      (record) => `${JSON.stringify(record)}\n`,
    );
    const readings = [[lines.join('')], lines];
    const source = (): AsyncIterable<Uint8Array> =>
      linesAsArray(Readable.from((readings.shift() ?? []).map((text) => Buffer.from(text))));
    const cutOff = new Error('cut off');
    const loading = database.transaction(async (tx) => {
      const input = { source, sizeBytes: 0, blockBytes: 500, intoFilled: true, actor: 'admin', limit: 10 };
      expect(await loadRecords(tx, input, around())).toMatchObject({ records: 10 });
      throw cutOff;
    });
    await expect(loading).rejects.toBe(cutOff);
    expect(await count()).toBe(0);
  });

  it('leaves nothing when it is cut off before its end, and is done by another run', async () => {
    const records = [
      repository,
      resource(3),
      node(2, {}),
      node(1, { parent: { ref: '/repositories/7/archival_objects/2' } }),
    ];
    const blob = await writeBlob(database, chunksOf(textOf(records), 1000), { fileName: 'records.ndjson' });
    const payload = { blobId: blob.id, intoFilled: false };
    await expect(killedOnce(database, loadJob, handler, payload, { threads })).rejects.toThrow('killed');
    expect(await count()).toBe(0);
    expect(await runHandler(database, loadJob, handler, payload, { threads })).toMatchObject({ records: 4 });
    expect(await count()).toBe(3);
    await expect(runHandler(database, loadJob, handler, payload, { threads })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('is refused where the repository of a line is neither there nor among the lines', async () => {
    const lost = JSON.parse(textOf([resource(81)]).replaceAll('/repositories/7', '/repositories/99'));
    await expect(load([lost])).rejects.toMatchObject({
      error: { errors: { repository: ["Reference does not exist! (Reference: '/repositories/99')"] } },
    });
  });

  it('marks the links from and to what is suppressed', async () => {
    const [home, agent] = ['/repositories/9', '/agents/people/91'];
    const name = {
      primary_name: 'Roe',
      name_order: 'direct',
      sort_name: 'Roe',
      source: 'local',
      is_display_name: true,
    };
    await load([
      { ...repository, uri: home, repo_code: 'NINE' },
      { jsonmodel_type: 'agent_person', uri: agent, names: [name] },
      {
        ...resource(9),
        uri: `${home}/resources/9`,
        suppressed: true,
        linked_agents: [{ role: 'creator', ref: agent }],
      },
      {
        jsonmodel_type: 'event',
        uri: `${home}/events/9`,
        event_type: 'appraisal',
        timestamp: '2020-01-01T00:00:00Z',
        linked_agents: [{ role: 'recipient', ref: agent }],
        linked_records: [{ role: 'source', ref: `${home}/resources/9` }],
      },
    ]);
    const links = await database.reader.any(sql.type(MarkedRow)`
      SELECT source_kind || ' ' || target_kind AS link, suppressed FROM link WHERE repo_id = 9 ORDER BY 1`);
    expect(links).toEqual([
      { link: 'event agent_person', suppressed: false },
      { link: 'event resource', suppressed: true },
      { link: 'resource agent_person', suppressed: true },
    ]);
  });

  it('beside the deletion of an agent that it names leaves no ref to it', async () => {
    const agent = {
      jsonmodel_type: 'agent_person',
      uri: '/agents/people/90',
      names: [{ primary_name: 'Ann', name_order: 'direct', source: 'local', sort_name: 'Ann' }],
    };
    const [elsewhere, eighth] = [/\/7/g, '/8'] as const;
    const text = textOf([{ ...resource(80), linked_agents: [{ ref: '/agents/people/90', role: 'creator' }] }]);
    await load([agent, { ...repository, uri: '/repositories/8', repo_code: 'EIGHT' }]);
    await beside(
      database,
      (tx) => loadIn(tx, [JSON.parse(text.replaceAll(elsewhere, eighth))]),
      () => database.transaction((tx) => deleteRecord(tx, kindNamed('agent_person'), 90, null, null)),
    );
    expect(
      await database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM link l WHERE l.target_kind = 'agent_person' AND l.target_id = 90`),
    ).toEqual({ n: 0 });
    expect(
      await database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM record WHERE kind = 'resource' AND id = 80 AND body::text NOT LIKE '%/agents/people/90%'`),
    ).toEqual({ n: 1 });
  });
});

describe('the tasks of its threads', () => {
  it('are the two passes over a block', () => {
    const bytes = Buffer.from(JSON.stringify([repository]));
    expect(indexLoadBlock({ bytes, first: 0, limit: 1 }).faults.faults).toEqual([]);
    const lists = { version: 'none', bytes: new SharedArrayBuffer(2) };
    Buffer.from(lists.bytes).write('[]');
    const moved: ArrayBuffer[] = [];
    const rows = prepareLoadBlock(
      { bytes, first: 0, limit: 1, lists, now: '2001-01-01T00:00:00Z' },
      (...buffers) => void moved.push(...buffers),
    );
    expect(rows.count).toBe(1);
    expect(moved.length).toBeGreaterThan(0);
  });
});
