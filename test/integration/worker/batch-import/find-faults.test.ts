// The report of a refused batch: every bad record of every sort, and none that is good.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault, FaultReport } from '#domain/batch-import/faults.ts';
import type { JsonObject } from '#domain/json.ts';
import { findFaults } from '../../../../apps/worker/batch-import/find-faults.ts';
import type { Importer } from '../../../support/batch.ts';
import { chunksOf, openImporter } from '../../../support/batch.ts';
import { personBody, resourceBody } from '../../../support/records.ts';

let importer: Importer;
let repo = '';
beforeAll(async () => {
  importer = await openImporter();
  repo = `/repositories/${importer.repoId}`;
});
afterAll(async () => importer[Symbol.asyncDispose]());

const resource = (key: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'resource',
  uri: `${repo}/resources/import_${key}`,
  ...resourceBody(key),
  ...more,
});
const component = (key: string, root: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'archival_object',
  uri: `${repo}/archival_objects/import_${key}`,
  title: `AO ${key}`,
  level: 'file',
  resource: { ref: `${repo}/resources/import_${root}` },
  ...more,
});
const container = (key: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'top_container',
  uri: `${repo}/top_containers/import_${key}`,
  indicator: key,
  type: 'box',
  ...more,
});

/** Finds the faults in a transaction that is rolled back, and checks that no table has changed. */
async function faultsOf(records: readonly JsonObject[] | string, limit = 1000, blockBytes = 500): Promise<FaultReport> {
  const text = typeof records === 'string' ? records : JSON.stringify(records);
  const before = await importer.counts();
  const input = {
    source: () => chunksOf(text, 777),
    blockBytes,
    repoId: importer.repoId,
    actor: 'importer',
    migration: false,
  };
  let report: FaultReport | undefined;
  await importer.database
    .transaction(async (tx) => {
      report = await findFaults(tx, input, { threads: importer.threads, signal: new AbortController().signal }, limit);
      throw new Error('rolled back');
    })
    .catch((error: Error) => {
      if (error.message !== 'rolled back') throw error;
    });
  expect(await importer.counts()).toEqual(before);
  if (report === undefined) throw new Error('no report');
  return report;
}

const numbersOf = ({ faults }: FaultReport): readonly number[] => faults.map((fault) => fault.record_number);
const byNumber = ({ faults }: FaultReport): { readonly [number: number]: Fault } =>
  Object.fromEntries(faults.map((fault) => [fault.record_number, fault]));

