// What others write while records are merged, or a merge is undone, begun at its statements in turn: who links to the record that stays, or adds to it, does not wait for an undo; nobody waits in a circle, and nobody's link is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { column } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import type { Outcome } from '#test/support/begin-at.ts';
import { atEachStatement, beginAt } from '#test/support/begin-at.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect(await checkTrees(store.database.reader, [{ code: 1, node: 'archival_object', root: 'resource' }])).toEqual([]);
  await store[Symbol.asyncDispose]();
});

let made = 0;
const person = async (): Promise<string> =>
  (await store.create('agent_person', personBody(`Person ${(made += 1)}`))).uri;
const resource = async (): Promise<string> => (await store.create('resource', resourceBody(`R${(made += 1)}`))).uri;
const accession = async (agent: string): Promise<string> =>
  (
    await store.create('accession', {
      id_0: `A${(made += 1)}`,
      accession_date: '2020-01-01',
      linked_agents: [{ ref: agent, role: 'creator' }],
    })
  ).uri;
const component = async (root: string, parent?: string): Promise<string> =>
  (
    await store.create('archival_object', {
      title: `c${(made += 1)}`,
      level: 'file',
      resource: { ref: root },
      ...(parent === undefined ? {} : { parent: { ref: parent } }),
    })
  ).uri;
const friends = (...uris: readonly string[]) => ({
  related_agents: uris.map((ref) => ({
    jsonmodel_type: 'agent_relationship_associative',
    relator: 'is_associative_with',
    ref,
  })),
});
/** Saves a record, or is refused, at the first try. */
const save = async (uri: string, change: object): Promise<void> => {
  const body = { ...(await store.read(uri)), ...change };
  let tries = 0;
  const saving = store.database.transaction((tx) => {
    tries += 1;
    return store.updateIn(tx, uri, body);
  });
  const error = await saving.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(tries).toBe(1);
  if (error !== null) throw error;
};

/** Merges one record into another, under a number. */
const mergeIn = async (
  tx: Transaction,
  id: number,
  what: 'agent' | 'resource',
  kept: string,
  gone: string,
): Promise<void> => {
  const records = toMergeRecords(what, kept, [gone], what === 'agent' ? null : store.repoId);
  const settings = { at: '2026-01-01T00:00:00Z', generatedValues, enumerations: await EnumerationCache.load(tx) };
  await mergeRecords(tx, { id, what, records, actor: 'tester', agentUri: null, selections: null }, settings);
};
const merge = async (what: 'agent' | 'resource', kept: string, gone: string): Promise<number> => {
  const id = (made += 1);
  await store.database.transaction((tx) => mergeIn(tx, id, what, kept, gone));
  return id;
};

const undoBeside = (id: number, nth: number, work: () => Promise<unknown>): Promise<Outcome> =>
  beginAt(store.database, nth, (tx) => undoMerge(tx, id, 'tester'), work);

const CountRow = z.strictObject({ uri: column.text, refs: column.int, links: column.int });
/** The accessions whose bodies name other agents than their link rows do. */
const wrongHolders = (): Promise<readonly unknown[]> =>
  store.database.reader.any(sql.type(CountRow)`
    SELECT * FROM (SELECT record_uri(r.kind, r.id, r.repo_id) AS uri, (SELECT count(*) FROM json_array_elements(r.body->'linked_agents') a)::int AS refs,
      (SELECT count(*) FROM link l WHERE l.source_kind = r.kind AND l.source_id = r.id AND r.body::text LIKE '%"' || record_uri(l.target_kind, l.target_id, NULL) || '"%')::int AS links
    FROM record r WHERE r.kind = 'accession') c WHERE refs <> links`);
const agentsOf = async (uri: string): Promise<unknown> =>
  ((await store.read(uri))['linked_agents'] as readonly { ref: string }[]).map(({ ref }) => ref);
const relatedTo = async (uri: string): Promise<readonly string[]> =>
  ((await store.read(uri))['related_agents'] as readonly { ref: string }[]).map(({ ref }) => ref).toSorted();

test('a record that is linked to the agent that stays does not wait, and keeps its link', async () => {
  await atEachStatement(async (nth) => {
    const [kept, gone] = [await person(), await person()];
    const holders = [await accession(gone), await accession(gone)];
    let added = '';
    const id = await merge('agent', kept, gone);
    const outcome = await undoBeside(id, nth, async () => (added = await accession(kept)));
    expect(outcome.isDoneBefore).toBe(outcome.isReached);
    if (outcome.isReached) expect(await agentsOf(added)).toEqual([kept]);
    for (const holder of holders) expect(await agentsOf(holder)).toEqual([gone]);
    return outcome;
  });
  expect(await wrongHolders()).toEqual([]);
});

