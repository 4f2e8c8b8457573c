// Controlled values that go while a record with one is being saved: it was checked against the list of before, and is stored after the value went.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { textsOf } from '#domain/json.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { readEnumeration } from '#store/enumerations/lists.ts';
import { followRetiredValues } from '#store/enumerations/retired.ts';
import { updateValue } from '#store/enumerations/update-value.ts';
import { migrateValue, updateEnumeration } from '#store/enumerations/update.ts';
import type { RecordStore } from '../../../support/records.ts';
import { openRecordStore, personBody } from '../../../support/records.ts';

let store: RecordStore;
const context = { actor: 'tester', trims: true };
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

// The store of the tests checks bodies against the lists as they were seeded, as a process does that has not heard of a change yet.
const accession = async (id0: string, extentType: string): Promise<string> =>
  (
    await store.create('accession', {
      id_0: id0,
      title: id0,
      accession_date: '2020-01-01',
      extents: [{ portion: 'whole', number: '1', extent_type: extentType }],
    })
  ).uri;
const extentType = async (uri: string): Promise<unknown> =>
  ((await store.read(uri))['extents'] as readonly JsonObject[])[0]?.['extent_type'];
const listId = async (name: string): Promise<number> =>
  (await store.database.reader.one(sql.type(IdRow)`SELECT id FROM enumeration WHERE name = ${name}`)).id;
const valuesOf = async (name: string): Promise<readonly string[]> =>
  textsOf(await readEnumeration(store.database.reader, { name }), 'values');
const change = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => store.database.transaction(work);
const dropValue = async (name: string, value: string): Promise<void> => {
  const list = await readEnumeration(store.database.reader, { name });
  const values = textsOf(list, 'values').filter((each) => each !== value);
  const id = await listId(name);
  await change((tx) => updateEnumeration(tx, id, { ...list, values }, list['lock_version'], context));
};
const follow = async (): ReturnType<typeof followRetiredValues> => {
  await sequenceChanges(store.database);
  return followRetiredValues(store.database);
};

it('makes uses of a migrated and of a renamed value its successor, however often that went on', async () => {
  const list = await listId('extent_extent_type');
  const before = await accession('before', 'reels');
  await change((tx) => migrateValue(tx, list, 'reels', 'cassettes', context));
  const late = await accession('late', 'reels');
  await change((tx) => migrateValue(tx, list, 'cassettes', 'volumes', context));
  expect(await Promise.all([extentType(before), extentType(late)])).toEqual(['volumes', 'reels']);
  const { id } = await store.database.reader.one(sql.type(IdRow)`
    SELECT id FROM enumeration_value WHERE enumeration_id = ${list} AND value = 'volumes'`);
  await change((tx) => updateValue(tx, id, { value: 'tomes' }, 0, context));
  const later = await accession('later', 'cassettes');
  expect(await follow()).toEqual({ changed: 2, back: [] });
  expect(await Promise.all([before, late, later].map(extentType))).toEqual(['tomes', 'tomes', 'tomes']);
  expect(await follow()).toEqual({ changed: 0, back: [] });
});

it('follows a value in links that both sides write', async () => {
  const list = await listId('agent_relationship_parentchild_relator');
  await change(async (tx) => {
    await tx.run(sql`UPDATE enumeration SET editable = true WHERE id = ${list}`);
    await tx.run(sql`UPDATE enumeration_value SET readonly = false WHERE enumeration_id = ${list}`);
    await tx.run(
      sql`INSERT INTO enumeration_value (enumeration_id, value, position) VALUES (${list}, 'is_offspring_of', 9)`,
    );
    await migrateValue(tx, list, 'is_child_of', 'is_offspring_of', context);
  });
  const parent = await store.create('agent_person', personBody('Parent'));
  const link = { jsonmodel_type: 'agent_relationship_parentchild', relator: 'is_child_of', ref: parent.uri };
  const child = await store.create('agent_person', personBody('Child', { related_agents: [link] }));
  await follow();
  expect((await store.read(child.uri))['related_agents']).toMatchObject([{ relator: 'is_offspring_of' }]);
});

it('puts a value back that was deleted and is used, and one whose use cannot become its successor', async () => {
  await dropValue('extent_extent_type', 'photographic_slides');
  expect(await follow()).toEqual({ changed: 0, back: [] });
  const uri = await accession('deleted', 'photographic_slides');
  expect(await follow()).toEqual({ changed: 0, back: ['extent_extent_type: photographic_slides'] });
  expect([await extentType(uri), await valuesOf('extent_extent_type')]).toEqual([
    'photographic_slides',
    expect.arrayContaining(['photographic_slides']),
  ]);
  const subject = {
    vocabulary: '/vocabularies/1',
    terms: [{ term: 'Same', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  };
  await store.create('subject', { ...subject, source: 'lcsh' });
  await change(async (tx) => migrateValue(tx, await listId('subject_source'), 'tgn', 'lcsh', context));
  await store.create('subject', { ...subject, source: 'tgn' });
  expect(await follow()).toEqual({ changed: 0, back: ['subject_source: tgn'] });
  expect(await valuesOf('subject_source')).toContain('tgn');
});

it('leaves a value alone that came into its list again, and forgets values after a week', async () => {
  const list = await listId('extent_extent_type');
  await change((tx) => migrateValue(tx, list, 'gigabytes', 'megabytes', context));
  await change((tx) =>
    tx.run(sql`INSERT INTO enumeration_value (enumeration_id, value, position) VALUES (${list}, 'gigabytes', 900)`),
  );
  const uri = await accession('again', 'gigabytes');
  expect(await follow()).toEqual({ changed: 0, back: [] });
  expect(await extentType(uri)).toBe('gigabytes');
  const remembered = async (): Promise<number> =>
    (await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM retired_value`)).n;
  expect(await remembered()).toBeGreaterThan(0);
  await change((tx) => tx.run(sql`UPDATE retired_value SET at = at - interval '8 days'`));
  await follow();
  expect(await remembered()).toBe(0);
});
