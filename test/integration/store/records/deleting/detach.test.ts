// Refs to what is to be deleted: taken out of the records that stay, or what forbids it, of which then nothing is written.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { detach } from '#store/records/deleting/detach.ts';
import type { RecordStore } from '../../../../support/records.ts';
import { openRecordStore } from '../../../../support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

test('are taken out of what stays, all at once, and told where a rule forbids it', async () => {
  const vocabulary = await store.create('vocabulary', { name: 'V', ref_id: 'v' });
  const subject = (term: string) =>
    store.create('subject', {
      vocabulary: vocabulary.uri,
      source: 'local',
      terms: [{ term, term_type: 'topical', vocabulary: vocabulary.uri }],
    });
  const [one, two] = [await subject('One'), await subject('Two')];
  const holders = [1, 2].map((n) =>
    store.create('accession', {
      id_0: `A${n}`,
      title: `A${n}`,
      accession_date: '2026-01-01',
      subjects: [{ ref: one.uri }, { ref: two.uri }],
    }),
  );
  const [first, second] = await Promise.all(holders);
  const doom = (kind: string, id: number) => [{ kind: kindNamed(kind), ids: [id] }];
  const target = (kind: string, id: number) => [{ kind: kindNamed(kind), id }];
  const refusals = await store.database.transaction((tx) =>
    detach(tx, doom('subject', one.id), target('subject', one.id), store.repoId, 'tester'),
  );
  expect(refusals).toEqual([]);
  for (const uri of [first?.uri ?? '', second?.uri ?? ''])
    expect((await store.read(uri))['subjects']).toEqual([{ ref: two.uri }]);
  const location = await store.create('location', {
    building: 'B',
    room: '1',
    coordinate_1_label: 'Shelf',
    coordinate_1_indicator: '1',
  });
  const box = await store.create('top_container', {
    indicator: '1',
    container_locations: [{ status: 'current', start_date: '2026-01-01', ref: location.uri }],
  });
  const before = await store.read(box.uri);
  const forbidden = await store.database.transaction((tx) =>
    detach(tx, doom('location', location.id), target('location', location.id), store.repoId, 'tester'),
  );
  expect(forbidden.map(({ target: { id }, failure }) => [id, failure.code])).toEqual([[location.id, 'delete_refused']]);
  expect(await store.read(box.uri)).toEqual(before);
});
