// What is hidden before documents tell of it: from whom, and for how long.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { column } from '#store/connection/columns.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import type { Visibility } from '#store/search/port.ts';
import { toScopeCondition, toVisibleCondition } from '#store/search/postgres/conditions.ts';
import { forgetHidden, readHidden } from '#store/search/postgres/hidden.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { kindNamed } from '#domain/addresses.ts';
import { nothingHidden } from '#test/support/index-contents.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';

const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
const visitor: Visibility = { ...staff, mayNotSeeUnpublished: true };

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const HiddenRow = z.strictObject({ kind: column.text, id: column.int, reach: column.text });
const hidden = (): Promise<readonly z.infer<typeof HiddenRow>[]> =>
  store.database.reader.any(sql.type(HiddenRow)`SELECT kind, id, reach FROM search_hidden ORDER BY kind, id, reach`);

it('asks nothing more of documents where nothing is hidden from the caller', async () => {
  await store.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
  const text = (visibility: Visibility, of = nothingHidden): string =>
    toStatement(sql`SELECT FROM search_doc d WHERE ${toVisibleCondition(visibility, of)}`);
  for (const visibility of [staff, visitor])
    expect(text(visibility)).toBe(
      toStatement(sql`SELECT FROM search_doc d WHERE ${toScopeCondition(visibility, nothingHidden)}`),
    );
  await store.database.transaction((tx) =>
    tx.run(sql`INSERT INTO search_hidden (kind, id, reach) VALUES ('resource', 999, 'public')`),
  );
  expect((await readHidden(store.database.reader, staff)).records).toBeNull();
  expect((await readHidden(store.database.reader, visitor)).records).not.toBeNull();
  await store.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
});

it('keeps what is hidden until a batch has read the record after it, by the position of the feed', async () => {
  const root = await store.create('resource', resourceBody('H1', { publish: true }));
  const part = await store.create('archival_object', {
    title: 'Part',
    level: 'file',
    publish: true,
    resource: { ref: root.uri },
  });
  while ((await sequenceChanges(store.database)) > 0) continue;
  const PositionRow = z.strictObject({ position: column.text });
  const position = async (): Promise<string> =>
    (await store.database.reader.one(sql.type(PositionRow)`SELECT position::text AS position FROM sequencer`)).position;
  const earlier = await position();
  await store.database.transaction((tx) =>
    publishRecord(tx, {
      kind: kindNamed('resource'),
      id: root.id,
      repoId: store.repoId,
      publish: false,
      seesSuppressed: true,
      actor: null,
    }),
  );
  const both = [
    { kind: 'archival_object', id: part.id, reach: 'public' },
    { kind: 'resource', id: root.id, reach: 'public' },
  ];
  expect(await hidden()).toEqual(both);
  const keys = both.map(({ kind, id }) => ({ kind, id }));
  await store.database.transaction((tx) => forgetHidden(tx, keys, earlier));
  expect(await hidden()).toEqual(both);
  while ((await sequenceChanges(store.database)) > 0) continue;
  const later = await position();
  await store.database.transaction((tx) => forgetHidden(tx, keys.slice(1), later));
  expect(await hidden()).toEqual(both.slice(0, 1));
  await store.database.transaction((tx) => forgetHidden(tx, keys, later));
  expect(await hidden()).toEqual([]);
});

it('notes nothing of records that are saved as they were, or made', async () => {
  const { uri } = await store.create('resource', resourceBody('H2', { publish: false }));
  await store.update(uri, { ...(await store.read(uri)), publish: true });
  expect(await hidden()).toEqual([]);
});
