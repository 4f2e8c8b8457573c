// What others write beside a load over an earlier one, begun at the statements of each in turn: nobody waits in a circle, the database stays sound, and what stays is told to nobody as gone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { listDeleted } from '#store/change-log/tombstones.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { transferRecord } from '#store/transfers/transfer.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { chunksOf } from '#test/support/batch.ts';
import { isLong } from '#test/support/long.ts';
import { addressOf, eventBody, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { sharedThreads } from '#test/support/threads.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { linesAsArray } from '../../../../apps/worker/loading/lines.ts';
import { loadRecords } from '../../../../apps/worker/loading/load.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
let agent = '';
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
  agent = (await store.create('agent_person', personBody('Archivist'))).uri;
  await load(
    [7, 8].map((id) => ({
      jsonmodel_type: 'repository',
      uri: `/repositories/${id}`,
      repo_code: `R${id}`,
      name: `R${id}`,
      agent_representation: { ref: agent },
    })),
  );
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

const loading =
  (lines: readonly object[], update: boolean) =>
  async (tx: Transaction): Promise<void> => {
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    await loadRecords(
      tx,
      {
        source: () => linesAsArray(chunksOf(text, 100_000)),
        sizeBytes: 0,
        intoFilled: true,
        update,
        overwrite: true,
        actor: 'loader',
        limit: 10,
      },
      { threads: await sharedThreads(), signal: new AbortController().signal, progress: () => undefined },
    );
  };
const load = (lines: readonly object[], update = false): Promise<void> =>
  store.database.transaction(loading(lines, update));

const R = '/repositories/7';
const line = (type: string, uri: string, body: object): object => ({ jsonmodel_type: type, uri, ...body });
const accessionBody = (n: number): JsonObject => ({ id_0: `A${n}`, accession_date: '2020-01-01' });
/** The addresses of what belongs to a number. */
const worldOf = (n: number) => ({
  n,
  // What the source changes.
  resource: `${R}/resources/${n}`,
  accession: `${R}/accessions/${n}`,
  file: `${R}/archival_objects/${n}`,
  // What it deletes.
  gone: `${R}/accessions/${n + 1}`,
  goneFile: `${R}/archival_objects/${n + 1}`,
  subject: `/subjects/${n}`,
  // What stays as it is.
  other: `${R}/resources/${n + 1}`,
  user: `${R}/accessions/${n + 2}`,
  kept: `${R}/archival_objects/${n + 2}`,
});
type World = ReturnType<typeof worldOf>;
const node = (all: World, uri: string, position: number, more: object = {}): object =>
  line('archival_object', uri, {
    title: `N${uri}`,
    ref_id: `ref${uri.split('/').at(-1)}`,
    level: 'file',
    resource: { ref: all.resource },
    position,
    ...more,
  });
const firstLines = (all: World): readonly object[] => [
  line('subject', all.subject, {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [
      {
        jsonmodel_type: 'term',
        uri: `/terms/${all.n}`,
        term: `T${all.n}`,
        term_type: 'topical',
        vocabulary: '/vocabularies/1',
      },
    ],
  }),
  line('accession', all.accession, accessionBody(all.n)),
  line('accession', all.gone, accessionBody(all.n + 1)),
  line('accession', all.user, { ...accessionBody(all.n + 2), subjects: [{ ref: all.subject }] }),
  line('resource', all.resource, {
    ...resourceBody(`R${all.n}`),
    related_accessions: [{ ref: all.accession }],
    subjects: [{ ref: all.subject }],
  }),
  line('resource', all.other, { ...resourceBody(`R${all.n + 1}`), related_accessions: [{ ref: all.gone }] }),
  node(all, all.file, 0),
  node(all, all.goneFile, 1),
  node(all, all.kept, 2),
];
const gone = (uri: string): object => ({ uri, at: null });
const changes = (all: World): readonly object[] => [
  line('accession', all.accession, { ...accessionBody(all.n), title: 'Theirs' }),
  line('resource', all.resource, {
    ...resourceBody(`R${all.n}`),
    title: 'Theirs',
    related_accessions: [{ ref: all.accession }],
  }),
  node(all, all.file, 0, { title: 'Theirs' }),
  ...[all.gone, all.goneFile, all.subject].map(gone),
];

const worldsAtOnce = 20;
let ready: World[] = [];
let made = 0;
/** The next of those that were loaded together. */
async function world(): Promise<World> {
  if (ready.length === 0) {
    ready = Array.from({ length: worldsAtOnce }, () => worldOf((made += 10) + 1000));
    await load(ready.flatMap(firstLines));
  }
  const next = ready.pop();
  if (next === undefined) throw new Error('no worlds');
  return next;
}

type Work = (all: World) => Promise<(tx: Transaction) => Promise<unknown>>;
const deleting =
  (name: keyof Omit<World, 'n'>): Work =>
  async (all) =>
    make.deleting(all[name]);
const saving =
  (name: keyof Omit<World, 'n'>, change: JsonObject = {}): Work =>
  (all) =>
    make.saving(all[name], change);
const linking =
  (name: keyof Omit<World, 'n'>): Work =>
  async (all) =>
  (tx) =>
    store.createIn(tx, 'event', eventBody(all[name], agent), 7);

const transferring: Work = async (all) => (tx) =>
  transferRecord(
    tx,
    kindNamed('resource'),
    addressOf(all.resource).id,
    { from: 7, to: 8, actor: 'tester' },
    { at: '2026-01-01T00:00:00Z', generatedValues },
  );

/** What the others may be refused for. Where nothing that they name is gone, that is for what has changed alone. */
const met: readonly (readonly [string, Work, readonly string[]])[] = [
  ['a save of a resource that it changes', saving('resource'), ['stale_record', 'unknown_reference']],
  ['a save of an accession that it changes', saving('accession'), ['stale_record']],
  ['a save of a component that it changes', saving('file'), ['stale_record']],
  ['a save of what links to a subject that goes', saving('user'), ['unknown_reference']],
  ['a save of what is related to an accession that goes', saving('other'), ['unknown_reference']],
  ['an event of an accession that it changes', linking('accession'), []],
  ['an event of a resource that it changes', linking('resource'), []],
  ['the transfer of the resource to another repository', transferring, ['conflict', 'not_found']],
];
const more: readonly (readonly [string, Work, readonly string[]])[] = [
  ['a save of a component beside them', saving('kept'), []],
  ['the deletion of an accession that it changes', deleting('accession'), ['not_found']],
  ['the deletion of the resource', deleting('resource'), ['not_found', 'conflict']],
  ['the deletion of a component that goes', deleting('goneFile'), ['not_found', 'conflict']],
  ['the deletion of a component beside them', deleting('kept'), ['conflict']],
  ['the deletion of what is related to an accession that goes', deleting('other'), []],
  [
    'the publishing of the resource',
    async (all) => (tx) =>
      publishRecord(tx, { ...addressOf(all.resource), publish: true, seesSuppressed: true, actor: 'tester' }),
    [],
  ],
  [
    'the suppression of an accession that it changes',
    async (all) => (tx) => suppressRecord(tx, { ...addressOf(all.accession), suppressed: true, actor: 'tester' }),
    [],
  ],
];

test('what was deleted here comes back with a change of the source, and is told of as deleted no longer', async () => {
  const all = await world();
  await store.remove(all.accession);
  await load(changes(all), true);
  expect((await store.read(all.accession))['title']).toBe('Theirs');
  const { uris } = await listDeleted(store.database.reader, { offset: 0, limit: 10_000, modifiedSince: 0 });
  expect(uris).not.toContain(all.accession);
  expect(uris).toContain(all.gone);
});

test('what went to another repository here is not brought back from what links to it there', async () => {
  const all = await world();
  await store.database.transaction(await transferring(all));
  await expect(load(changes(all), true)).rejects.toMatchObject({
    code: 'import_failed',
    error: {
      record_number: 2,
      errors: {
        repository: [expect.stringMatching(/^It went to another repository here, where .*events.* links to it$/)],
      },
    },
  });
});

test.each(isLong ? [...met, ...more] : met)('a load over an earlier one beside %s', async (_, other, refused) => {
  await besideEachOther(
    store.database,
    async () => {
      const all = await world();
      const work = await other(all);
      let code: unknown = null;
      return {
        one: loading(changes(all), true),
        other: (tx) =>
          work(tx).catch((error: unknown) => {
            code = Object(error).code;
            throw error;
          }),
        check: async () => expect([null, '40P01', ...refused]).toContain(code),
      };
    },
    { every: 12 },
  );
});
