// Classifications and their terms in the store: paths, linked records from both sides, uniqueness among siblings.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { moveRecords } from '#store/records/writing/move.ts';
import type { RecordStore } from '../../../support/records.ts';
import { openRecordStore, resourceBody } from '../../../support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const term = (root: string, title: string, more: object = {}) =>
  store.create('classification_term', { title, identifier: title.slice(0, 3), classification: { ref: root }, ...more });

it('shows the way from the root, and whether there are terms', async () => {
  const scheme = await store.create('classification', { identifier: 'C', title: 'Class' });
  expect(await store.read(scheme.uri)).toMatchObject({
    path_from_root: [{ title: 'Class', identifier: 'C' }],
    has_classification_terms: false,
    linked_records: [],
  });
  const first = await term(scheme.uri, 'First');
  const below = await term(scheme.uri, 'Below', { parent: { ref: first.uri } });
  expect(await store.read(below.uri)).toMatchObject({
    display_string: 'Below',
    classification: { ref: scheme.uri },
    parent: { ref: first.uri },
    position: 0,
    path_from_root: [
      { title: 'Class', identifier: 'C' },
      { title: 'First', identifier: 'Fir' },
      { title: 'Below', identifier: 'Bel' },
    ],
  });
  expect((await store.read(scheme.uri))['has_classification_terms']).toBe(true);
});

it('shows linked records on either side', async () => {
  const scheme = await store.create('classification', { identifier: 'L', title: 'Links' });
  const resource = await store.create('resource', resourceBody('CL1', { classifications: [{ ref: scheme.uri }] }));
  expect((await store.read(scheme.uri))['linked_records']).toEqual([{ ref: resource.uri }]);
});

it('refuses a sibling of the same title, also by a move, and allows it elsewhere', async () => {
  const scheme = await store.create('classification', { identifier: 'S', title: 'Siblings' });
  const mills = await term(scheme.uri, 'Mills');
  await expect(term(scheme.uri, 'Mills')).rejects.toMatchObject({
    error: {
      title: ['must be unique to its level in the tree'],
      identifier: ['must be unique to its level in the tree'],
    },
  });
  const twin = await term(scheme.uri, 'Mills', { parent: { ref: mills.uri } });
  const move = store.database.transaction((tx) =>
    moveRecords(
      tx,
      kindNamed('classification_term'),
      store.repoId,
      scheme.id,
      { parentId: null, position: 0, ids: [twin.id] },
      'tester',
    ),
  );
  await expect(move).rejects.toMatchObject({ error: { title: ['must be unique to its level in the tree'] } });
  expect((await store.read(twin.uri))['parent']).toEqual({ ref: mills.uri });
});

it('refuses terms of one title that come from several places below one parent', async () => {
  const scheme = await store.create('classification', { identifier: 'T', title: 'Twins' });
  const parents = [await term(scheme.uri, 'Mills'), await term(scheme.uri, 'Looms')];
  const twins: number[] = [];
  for (const [n, { uri }] of parents.entries())
    twins.push((await term(scheme.uri, 'Letters', { identifier: `L${n}`, parent: { ref: uri } })).id);
  const move = store.database.transaction((tx) =>
    moveRecords(
      tx,
      kindNamed('classification_term'),
      store.repoId,
      scheme.id,
      { parentId: null, position: 0, ids: twins },
      'tester',
    ),
  );
  await expect(move).rejects.toMatchObject({
    code: 'not_unique',
    error: { title: ['must be unique to its level in the tree'] },
  });
});
