// Definitions of assessment attributes, and assessments with them, over HTTP (contract 6.12).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { assessment } from '#domain/kinds/assessment.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { keepKnownAttributes, withKnownAttributes } from '#store/settings/assessment-definitions.ts';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { beside } from '../../../support/lock-waits.ts';
import { httpRecords } from '../../../support/make/http-records.ts';
import type { HttpRecords } from '../../../support/make/http-records.ts';

type Definition = {
  readonly id: number;
  readonly label: string;
  readonly type: string;
  readonly global: boolean;
  readonly position: number;
};

let api: TestApi;
let records: HttpRecords;
let address: string;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  records = await httpRecords(api);
  address = `/repositories/${records.repoId}/assessment_attribute_definitions`;
});
afterAll(() => api[Symbol.asyncDispose]());

const own = async (): Promise<readonly Definition[]> =>
  (await api.get(address)).json.definitions.filter((each: Definition) => !each.global);
const replace = (definitions: readonly object[]) => api.post(address, { definitions });

describe('definitions', () => {
  it('are replaced as a list: kept by id, renamed, ordered, added, and the rest deleted', async () => {
    const first = await replace([
      { label: 'A', type: 'rating' },
      { label: 'B', type: 'rating' },
      { label: 'F', type: 'format' },
      { label: 'B', type: 'rating' },
    ]);
    expect([first.status, first.json]).toEqual([200, { status: 'Updated' }]);
    const [a, b, f] = await own();
    expect([a, b, f]).toMatchObject([
      { label: 'A', type: 'rating', position: 0 },
      { label: 'B', type: 'rating', position: 1 },
      { label: 'F', type: 'format', position: 0 },
    ]);
    // All of them are sent back, the global ones too, with two labels exchanged.
    await replace([
      ...(await api.get(address)).json.definitions.filter((each: Definition) => each.global),
      { ...b, label: 'A' },
      { ...a, label: 'B' },
      { label: 'C', type: 'rating' },
    ]);
    expect((await own()).map(({ id, label, type }) => [id, label, type])).toEqual([
      [b?.id, 'A', 'rating'],
      [a?.id, 'B', 'rating'],
      [expect.any(Number), 'C', 'rating'],
    ]);
    expect((await api.get(address)).json.definitions.filter((each: Definition) => each.global)).toHaveLength(33);
  });

  it('may not take a label of all repositories', async () => {
    const reply = await replace([
      { label: 'Interest', type: 'rating' },
      { label: 'Glass', type: 'rating' },
    ]);
    expect([reply.status, reply.json]).toEqual([409, { error: ['Interest'] }]);
  });

  it('may not take a label of their own list, wherever the new entry stands', async () => {
    await replace([
      { label: 'A', type: 'rating' },
      { label: 'B', type: 'rating' },
    ]);
    const before = await own();
    const [a, b] = before;
    const added = { label: 'A', type: 'rating' };
    for (const definitions of [
      [a, b, added],
      [added, a, b],
      [a, added, b, added],
      [a, { ...b, label: 'A' }],
    ]) {
      const reply = await replace(definitions as object[]);
      expect([reply.status, reply.json]).toEqual([409, { error: ['A'] }]);
    }
    expect(await own()).toEqual(before);
    const other = await replace([a, b, { ...added, type: 'format' }] as object[]);
    expect(other.status).toBe(200);
    // A label is free as soon as what had it goes, or has another.
    expect((await replace([{ ...a, label: 'C' }, added])).status).toBe(200);
    expect((await own()).map(({ id, label }) => [id, label])).toEqual([
      [a?.id, 'C'],
      [expect.any(Number), 'A'],
    ]);
  });

  it('belong to one repository', async () => {
    await replace([{ label: 'Here', type: 'format' }]);
    const other = `/repositories/${await api.repository()}/assessment_attribute_definitions`;
    const [here] = await own();
    expect((await api.get(other)).json.definitions).toHaveLength(33);
    await api.post(other, { definitions: [{ ...here, label: 'Stolen' }] });
    expect(await own()).toEqual([here]);
  });

  it('that an assessment uses are not deleted', async () => {
    await replace([{ label: 'Used', type: 'rating' }]);
    const [used] = await own();
    const uri = await records.make('assessment', { ratings: [{ definition_id: used?.id, value: '3' }] });
    const reply = await replace([]);
    expect([reply.status, reply.json]).toEqual([409, { error: 'RECORD_IN_USE' }]);
    await api.del(uri);
    expect((await replace([])).status).toBe(200);
  });

  it('that an assessment uses stay of their type, under which it has its value', async () => {
    await replace([{ label: 'Used', type: 'rating' }]);
    const [used] = await own();
    const uri = await records.make('assessment', { ratings: [{ definition_id: used?.id, value: '3', note: 'n' }] });
    const reply = await replace([{ ...used, type: 'format' }]);
    expect([reply.status, reply.json]).toEqual([409, { error: 'RECORD_IN_USE' }]);
    expect((await replace([{ ...used, label: 'Renamed' }])).status).toBe(200);
    expect((await api.get(uri)).json.ratings.at(-1)).toMatchObject({ label: 'Renamed', value: '3', note: 'n' });
    await api.del(uri);
    expect((await replace([{ ...used, type: 'format' }])).status).toBe(200);
    expect(await own()).toMatchObject([{ id: used?.id, type: 'format' }]);
  });

  it('go where an assessment says something under an id that none can have, as a load may bring it', async () => {
    const uri = await records.make('assessment');
    const said = JSON.stringify([{ definition_id: 2 ** 31, value: '1' }]);
    await api.database.transaction((tx) =>
      tx.run(sql`
        UPDATE record SET body = with_property(body, 'ratings', ${said}::json) WHERE kind = 'assessment' AND id = ${Number(uri.split('/').at(-1))}`),
    );
    await replace([{ label: 'Going', type: 'rating' }]);
    const reply = await replace([]);
    expect([reply.status, await own()]).toEqual([200, []]);
    await api.del(uri);
  });

  it('that an assessment being saved uses are not deleted either', async () => {
    await replace([{ label: 'Used at once', type: 'rating' }]);
    const [used] = await own();
    const uri = await records.make('assessment', {});
    const ratings = [{ definition_id: used?.id ?? 0, value: '3' }];
    const reply = await beside(
      api.database,
      async (tx) => {
        const [body] = await withKnownAttributes(tx, assessment, [{ ratings }], records.repoId);
        expect(body).toMatchObject({ ratings });
        await tx.run(sql`UPDATE record SET body = with_property(body, 'ratings', ${JSON.stringify(ratings)}::json)
          WHERE kind = 'assessment' AND id = ${Number(uri.split('/').at(-1))}`);
      },
      () => replace([]),
    );
    expect([reply.status, reply.json]).toEqual([409, { error: 'RECORD_IN_USE' }]);
    await api.del(uri);
  });

  it('are not given what an assessment said under their ids before they were there, or as those of another type', async () => {
    await replace([{ label: 'First', type: 'rating' }]);
    const [first] = await own();
    const next = (first?.id ?? 0) + 1;
    const uri = await records.make('assessment', {
      ratings: [{ definition_id: next, value: '3' }],
      formats: [{ definition_id: first?.id, value: 'true' }],
    });
    await replace([first ?? {}, { label: 'Second', type: 'rating' }]);
    expect((await own()).map(({ id }) => id)).toEqual([first?.id, next]);
    expect((await api.get(uri)).json.ratings.filter((entry: object) => 'value' in entry)).toEqual([]);
    expect((await replace([])).status).toBe(200);
    await api.del(uri);
  });
});

