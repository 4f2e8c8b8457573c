// The steps of a merge over random links, as many of them as come: led back, all is as it was; with the last step, the same links are there as of a merge in one, and undoing gives
// all back.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { MergeRecords } from '#domain/merges/merges.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { begunMerges, readBegun } from '#store/merges/begun.ts';
import { beginMerge, holdersToLead, leadBlock } from '#store/merges/holders-first.ts';
import { leadBackBlock } from '#store/merges/lead-back.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { mergedState } from '#test/support/merge-state.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { amount } from '#test/support/long.ts';

let store: RecordStore;
let made = 0;
let mergeId = 2_000_000;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => store[Symbol.asyncDispose]());

const LinkRow = z.strictObject({ holder: column.int, role: column.maybeText, target: column.int });
/** Which records the holders name in which roles, each once, with those that go by the one that stays. */
async function named(kept: string, gone: readonly string[]): Promise<readonly string[]> {
  const rows = await store.database.reader.any(sql.type(LinkRow)`
    SELECT source_id AS holder, role, target_id AS target FROM link WHERE source_kind = 'accession' AND mutual IS NULL`);
  const ids = gone.map((uri) => parseUri(uri)?.id);
  const stays = parseUri(kept)?.id ?? 0;
  return [
    ...new Set(rows.map(({ holder, role, target }) => `${holder} ${role} ${ids.includes(target) ? stays : target}`)),
  ].toSorted();
}

async function leadBack(id: number, records: MergeRecords): Promise<void> {
  let left = 1;
  while (left > 0) left = await store.database.transaction((tx) => leadBackBlock(tx, id, records, 'tester', 2));
}

const roles = ['creator', 'source', 'subject'];
/** What is merged, by how it is made and linked to: global records, and those of a repository. */
const sorts = {
  agent: {
    isGlobal: true,
    make: async (): Promise<string> => (await store.create('agent_person', personBody(`Person ${(made += 1)}`))).uri,
    body: (links: readonly (readonly [string, number])[]): JsonObject => ({
      linked_agents: links.map(([ref, role]) => ({ ref, role: roles[role] ?? 'creator' })),
    }),
  },
  top_container: {
    isGlobal: false,
    make: async (): Promise<string> =>
      (await store.create('top_container', { indicator: `${(made += 1)}`, type: 'box' })).uri,
    body: (links: readonly (readonly [string, number])[]): JsonObject => ({
      instances: links.map(([ref]) => ({ instance_type: 'text', sub_container: { top_container: { ref } } })),
    }),
  },
};
const sort = fc.constantFrom('agent' as const, 'top_container' as const);
const holder = fc.array(fc.tuple(fc.nat(3), fc.nat(2)), { maxLength: 3 });
// How many steps come before the end or the way back, of one holder each.
const steps = fc.nat(6);

test('led back, all is as it was; ended, it is as a merge in one transaction, and undone the same', async () => {
  const enumerations = await EnumerationCache.load(store.database.reader);
  await fc.assert(
    fc.asyncProperty(
      fc.array(holder, { minLength: 1, maxLength: 6 }),
      steps,
      fc.boolean(),
      fc.boolean(),
      sort,
      async (all, count, ends, inSteps, what) => {
        const { isGlobal, make, body } = sorts[what];
        const repoId = isGlobal ? null : store.repoId;
        const targets: string[] = [];
        for (let n = 0; n < 4; n++) targets.push(await make());
        for (const links of all)
          await store.create('accession', {
            id_0: `H${(made += 1)}`,
            accession_date: '2020-01-01',
            ...body(links.map(([target, role]) => [targets[target] ?? '', role])),
          });
        const [kept = '', ...gone] = targets.slice(0, 3);
        const records = toMergeRecords(what, kept, gone, repoId);
        const [before, links] = [await mergedState(store.database), await named(kept, gone)];
        const id = (mergeId += 1);
        await store.database.transaction((tx) => beginMerge(tx, id, records, 'merge_request', 'tester'));
        expect(await begunMerges(store.database.reader, repoId)).toEqual([id]);
        expect(await begunMerges(store.database.reader, isGlobal ? store.repoId : null)).toEqual([]);
        const blocks = await holdersToLead(store.database.reader, records, 1);
        for (const block of blocks.flat().slice(0, count))
          await store.database.transaction((tx) => leadBlock(tx, id, records, [block], 'tester'));
        expect(await named(kept, gone)).toEqual(links);
        if (ends) {
          const merge = { id, what, records, actor: 'tester', agentUri: null, selections: null } as const;
          await store.database.transaction((tx) =>
            mergeRecords(tx, merge, { at: '2026-01-01T00:00:00Z', generatedValues, enumerations }),
          );
          expect(await named(kept, gone)).toEqual(links);
          // By a transaction, or with steps behind it for any of the holders of one ref.
          const stepsOf = (mergeId += 1);
          const { hasLeft } = await store.database.transaction((tx) =>
            undoMerge(tx, id, 'tester', inSteps ? { stepsOf, atOnce: 0 } : {}),
          );
          expect(await readBegun(store.database.reader, stepsOf)).toEqual(
            hasLeft ? { ...records, actor: 'tester' } : null,
          );
          if (hasLeft) await leadBack(stepsOf, records);
        } else {
          await leadBack(id, records);
        }
        expect(await readBegun(store.database.reader, id)).toBe(null);
        expect(await mergedState(store.database)).toEqual(before);
      },
    ),
    { numRuns: amount(20, 120) },
  );
});