test('relations that somebody makes or saves meanwhile are neither lost nor led wrong', async () => {
  await atEachStatement(async (nth) => {
    const [kept, gone, partner, other, stranger] = [
      await person(),
      await person(),
      await person(),
      await person(),
      await person(),
    ];
    await save(gone, friends(partner));
    await save(other, friends(gone));
    const id = await merge('agent', kept, gone);
    const outcome = await undoBeside(id, nth, () => save(stranger, friends(kept)));
    expect(await relatedTo(kept)).toEqual(outcome.isReached ? [stranger] : []);
    expect(await relatedTo(gone)).toEqual([partner, other].toSorted());
    return outcome;
  });
});

test.each([
  ['that went had', 'partner'],
  ['had with it', 'other'],
])('a save of one of those whose relation %s stands, before the undo or after it', async (_, which) => {
  await atEachStatement(async (nth) => {
    const [kept, gone, partner, other] = [await person(), await person(), await person(), await person()];
    await save(gone, friends(partner));
    await save(other, friends(gone));
    const saved = which === 'partner' ? partner : other;
    const still = which === 'partner' ? other : partner;
    const id = await merge('agent', kept, gone);
    const outcome = await undoBeside(id, nth, () => save(saved, { dates_of_existence: [] }));
    const [ofKept, ofGone] = [await relatedTo(kept), await relatedTo(gone)];
    // Saved with what it read before the undo it names the one that stays.
    expect([
      [[], [partner, other].toSorted()],
      [[saved], [still]],
    ]).toContainEqual([ofKept, ofGone]);
    expect(await relatedTo(saved)).toEqual([ofKept.length > 0 ? kept : gone]);
    return outcome;
  });
});

test('components that are added to the resource that stays, and below one that goes back, do not wait for anything', async () => {
  await atEachStatement(async (nth) => {
    const [kept, gone] = [await resource(), await resource()];
    const [own, back] = [await component(kept), await component(gone)];
    const id = await merge('resource', kept, gone);
    let [beside, below] = ['', ''];
    const outcome = await undoBeside(id, nth, async () => {
      beside = await component(kept);
      await component(kept, own);
      below = await component(kept, back);
    });
    expect([nth, outcome.isDoneBefore]).toEqual([nth, outcome.isReached]);
    if (!outcome.isReached) return outcome;
    expect((await store.read(beside))['resource']).toEqual({ ref: kept });
    expect((await store.read(below))['resource']).toEqual({ ref: gone });
    return outcome;
  });
});

test.each([
  ['that goes has', 'partner'],
  ['has with it', 'other'],
])('a save of one of those whose relation %s stands, before the merge or refused after it', async (_, which) => {
  await atEachStatement(async (nth) => {
    const [kept, gone, partner, other] = [await person(), await person(), await person(), await person()];
    await save(gone, friends(partner));
    await save(other, friends(gone));
    const saved = which === 'partner' ? partner : other;
    const id = (made += 1);
    const outcome = await beginAt(
      store.database,
      nth,
      (tx) => mergeIn(tx, id, 'agent', kept, gone),
      () =>
        save(saved, { dates_of_existence: [] }).catch((error: unknown) =>
          expect(error).toMatchObject({ code: 'unknown_reference' }),
        ),
    );
    expect(await relatedTo(kept)).toEqual([partner, other].toSorted());
    expect(await relatedTo(saved)).toEqual([kept]);
    return outcome;
  });
});

test.each([
  ['the one that goes', 'gone'],
  ['the one that stays', 'kept'],
])('a save of %s that drops its relation, begun beside a merge, is done or refused', async (_, which) => {
  await atEachStatement(async (nth) => {
    const [kept, gone, partner] = [await person(), await person(), await person()];
    await save(gone, friends(partner));
    await save(kept, friends(partner));
    const id = (made += 1);
    return beginAt(
      store.database,
      nth,
      (tx) => mergeIn(tx, id, 'agent', kept, gone),
      () =>
        save(which === 'gone' ? gone : kept, { related_agents: [] }).catch((error: unknown) =>
          expect(error).toMatchObject({ code: expect.stringMatching(/^(not_found|stale_record)$/) }),
        ),
    );
  });
});

test('a save of the one that stays that drops a relation which is given back', async () => {
  await atEachStatement(async (nth) => {
    const [kept, gone, partner] = [await person(), await person(), await person()];
    await save(gone, friends(partner));
    const id = await merge('agent', kept, gone);
    return undoBeside(id, nth, () =>
      save(kept, { related_agents: [] }).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'stale_record' }),
      ),
    );
  });
});