describe('assessments', () => {
  it('show every attribute, keep what has a value or note, and reckon the research value', async () => {
    const uri = await records.make('assessment', {
      ratings: [
        { definition_id: 6, value: '4', note: 'n' },
        { definition_id: 7, value: '2' },
        { definition_id: 1 },
        { definition_id: 999, value: '1' },
      ],
      formats: [{ definition_id: 9, value: 'true' }],
    });
    const { json } = await api.get(uri);
    expect(json).toMatchObject({ display_string: uri.split('/').at(-1), collections: [] });
    expect(json.ratings).toHaveLength(8);
    expect(json.ratings[5]).toEqual({
      value: '4',
      note: 'n',
      global: true,
      label: 'Interest',
      readonly: false,
      definition_id: 6,
    });
    expect(json.ratings[7]).toEqual({
      value: '6',
      global: true,
      label: 'Research Value',
      readonly: true,
      definition_id: 8,
    });
    expect(json.formats.filter((each: object) => 'value' in each)).toEqual([
      { value: 'true', global: true, label: 'Architectural Materials', readonly: false, definition_id: 9 },
    ]);
    expect((await api.post(uri, json)).status).toBe(200);
    expect((await api.get(uri)).json.ratings).toEqual(json.ratings);
  });

  it('of a batch keep what their repository has definitions for alone, and hold these until it ends', async () => {
    await using batches = await startTestApi({ worker: 'jobs' });
    const made = await httpRecords(batches);
    const repository = `/repositories/${made.repoId}`;
    const definitions = `${repository}/assessment_attribute_definitions`;
    await batches.post(definitions, { definitions: [{ label: 'Own', type: 'rating' }] });
    const owned = (await batches.get(definitions)).json.definitions.find((each: Definition) => !each.global).id;
    const say = [6, owned, owned + 1, 2 ** 31, 1e300].map((id) => ({ definition_id: id, value: String(id) }));
    const uri = `${repository}/assessments/import_1`;
    const body = { ...(await made.body('assessment')), jsonmodel_type: 'assessment', uri, ratings: say };
    const unsaid = { ...(await made.body('assessment')), jsonmodel_type: 'assessment', uri: `${uri}1`, formats: say };
    const { saved } = (await batches.post(`${repository}/batch_imports`, [body, unsaid])).json.at(-1);
    const Row = sql.type(z.strictObject({ id: column.int, said: column.text }));
    const rows = await batches.database.reader.any(Row`
      SELECT id, (body->'ratings')::text || (body->'formats')::text AS said FROM record WHERE kind = 'assessment' ORDER BY id`);
    const kept = [say[0], say[1]];
    expect(rows).toEqual([
      { id: saved[uri][1], said: `${JSON.stringify(kept)}[]` },
      { id: saved[`${uri}1`][1], said: '[][]' },
    ]);
    const reply = await beside(
      batches.database,
      (tx) => keepKnownAttributes(tx, assessment, [saved[uri][1]]),
      () => batches.post(definitions, { definitions: [] }),
    );
    expect([reply.status, reply.json]).toEqual([409, { error: 'RECORD_IN_USE' }]);
  });

  it('name the collections behind their records', async () => {
    const resource = await records.make('resource');
    const node = await records.make('archival_object', { resource: { ref: resource } });
    const uri = await records.make('assessment', { records: [{ ref: node }, { ref: resource }] });
    expect((await api.get(uri)).json.collections).toEqual([{ ref: resource }]);
  });

  it('keep their records, what is above these, and persons from being deleted', async () => {
    const resource = await records.make('resource');
    const node = await records.make('archival_object', { resource: { ref: resource } });
    const person = await records.make('agent_person');
    const uri = await records.make('assessment', { records: [{ ref: node }], reviewer: [{ ref: person }] });
    for (const held of [node, resource, person]) {
      const reply = await api.del(held);
      expect([reply.status, reply.json]).toEqual([409, { error: 'linked_to_assessment' }]);
    }
    expect((await api.del(uri)).status).toBe(200);
    expect((await api.del(resource)).status).toBe(200);
  });
});
