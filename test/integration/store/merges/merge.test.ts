// Merges in the store: what they cost, that no link is lost and none is left after an undo, and that half of one never shows.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { mergeRecords as declaration } from '#domain/jobs/merge-records.ts';
import { undoMerge as undoDeclaration } from '#domain/jobs/undo-merge.ts';
import type { JsonObject } from '#domain/json.ts';
import type { MergeWhat } from '#domain/merges/merges.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { moveRecords } from '#store/records/writing/move.ts';
import { beside } from '#test/support/lock-waits.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column, IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import type { Transaction } from '#store/connection/database.ts';
import { counting } from '#test/support/count-statements.ts';
import { outside } from '#test/support/outside.ts';
import { copyAccession, mergedState } from '#test/support/merge-state.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { handler } from '../../../../apps/worker/jobs/merge-records.ts';
import { handler as undoHandler } from '../../../../apps/worker/jobs/undo-merge.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { amount } from '#test/support/long.ts';

let store: RecordStore;
let made = 0;
let mergeId = 1_000_000;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect(await checkTrees(store.database.reader)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

const person = async (): Promise<string> =>
  (await store.create('agent_person', personBody(`Person ${(made += 1)}`))).uri;
const accession = async (more: JsonObject = {}): Promise<string> =>
  (await store.create('accession', { id_0: `A${(made += 1)}`, accession_date: '2020-01-01', ...more })).uri;

/** Many accessions at once, each linked to an agent. */
const accessions = async (count: number, agent: string): Promise<void> =>
  copyAccession(store.database, await accession({ linked_agents: [{ ref: agent, role: 'creator' }] }), count);

/** Merges in a transaction of the caller, under the next number. */
async function mergeIn(
  tx: Transaction,
  what: MergeWhat,
  kept: string,
  gone: readonly string[],
  repoId: number | null,
  beforeTrees?: (moved: number) => Promise<void>,
): Promise<number> {
  const enumerations = await EnumerationCache.load(tx);
  return mergeRecords(
    tx,
    {
      id: (mergeId += 1),
      what,
      records: toMergeRecords(what, kept, gone, repoId),
      actor: 'tester',
      agentUri: null,
      selections: null,
    },
    { at: '2026-01-01T00:00:00Z', generatedValues, enumerations },
    beforeTrees,
  );
}

const merge = (
  what: MergeWhat,
  kept: string,
  gone: readonly string[],
  repoId: number | null = null,
): Promise<{ readonly id: number; readonly statements: number; readonly moved: number }> =>
  store.database.transaction(async (tx) => {
    const counted = counting(tx);
    const moved = await mergeIn(counted.tx, what, kept, gone, repoId);
    return { id: mergeId, statements: counted.count(), moved };
  });

async function undo(id: number): Promise<number> {
  return store.database.transaction(async (tx) => {
    const counted = counting(tx);
    await undoMerge(counted.tx, id, 'tester');
    return counted.count();
  });
}

const state = (): Promise<unknown> => mergedState(store.database);

test('merges an agent of a thousand links in as many statements as one of ten, and undoes it so', async () => {
  const spent = [];
  for (const count of [10, 1000]) {
    const [kept, gone] = [await person(), await person()];
    await accessions(count, gone);
    const before = await state();
    const { id, statements, moved } = await merge('agent', kept, [gone]);
    expect(moved).toBe(count);
    spent.push([statements, await undo(id)]);
    expect(await state()).toEqual(before);
  }
  expect(spent[1]).toEqual(spent[0]);
});

test('merges a resource of three hundred components in as many statements as one of three', async () => {
  const spent = [];
  for (const count of [3, 300]) {
    const [kept, gone] = [
      await store.create('resource', resourceBody(`R${(made += 1)}`)),
      await store.create('resource', resourceBody(`R${(made += 1)}`)),
    ];
    const top = await store.create('archival_object', { title: 'top', level: 'series', resource: { ref: gone.uri } });
    for (let i = 1; i < count; i++)
      await store.create('archival_object', {
        title: `c${i}`,
        level: 'file',
        resource: { ref: gone.uri },
        parent: { ref: top.uri },
      });
    spent.push((await merge('resource', kept.uri, [gone.uri], store.repoId)).statements);
  }
  expect(spent[1]).toBe(spent[0]);
});

const LinkRow = z.strictObject({
  source: column.text,
  property: column.text,
  role: column.maybeText,
  target: column.text,
});
type LinkRow = z.infer<typeof LinkRow>;
const linkRows = async (): Promise<readonly LinkRow[]> =>
  store.database.reader.any(sql.type(LinkRow)`
  SELECT source_kind || ' ' || source_id AS source, property, role, target_kind || ' ' || target_id AS target FROM link WHERE mutual IS NULL ORDER BY source_kind, source_id, ordinal`);

test('loses no link and leaves none: over random links, a merge and its undo', async () => {
  const roles = ['creator', 'source', 'subject'];
  const holder = fc.array(fc.tuple(fc.nat(3), fc.nat(2)), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(holder, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 3 }),
      fc.boolean(),
      async (holders, relations, nested) => {
        const agents = [await person(), await person(), await person(), await person()];
        const agentAt = (index: number): string => agents[index] ?? '';
        for (const links of holders) {
          const refs = links.map(([agent, role]) => ({ ref: agentAt(agent), role: roles[role] ?? 'creator' }));
          const rights = refs.map(({ ref }) => ({ ref, role: 'rights_holder' }));
          await accession({
            linked_agents: refs,
            ...(nested
              ? {
                  rights_statements: [
                    {
                      rights_type: 'copyright',
                      status: 'copyrighted',
                      jurisdiction: 'US',
                      start_date: '2000-01-01',
                      linked_agents: rights,
                    },
                  ],
                }
              : {}),
          });
        }
        for (const [from, to] of relations) {
          if (from === to) continue;
          const body = await store.read(agentAt(from));
          const related = Array.isArray(body['related_agents']) ? body['related_agents'] : [];
          await store.update(agentAt(from), {
            ...body,
            related_agents: [
              ...related,
              { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: agentAt(to) },
            ],
          });
        }
        const [kept = '', ...gone] = agents.slice(0, 3);
        const name = (uri: string): string => uri.replace('/agents/people/', 'agent_person ');
        const [before, rowsBefore] = [await state(), await linkRows()];
        const { id } = await merge('agent', kept, gone);
        // The same records name the survivor at the same properties in the same roles as named any of the three, and others are as they were.
        const rename = (row: LinkRow): string =>
          JSON.stringify({ ...row, target: gone.map(name).includes(row.target) ? name(kept) : row.target });
        expect([...new Set((await linkRows()).map((row) => JSON.stringify(row)))].toSorted()).toEqual(
          [...new Set(rowsBefore.filter((row) => !gone.map(name).includes(row.source)).map(rename))].toSorted(),
        );
        // Rows and bodies tell the same.
        const bodies = await store.database.reader.any(sql.type(
          z.strictObject({ refs: column.int, links: column.int }),
        )`
      SELECT (SELECT count(*) FROM regexp_matches(r.body::text, '"ref":"/agents/', 'g'))::int AS refs, (SELECT count(*) FROM link l WHERE l.source_kind = r.kind AND l.source_id = r.id AND l.target_kind LIKE 'agent%')::int AS links FROM record r WHERE r.kind = 'accession'`);
        expect(bodies.filter((row) => row.refs !== row.links)).toEqual([]);
        const others = await store.database.reader.any(sql.type(AnyRow)`
          SELECT source_id FROM link WHERE mutual IS NOT NULL AND ((source_kind = 'agent_person' AND source_id = ANY(${sql.array(
            gone.map((uri) => parseUri(uri)?.id ?? 0),
            'int4',
          )})) OR (target_kind = 'agent_person' AND target_id = ANY(${sql.array(
            gone.map((uri) => parseUri(uri)?.id ?? 0),
            'int4',
          )})))`);
        expect(others).toEqual([]);
        await undo(id);
        expect(await state()).toEqual(before);
      },
    ),
    { numRuns: amount(6, 50) },
  );
});

