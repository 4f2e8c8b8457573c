// The steps of a deletion over random holders, as many of them as come: linked back, all is as it was; with the last step, it is as a deletion in one transaction. And a step beside saves and deletions of its holders.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Transaction } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { linkBackBlock } from '#store/records/deleting/link-back.ts';
import {
  beginDeletion,
  begunDeletions,
  endDeletion,
  hasManyHolders,
  holdersToUnlink,
  readBegunDeletion,
  unlinkBlock,
} from '#store/records/deleting/unlink-first.ts';
import { holdersAtOnce } from '#store/records/visibility/in-steps.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { amount } from '#test/support/long.ts';
import { copyAccession, mergedState } from '#test/support/merge-state.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let made = 0;
let deletionId = 3_000_000;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => store[Symbol.asyncDispose]());

const idOf = (uri: string): number => parseUri(uri)?.id ?? 0;
const subject = async (): Promise<string> =>
  (
    await store.create('subject', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: `Term ${(made += 1)}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    })
  ).uri;
const keyOf = (uri: string) => ({ kind: 'subject', id: idOf(uri) });
/** The deletion of one subject. */
const deletionOf = (uri: string) => ({ repoId: null, records: [keyOf(uri)] });
const refs = (uris: readonly string[]): JsonObject[] => uris.map((ref) => ({ ref }));
const accession = async (subjects: readonly string[]): Promise<string> =>
  (
    await store.create('accession', {
      id_0: `U${(made += 1)}`,
      accession_date: '2020-01-01',
      subjects: refs(subjects),
    })
  ).uri;
/** Holders of each sort: refs of the record itself, and of a part of it. */
const makers: readonly ((subjects: readonly string[]) => Promise<string>)[] = [
  accession,
  async (subjects) =>
    (await store.create('resource', resourceBody(`U${(made += 1)}`, { subjects: refs(subjects) }))).uri,
  async (subjects) =>
    (
      await store.create('agent_person', {
        ...personBody(`U${(made += 1)}`),
        agent_places: subjects.length === 0 ? [] : [{ place_role: 'assoc_country', subjects: refs(subjects) }],
      })
    ).uri,
];
const remove = (tx: Transaction, uri: string): Promise<unknown> =>
  deleteRecord(tx, kindNamed('subject'), idOf(uri), null, 'tester');
const begin = (uri: string, id: number): Promise<boolean> =>
  store.database.transaction((tx) => beginDeletion(tx, id, deletionOf(uri), null, 'tester'));
async function linkBack(uri: string, id: number): Promise<void> {
  let left = 1;
  while (left > 0) left = await store.database.transaction((tx) => linkBackBlock(tx, id, deletionOf(uri), 'tester', 2));
}

/** What of a record the deletion changes. Two that were made one after the other may be of two seconds. */
const partsOf = ({ subjects, agent_places: places }: JsonObject): unknown => [
  subjects,
  Array.isArray(places)
    ? places.map((place) => ({ ...place, create_time: '', system_mtime: '', user_mtime: '' }))
    : places,
];

const holder = fc.tuple(fc.nat(makers.length - 1), fc.array(fc.nat(2), { maxLength: 4 }));

test('linked back, all is as it was; ended, it is as in one transaction', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(holder, { minLength: 1, maxLength: 6 }),
      fc.nat(7),
      fc.boolean(),
      async (all, count, ends) => {
        // Two alike, of which one goes in steps and the other at once.
        const [steps, once, other] = [await subject(), await subject(), await subject()];
        const make = async (gone: string): Promise<readonly string[]> => {
          const uris: string[] = [];
          for (const [maker, targets] of all)
            uris.push((await makers[maker]?.([...new Set(targets)].map((n) => (n === 0 ? other : gone)))) ?? '');
          return uris;
        };
        const [own, alike] = [await make(steps), await make(once)];
        const before = await mergedState(store.database);
        const id = (deletionId += 1);
        await begin(steps, id);
        expect(await begunDeletions(store.database.reader, null)).toEqual([id]);
        expect(await readBegunDeletion(store.database.reader, id)).toEqual({ ...deletionOf(steps), actor: 'tester' });
        const blocks = await holdersToUnlink(store.database.reader, deletionOf(steps), 1);
        for (const block of blocks.slice(0, count))
          await store.database.transaction((tx) => unlinkBlock(tx, id, deletionOf(steps), block, 'tester'));
        if (!ends) {
          await linkBack(steps, id);
          expect(await mergedState(store.database)).toEqual(before);
          return;
        }
        await store.database.transaction(async (tx) => {
          await endDeletion(tx, id);
          await remove(tx, steps);
        });
        await store.database.transaction((tx) => remove(tx, once));
        expect(await readBegunDeletion(store.database.reader, id)).toBe(null);
        for (const [n, uri] of own.entries()) {
          const [one, two] = [await store.read(uri), await store.read(alike[n] ?? '')];
          expect(partsOf(one)).toEqual(partsOf(two));
        }
      },
    ),
    { numRuns: amount(8, 40) },
  );
});

test('a step waits in no circle with a save or a deletion of its holders, nor does the way back', async () => {
  for (const way of ['there', 'back'] as const)
    for (const change of ['save', 'deletion'] as const)
      await besideEachOther(
        store.database,
        async () => {
          const [gone, other] = [await subject(), await subject()];
          const uris = [await accession([gone, other]), await accession([gone])];
          const id = (deletionId += 1);
          await begin(gone, id);
          const block = uris.map((uri) => ({ kind: 'accession', id: idOf(uri) }));
          if (way === 'back')
            await store.database.transaction((tx) => unlinkBlock(tx, id, deletionOf(gone), block, 'tester'));
          const last = uris[1] ?? '';
          const stored = await store.read(last);
          return {
            one: (tx) =>
              way === 'there'
                ? unlinkBlock(tx, id, deletionOf(gone), block, 'tester')
                : linkBackBlock(tx, id, deletionOf(gone), 'tester'),
            other: (tx) =>
              change === 'save'
                ? store.updateIn(tx, last, { ...stored, title: 'Saved' })
                : deleteRecord(tx, kindNamed('accession'), idOf(last), store.repoId, 'tester'),
            check: async () => {
              await linkBack(gone, id);
              expect((await store.read(uris[0] ?? ''))['subjects']).toMatchObject([{ ref: gone }, { ref: other }]);
            },
          };
        },
        { every: 4 },
      );
});

test('one is said to have many holders from the first that is more than a step writes', async () => {
  const gone = await subject();
  await copyAccession(store.database, await accession([gone]), holdersAtOnce);
  expect(await hasManyHolders(store.database.reader, [keyOf(gone)])).toBe(false);
  expect(await holdersToUnlink(store.database.reader, deletionOf(gone))).toEqual([]);
  await accession([gone]);
  expect(await hasManyHolders(store.database.reader, [keyOf(gone)])).toBe(true);
  expect((await holdersToUnlink(store.database.reader, deletionOf(gone))).map((block) => block.length)).toEqual([
    holdersAtOnce,
    1,
  ]);
  const left = await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM deletion_begun`);
  expect(left.n).toBe(0);
});
