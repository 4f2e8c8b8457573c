// Merges of roots with trees, as changes of the database as a whole: where the nodes come to lie, what is told of them, and that all of it goes back. Read
// beside the contract (5.6, trees-and-jobs 4) before it was kept.
import { expect, it } from 'vitest';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { MergeWhat } from '#domain/merges/merges.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { previewMerge } from '#store/merges/preview.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { createRecord } from '#store/records/writing/write.ts';
import type { Work } from '#test/support/kept-changes.ts';
import { expectChanges } from '#test/support/kept-changes.ts';
import { harbourRecords } from '#test/support/harbour.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const database = await loadHarbour();
const enumerations = await database.transaction((tx) => EnumerationCache.load(tx));
const repoId = 2;
const actor = 'jane';
const R = `/repositories/${repoId}`;
const { generatedValues } = testContext();

async function made(tx: Transaction, kind: string, body: JsonObject): Promise<string> {
  const prepared = prepare(kindNamed(kind), body, testContext());
  const { id } = await createRecord(tx, kindNamed(kind), prepared, { actor, repoId, generatedValues });
  return uriOf(kindNamed(kind), id, repoId);
}

const board = harbourRecords.find(({ uri }) => uri === `${R}/resources/1`)?.sent ?? {};

/** A resource as the board's is, in short; with two nodes, one below the other, where it has these ids. */
async function resource(tx: Transaction, id: string, nodes: readonly [string, string] | null): Promise<string> {
  const { extents = [], dates = [], lang_materials: languages = [] } = board;
  const short = { title: `Papers ${id}`, id_0: id, level: 'fonds', extents, dates, lang_materials: languages };
  const ref = await made(tx, 'resource', { ...short, finding_aid_language: 'eng', finding_aid_script: 'Latn' });
  if (nodes === null) return ref;
  const [one, two] = nodes;
  const node = { level: 'file', resource: { ref } };
  const parent = await made(tx, 'archival_object', { ...node, title: one, ref_id: one });
  await made(tx, 'archival_object', { ...node, title: two, ref_id: two, parent: { ref: parent } });
  return ref;
}

const merge = async (tx: Transaction, what: MergeWhat, kept: string, gone: readonly string[]): Promise<number> =>
  mergeRecords(
    tx,
    {
      id: 700,
      what,
      records: toMergeRecords(what, kept, gone, repoId),
      actor,
      agentUri: '/agents/people/1',
      selections: null,
    },
    { at: '2026-01-01T00:00:00Z', generatedValues, enumerations },
  );

it('puts what was below those that go behind what the one that stays has', async () => {
  const into =
    (nodes: readonly [string, string] | null, isUndone = false): Work =>
    async (tx) => {
      const gone = await resource(tx, 'N', nodes);
      const moved = await merge(tx, 'resource', `${R}/resources/1`, [gone]);
      if (!isUndone) return moved;
      const undone = await undoMerge(tx, 700, actor);
      // A tree that is made once more counts its versions from the time on.
      await tx.run(sql`UPDATE tree_root SET version = -1 WHERE version >= extract(epoch FROM now()) * 1000`);
      return [moved, undone];
    };
  await expectChanges(
    database,
    {
      'a resource without nodes': into(null),
      'a resource with two': into(['one', 'two']),
      'a resource with two, and back': into(['one', 'two'], true),
      'two resources, one after the other': async (tx) =>
        merge(tx, 'resource', await resource(tx, 'N', null), [
          await resource(tx, 'O', ['one', 'two']),
          await resource(tx, 'P', ['three', 'four']),
        ]),
      'an id that the tree has already': into(['ref_letters', 'two']),
    },
    'merges-of-roots',
  );
});

it('tells before it is done what would come', async () => {
  const told: { [what: string]: unknown } = {};
  const preview = async (what: string, work: (tx: Transaction) => Promise<readonly string[]>): Promise<void> => {
    const done = database.transaction(async (tx) => {
      const records = toMergeRecords('resource', `${R}/resources/1`, await work(tx), repoId);
      told[what] = await previewMerge(tx, 'resource', records).catch((error: unknown) =>
        error instanceof Failure ? { refused: error.code, error: error.error } : error,
      );
      throw new Error('taken back');
    });
    await expect(done).rejects.toThrow('taken back');
  };
  await preview('nothing', async () => []);
  await preview('itself', async () => [`${R}/resources/1`]);
  await preview('no nodes', async (tx) => [await resource(tx, 'N', null)]);
  await preview('nodes, and a link', async (tx) => {
    const gone = await resource(tx, 'N', ['one', 'two']);
    for (const id_0 of ['A', 'B'])
      await made(tx, 'accession', { id_0, accession_date: '2020-01-01', related_resources: [{ ref: gone }] });
    return [gone];
  });
  await preview('an id that is there', async (tx) => [await resource(tx, 'N', ['one', 'ref_letters'])]);
  await preview('an id of two that go', async (tx) => [
    await resource(tx, 'N', ['one', 'two']),
    await resource(tx, 'O', ['two', 'three']),
  ]);
  await preview('what is not there', async () => [`${R}/resources/9`]);
  const none = { links: 0, records: 0, components: 0, by: [] };
  const notUnique = {
    refused: 'not_unique',
    error: { ref_id: ['An Archival Object Ref ID must be unique to its resource'] },
  };
  expect(told).toEqual({
    nothing: none,
    itself: none,
    'no nodes': none,
    'nodes, and a link': {
      links: 2,
      records: 2,
      components: 2,
      by: [{ kind: 'accession', property: 'related_resources', links: 2 }],
    },
    'an id that is there': notUnique,
    'an id of two that go': notUnique,
    'what is not there': { refused: 'not_found', error: 'Resource not found' },
  });
});