test('killed before its end, leaves everything as it was; run again, is done once; a second one finds nothing to merge', async () => {
  const [kept, gone] = [await person(), await person()];
  await accessions(5, gone);
  const payload = {
    what: 'agent' as const,
    repoId: null,
    destination: kept,
    candidates: [gone],
    selections: null,
    actor: 'tester',
    agentUri: null,
  };
  const before = await state();
  await expect(killedOnce(store.database, declaration, handler, payload)).rejects.toThrow('killed');
  expect(await state()).toEqual(before);
  expect(await runHandler(store.database, declaration, handler, payload)).toEqual({ links: 5 });
  const after = await state();
  await expect(runHandler(store.database, declaration, handler, payload)).rejects.toMatchObject({ code: 'not_found' });
  expect(await state()).toEqual(after);

  const done = await store.database.reader.one(sql.type(IdRow)`SELECT id FROM merge ORDER BY at DESC LIMIT 1`);
  const undoing = { mergeId: done.id, repoId: null, actor: 'tester' };
  await expect(killedOnce(store.database, undoDeclaration, undoHandler, undoing)).rejects.toThrow('killed');
  expect(await state()).toEqual(after);
  expect(await runHandler(store.database, undoDeclaration, undoHandler, undoing)).toEqual({
    survivor: kept,
    restored: [gone],
  });
  expect(await state()).toEqual(before);
  await expect(runHandler(store.database, undoDeclaration, undoHandler, undoing)).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('holds up no reader, and lets a save of a linked record through that waits for it', async () => {
  const [kept, gone] = [await person(), await person()];
  const uri = await accession({ linked_agents: [{ ref: gone, role: 'creator' }] });
  const body = await store.read(uri);
  const saved = await beside(
    store.database,
    (tx) => mergeIn(tx, 'agent', kept, [gone], null),
    async () => {
      expect((await store.read(uri))['linked_agents']).toMatchObject([{ ref: gone }]);
      expect((await store.read(gone))['uri']).toBe(gone);
      return store.update(uri, { ...body, title: 'saved', linked_agents: [] });
    },
  );
  expect(saved.lockVersion).toBe(1);
  expect(await store.read(uri)).toMatchObject({ title: 'saved', linked_agents: [] });
});

test('leaves no ref to what is deleted beside it, though the record that stays took the link over', async () => {
  const creator = await person();
  const kept = await store.create('resource', resourceBody(`R${(made += 1)}`));
  const gone = await store.create(
    'resource',
    resourceBody(`R${(made += 1)}`, { linked_agents: [{ ref: creator, role: 'creator' }] }),
  );
  await beside(
    store.database,
    (tx) => mergeIn(tx, 'resource', kept.uri, [gone.uri], store.repoId),
    () => store.remove(creator),
  );
  expect((await store.read(kept.uri))['linked_agents']).toEqual([]);
});

test('has written all else when it takes the trees, and holds them for few statements', async () => {
  const kept = await store.create('resource', resourceBody(`R${(made += 1)}`));
  const gone = await store.create('resource', resourceBody(`R${(made += 1)}`));
  const component = { level: 'file', title: 'N' };
  const top = await store.create('archival_object', { ...component, resource: { ref: gone.uri } });
  const told: number[] = [];
  const held = await store.database.transaction(async (tx) => {
    const counted = counting(tx);
    let before = 0;
    await mergeIn(counted.tx, 'resource', kept.uri, [gone.uri], store.repoId, async (moved) => {
      told.push(moved);
      before = counted.count();
      // Who would add to what goes waits for its record; who works within it does not wait for its tree yet.
      await outside(async () => {
        await store.database.transaction((other) =>
          moveRecords(
            other,
            kindNamed('archival_object'),
            store.repoId,
            gone.id,
            { parentId: null, position: 0, ids: [top.id] },
            'tester',
          ),
        );
      });
    });
    return counted.count() - before;
  });
  expect(told).toEqual([0]);
  expect(held).toBeLessThanOrEqual(6);
  expect((await store.read(top.uri))['resource']).toEqual({ ref: kept.uri });
});

test('takes a component along that is moved up to the top of its resource beside it', async () => {
  const kept = await store.create('resource', resourceBody(`R${(made += 1)}`));
  const gone = await store.create('resource', resourceBody(`R${(made += 1)}`));
  const component = { level: 'file', resource: { ref: gone.uri } };
  const top = await store.create('archival_object', { ...component, title: 'top' });
  const child = await store.create('archival_object', { ...component, title: 'child', parent: { ref: top.uri } });
  await beside(
    store.database,
    (tx) =>
      moveRecords(
        tx,
        kindNamed('archival_object'),
        store.repoId,
        gone.id,
        { parentId: null, position: null, ids: [child.id] },
        'tester',
      ),
    () => merge('resource', kept.uri, [gone.uri], store.repoId),
  );
  for (const { uri } of [top, child]) expect((await store.read(uri))['resource']).toEqual({ ref: kept.uri });
  await undo(mergeId);
  for (const { uri } of [top, child]) expect((await store.read(uri))['resource']).toEqual({ ref: gone.uri });
});

test('finds refs alone, not texts that look like one', async () => {
  const [kept, gone] = [await person(), await person()];
  const text = `"ref":"${gone}" and ${gone}`;
  const uri = await accession({ title: gone, general_note: text, linked_agents: [{ ref: gone, role: 'creator' }] });
  await merge('agent', kept, [gone]);
  expect(await store.read(uri)).toMatchObject({ title: gone, general_note: text, linked_agents: [{ ref: kept }] });
});