describe('the report of a batch', () => {
  test('lists bad records of every sort in the order of the file, and no good one', async () => {
    await importer.create('resource', resourceBody('taken'));
    const good = Array.from({ length: 10 }, (_, n) => component(`good-${n}`, 'root'));
    const report = await faultsOf([
      resource('root'),
      component('no-level', 'root', { level: undefined, title: undefined }),
      ...good,
      component('dangling', 'nowhere', {
        subjects: [{ ref: '/subjects/import_none' }],
        instances: [
          {
            jsonmodel_type: 'instance',
            instance_type: 'mixed_materials',
            sub_container: { jsonmodel_type: 'sub_container', top_container: { ref: `${repo}/top_containers/99999` } },
          },
        ],
      }),
      resource('twin', { id_0: 'taken' }),
      {
        jsonmodel_type: 'subject',
        uri: '/subjects/import_empty',
        vocabulary: '/vocabularies/1',
        source: 'local',
        terms: [],
      },
      component('to-empty', 'root', { subjects: [{ ref: '/subjects/import_empty' }] }),
      component('gone', 'root', { linked_agents: [{ ref: '/agents/people/99999', role: 'creator' }] }),
      component('gone-too', 'root', { linked_agents: [{ ref: '/agents/people/99999', role: 'creator' }] }),
      container('b1', { barcode: 'same' }),
      container('b2', { barcode: 'same' }),
      component('good-3', 'root'),
      component('under-itself', 'root', { parent: { ref: `${repo}/archival_objects/import_under-itself` } }),
      resource('last'),
    ]);
    expect(report.complete).toBe(true);
    expect(numbersOf(report)).toEqual([2, 13, 14, 15, 17, 18, 20, 21, 22]);
    const faults = byNumber(report);
    expect(faults[2]).toEqual({
      record_number: 2,
      record_type: 'archival_object',
      record_uri: `${repo}/archival_objects/import_no-level`,
      record_title: `${repo}/archival_objects/import_no-level`,
      errors: { level: ['Property is required but was missing'] },
    });
    expect(faults[13]?.errors).toEqual({
      resource: [expect.stringContaining('import_nowhere')],
      'subjects/0': [expect.stringContaining('import_none')],
    });
    expect(faults[14]).toMatchObject({
      record_title: 'Resource twin',
      errors: { id_0: ['That ID is already in use'] },
    });
    expect(faults[15]).toMatchObject({ record_type: 'subject', errors: { terms: expect.anything() } });
    for (const number of [17, 18])
      expect(faults[number]?.errors).toEqual({
        'linked_agents/0': ["Reference does not exist! (Reference: '/agents/people/99999')"],
      });
    expect(faults[20]?.errors).toMatchObject({ barcode: ['A barcode must be unique within a repository'] });
    expect(faults[21]).toMatchObject({
      record_uri: `${repo}/archival_objects/import_good-3`,
      errors: { uri: [expect.stringContaining('more than once')] },
    });
    expect(faults[22]?.errors).toMatchObject({ parent: ["Can't relate an object to itself"] });
  });

  test('is empty for a good batch', async () => {
    const agent = { jsonmodel_type: 'agent_person', uri: '/agents/people/import_g', ...personBody('Good') };
    expect(
      await faultsOf([
        agent,
        { ...agent, uri: '/agents/people/import_h' },
        resource('good', { linked_agents: [{ ref: '/agents/people/import_h', role: 'creator' }] }),
        component('good-1', 'good'),
      ]),
    ).toEqual({ faults: [], complete: true });
  });

  test('is the same whatever the size of the blocks', async () => {
    const records = [
      resource('r'),
      ...Array.from({ length: 40 }, (_, n) => component(`c${n}`, 'r', n % 3 === 0 ? { level: 'heap' } : {})),
      component('c1', 'r'),
    ];
    const reports = [
      await faultsOf(records, 1000, 1),
      await faultsOf(records, 1000, 500),
      await faultsOf(records, 1000, 1_000_000),
    ];
    expect(numbersOf(reports[0] ?? { faults: [], complete: true })).toEqual([
      ...Array.from({ length: 14 }, (_, n) => 2 + n * 3),
      42,
    ]);
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[2]).toEqual(reports[0]);
  });

  test('ends at the limit, with the first of the file', async () => {
    const report = await faultsOf(
      [
        resource('r'),
        ...Array.from({ length: 500 }, (_, n) => component(`c${n}`, 'r', { level: undefined })),
        container('x', { indicator: undefined }),
      ],
      7,
    );
    expect(report).toMatchObject({ complete: false });
    expect(numbersOf(report)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('what cannot be read', () => {
  test('is told, and refs that may lead to it are not', async () => {
    const parts = [resource('r'), component('c1', 'r', { level: undefined }), component('c2', 'unread')].map((record) =>
      JSON.stringify(record),
    );
    const report = await faultsOf(
      `[${parts.join(',')},{"a":},${JSON.stringify(component('c3', 'r', { title: undefined }))},{"title":"no type"}]`,
    );
    expect(numbersOf(report)).toEqual([2, 4, 5, 6]);
    expect(byNumber(report)[4]).toMatchObject({
      record_type: null,
      errors: { record: [expect.stringContaining('record 4')] },
    });
    expect(byNumber(report)[6]?.errors).toEqual({ jsonmodel_type: ['Property is required but was missing'] });
  });

  test('ends the report where the array breaks off', async () => {
    const parts = [
      component('c1', 'r', { level: undefined }),
      component('c2', 'beyond'),
      component('c3', 'r', { level: 'heap' }),
    ].map((record) => JSON.stringify(record));
    const report = await faultsOf(`[${parts.join(',')},{"title":"cut of`);
    expect(numbersOf(report)).toEqual([1, 3, 4]);
    expect(byNumber(report)[4]?.errors).toEqual({ record: [expect.stringContaining('does not end')] });
    expect(numbersOf(await faultsOf('nonsense'))).toEqual([1]);
  });
});
