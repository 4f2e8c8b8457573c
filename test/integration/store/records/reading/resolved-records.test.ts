// What refs were resolved to, kept while a tree is read.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { resolveRefs } from '#store/records/reading/resolve.ts';
import type { ResolveTree } from '#store/records/reading/resolve-tree.ts';
import { parseResolve } from '#store/records/reading/resolve-tree.ts';
import { ResolvedRecords } from '#store/records/reading/resolved-records.ts';
import { openRecordStore, personBody } from '../../../../support/records.ts';
import type { RecordStore } from '../../../../support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const viewer = { seesSuppressed: false, mayView: (): boolean => true };
const isKeptOf = (known: ResolvedRecords, ref: string, below: ResolveTree): boolean =>
  known.fill([{ holder: { ref }, below }]).length === 0;
const link = (ref: string): JsonObject => ({ linked_agents: [{ ref, role: 'creator' }] });

test('reads and parses a record once, and anew after ten seconds', async () => {
  const { uri } = await store.create('agent_person', personBody('Anna'));
  const [tree, known] = [parseResolve(['linked_agents']), new ResolvedRecords()];
  const resolved = async (): Promise<unknown> => {
    const record = link(uri);
    await resolveRefs(store.database.reader, [record], tree, viewer, known);
    return (record['linked_agents'] as unknown as readonly { readonly _resolved?: unknown }[])[0]?._resolved;
  };
  const first = await resolved();
  expect(first).toMatchObject({ title: 'Anna' });
  expect(await resolved()).toBe(first);
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 10_001);
  const later = await resolved();
  clock.mockRestore();
  expect(later).not.toBe(first);
  expect(later).toEqual(first);
});

test('keeps some eight million characters, the newest', () => {
  const [below, known] = [{}, new ResolvedRecords()];
  for (let n = 0; n < 100; n++) known.keep(below, `/agents/people/${n}`, { n }, 200_000);
  const isKept = Array.from({ length: 100 }, (_, n) => isKeptOf(known, `/agents/people/${n}`, below));
  const count = isKept.filter(Boolean).length;
  expect(count).toBeGreaterThan(19);
  expect(count).toBeLessThanOrEqual(40);
  expect(isKept.lastIndexOf(false)).toBe(99 - count);
});

test('keeps apart what has something else resolved below it', () => {
  const [below, other, known] = [{}, {}, new ResolvedRecords()];
  known.keep(below, '/agents/people/1', {}, 10);
  const holders = [below, other].map((each) => ({ holder: { ref: '/agents/people/1' }, below: each }));
  expect(known.fill(holders)).toEqual([holders[1]]);
  expect(holders.map(({ holder }) => holder)).toEqual([
    { ref: '/agents/people/1', _resolved: {} },
    { ref: '/agents/people/1' },
  ]);
});
