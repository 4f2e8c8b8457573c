// What hangs on records becomes due as sets, nothing where nothing hangs, and the lag tells of it all.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { readIndexLag, writePace } from '#store/search/lag.ts';
import { appendDependents, fillLane } from '#store/search/pending.ts';
import type { Dependents } from '#store/search/pending.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { tidyHidden } from '#store/search/postgres/tidy-hidden.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
let agent: number;
let resource: number;
const series: number[] = [];
const files: number[] = [];

beforeAll(async () => {
  store = await openRecordStore();
  const person = await store.create('agent_person', personBody('Bilby, Bo'));
  agent = person.id;
  const root = await store.create(
    'resource',
    resourceBody('F1', { linked_agents: [{ ref: person.uri, role: 'creator' }] }),
  );
  resource = root.id;
  const component = (parent: string | null): Promise<{ readonly id: number; readonly uri: string }> =>
    store.create('archival_object', {
      title: 'Part',
      level: 'file',
      resource: { ref: root.uri },
      ...(parent === null ? {} : { parent: { ref: parent } }),
    });
  for (const _ of [1, 2]) {
    const upper = await component(null);
    series.push(upper.id);
    for (const __ of [1, 2, 3]) files.push((await component(upper.uri)).id);
  }
});
afterAll(() => store[Symbol.asyncDispose]());
beforeEach(async () => {
  await store.database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM reindex_fan`);
    await tx.run(sql`DELETE FROM reindex_due`);
    await tx.run(sql`DELETE FROM search_hidden`);
  });
  while ((await sequenceChanges(store.database)) > 0) continue;
  await store.database.transaction((tx) =>
    tx.run(
      sql`INSERT INTO follower (name, n) SELECT 'search', n FROM sequencer ON CONFLICT (name) DO UPDATE SET n = excluded.n`,
    ),
  );
});

const append = (all: readonly Dependents[]): Promise<void> =>
  store.database.transaction((tx) => appendDependents(tx, all));
const of = (way: 'sources' | 'below', kind: string, ids: readonly number[]): readonly Dependents[] =>
  ids.map((id) => ({ way, kind, id, repoId: kind === 'agent_person' ? null : store.repoId }));

const FanRow = z.strictObject({ way: column.text, kind: column.text, id: column.int, ids: column.ints });
const fans = (): Promise<readonly z.infer<typeof FanRow>[]> =>
  store.database.reader.any(sql.type(FanRow)`SELECT way, kind, id, ids FROM reindex_fan ORDER BY n`);
const DueRow = z.strictObject({ kind: column.text, id: column.int });
const due = (): Promise<readonly z.infer<typeof DueRow>[]> =>
  store.database.reader.any(sql.type(DueRow)`SELECT kind, id FROM reindex_due ORDER BY kind, id`);

it('notes nothing where nothing hangs, and all that is alike as one', async () => {
  await append([...of('sources', 'archival_object', files), ...of('below', 'archival_object', [...files, ...series])]);
  expect(await fans()).toEqual([{ way: 'below', kind: 'archival_object', id: 0, ids: series }]);
  await append(of('sources', 'agent_person', [agent]));
  expect((await fans()).at(-1)).toEqual({ way: 'sources', kind: 'agent_person', id: agent, ids: [] });
});

it('finds what hangs on a set, and on what is below it', async () => {
  await append([...of('below', 'archival_object', series), ...of('sources', 'agent_person', [agent])]);
  while (await fillLane(store.database, 1)) continue;
  expect(await due()).toEqual([
    ...files.toSorted((a, b) => a - b).map((id) => ({ kind: 'archival_object', id })),
    { kind: 'resource', id: resource },
  ]);
  await store.database.transaction((tx) => tx.run(sql`DELETE FROM reindex_due`));
  await append(of('below', 'resource', [resource]));
  while (await fillLane(store.database, 1)) continue;
  expect(await due()).toHaveLength(series.length + files.length);
});

it('passes on since when they wait, to the microsecond: the lag is as old as that', async () => {
  const at = '2026-11-26 01:02:03.456789+00';
  await append([...of('below', 'archival_object', series), ...of('sources', 'agent_person', [agent])]);
  await append(of('below', 'resource', [resource]));
  await store.database.transaction((tx) => tx.run(sql`UPDATE reindex_fan SET at = ${at}::timestamptz`));
  while (await fillLane(store.database, 1)) continue;
  const AtRow = z.strictObject({ isExact: column.bool });
  expect(
    await store.database.reader.any(
      sql.type(AtRow)`SELECT DISTINCT at = ${at}::timestamptz AS "isExact" FROM reindex_due`,
    ),
  ).toEqual([{ isExact: true }]);
});

it('does once what many wait to start', async () => {
  for (let n = 0; n < 5; n++) await append(of('sources', 'agent_person', [agent]));
  expect(await fans()).toHaveLength(5);
  expect(await fillLane(store.database, 1)).toBe(true);
  expect(await fans()).toEqual([]);
});

it('indexes once what a thousand batches name, and what is new to each batch by batches', async () => {
  const headings = Array.from({ length: 500 }, (_, n) => n + 1);
  // Each names ten containers of its own, too.
  const boxes = (n: number): readonly number[] => Array.from({ length: 10 }, (_, at) => 10 * n + at);
  await append(
    Array.from({ length: 1000 }, (_, n) => n).flatMap((n): readonly Dependents[] => [
      { way: 'ids', lane: 1, kind: 'subject', ids: headings },
      { way: 'ids', lane: 1, kind: 'top_container', ids: boxes(n) },
    ]),
  );
  let steps = 0;
  for (; await fillLane(store.database, 1); steps++) continue;
  // Every step is indexed before the next: each that named headings would index all of them again. The headings are one, ten thousand containers go by five thousand.
  expect(steps).toBeLessThanOrEqual(6);
  expect(await due()).toHaveLength(headings.length + 10_000);

  await store.database.transaction((tx) => tx.run(sql`DELETE FROM reindex_due`));
  const imported = (n: number): readonly number[] => Array.from({ length: 1000 }, (_, at) => 10_000 * n + at);
  await append(
    Array.from({ length: 20 }, (_, n) => ({ way: 'ids', lane: 1, kind: 'archival_object', ids: imported(n) })),
  );
  expect(await fillLane(store.database, 1)).toBe(true);
  expect(await due()).toHaveLength(5000);
});

it('counts what is still to be indexed whichever way it goes, and how long it waits', async () => {
  expect(await readIndexLag(store.database)).toMatchObject({ records: 0, waitingSeconds: 0, secondsLeft: 0 });
  await append([{ way: 'ids', lane: 1, kind: 'archival_object', ids: files }]);
  expect(await readIndexLag(store.database)).toMatchObject({ records: files.length, dependents: 1, secondsLeft: null });
  await store.database.transaction((tx) => tx.run(sql`UPDATE reindex_fan SET at = now() - interval '5 minutes'`));
  const waiting = await readIndexLag(store.database);
  expect(waiting.waitingSeconds).toBeGreaterThan(299);
  await fillLane(store.database, 1);
  const pending = await readIndexLag(store.database);
  expect(pending).toMatchObject({ records: files.length, pendingBulk: files.length });
  expect(pending.waitingSeconds).toBeGreaterThan(299);
  await append([...of('below', 'archival_object', series), ...of('sources', 'agent_person', [agent])]);
  await writePace(store.database, '7f0c5b3e-0000-4000-8000-000000000001', 100, 10);
  expect(await readIndexLag(store.database)).toMatchObject({
    records: 2 * files.length + 1,
    secondsLeft: (2 * files.length + 1) / 10,
  });
});

it('has what is left hidden looked at once more when all else is done', async () => {
  const hide = (kind: string, id: number, age: string): Promise<number> =>
    store.database.transaction((tx) =>
      tx.run(
        sql`INSERT INTO search_hidden (kind, id, reach, at, xid) VALUES (${kind}, ${id}, 'public', now() - ${age}::interval, '3')`,
      ),
    );
  await hide('archival_object', files[0] ?? 0, '1 minute');
  await hide('archival_object', files[1] ?? 0, '1 second');
  await hide('preference', 1, '1 second');
  await append(of('sources', 'agent_person', [agent]));
  await tidyHidden(store.database);
  expect(await fans()).toHaveLength(1);
  await store.database.transaction((tx) => tx.run(sql`DELETE FROM reindex_fan`));
  await tidyHidden(store.database);
  expect(await fans()).toEqual([{ way: 'ids', kind: 'archival_object', id: 0, ids: [files[0]] }]);
  expect(
    await store.database.reader.any(sql.type(DueRow)`SELECT kind, id FROM search_hidden WHERE kind = 'preference'`),
  ).toEqual([]);
});
