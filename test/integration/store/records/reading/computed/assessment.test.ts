// The collections of an assessment are those of the records that its reader is shown.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const shown = async (uri: string, seesSuppressed: boolean): Promise<JsonObject> => {
  const { kind, id, repoId } = parseUri(uri) ?? { kind: '', id: 0, repoId: null };
  return JSON.parse((await readRecord(store.database.reader, kindNamed(kind), id, repoId, { seesSuppressed })).text);
};

it('names no suppressed collection to who may not know of it, as a component of it or by itself', async () => {
  const [hidden, open] = [
    await store.create('resource', resourceBody('HIDDEN')),
    await store.create('resource', resourceBody('OPEN')),
  ];
  const component = await store.create('archival_object', {
    title: 'Letters',
    level: 'file',
    resource: { ref: hidden.uri },
  });
  const { uri } = await store.create('assessment', {
    records: [component, hidden, open].map((record) => ({ ref: record.uri })),
    surveyed_by: [{ ref: (await store.create('agent_person', personBody('Surveyor'))).uri }],
    survey_begin: '2020-01-01',
  });
  const { id } = hidden;
  const suppressing = { kind: kindNamed('resource'), id, repoId: store.repoId, suppressed: true, actor: 'tester' };
  await store.database.transaction((tx) => suppressRecord(tx, suppressing));
  expect(await shown(uri, true)).toMatchObject({ collections: [{ ref: hidden.uri }, { ref: open.uri }] });
  expect(await shown(uri, false)).toMatchObject({ records: [{ ref: open.uri }], collections: [{ ref: open.uri }] });
});
