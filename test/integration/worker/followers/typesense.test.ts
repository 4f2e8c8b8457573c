// The indexer with a Typesense index beside PostgreSQL's: what is committed is found there, whatever fails on the way. The server is a stand-in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexedKinds } from '#domain/search/declared.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { enqueueAll } from '#store/search/pending.ts';
import type { OpenSearch } from '#store/search/open.ts';
import type { SearchMirror, Visibility } from '#store/search/port.ts';
import { kindNamed } from '#domain/addresses.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { startIndexer, untilIndexed } from '#test/support/indexer.ts';
import type { TestIndexer } from '#test/support/indexer.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openOnStandIn } from '#test/support/typesense/open.ts';
import { startTypesenseStandIn } from '#test/support/typesense/server.ts';
import type { StandIn } from '#test/support/typesense/server.ts';

const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
const publicUser: Visibility = { ...staff, mayNotSeeUnpublished: true };

let store: RecordStore;
let standIn: StandIn;
let index: OpenSearch;
let indexer: TestIndexer;
let earlier: string;

// How many batches end between what they wrote on the server and their commit, as by a kill.
let cutOff = 0;

const start = async (): Promise<TestIndexer> =>
  startIndexer(store.database, {
    batchSize: 50,
    mirror: {
      ...mirror(),
      write: async (tx, records) => {
        await mirror().write(tx, records);
        if (records.length > 0 && cutOff > 0) {
          cutOff -= 1;
          throw new Error('cut off');
        }
      },
    },
  });

function mirror(): SearchMirror {
  if (index.mirror === null) throw new Error('no mirror');
  return index.mirror;
}

beforeAll(async () => {
  store = await openRecordStore();
  standIn = await startTypesenseStandIn();
  index = openOnStandIn(store.database, standIn, 'muniment');
  // Indexed in PostgreSQL alone, before there was a second index.
  const alone = await startIndexer(store.database);
  earlier = (await store.create('resource', resourceBody('TS0', { title: 'Bettong papers', publish: true }))).uri;
  const repository = `/repositories/${store.repoId}`;
  await store.update(repository, { ...(await store.read(repository)), publish: true });
  await untilIndexed(store.database);
  await alone[Symbol.asyncDispose]();
  indexer = await start();
});
afterAll(async () => {
  await indexer[Symbol.asyncDispose]();
  await standIn[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function idsOf(parameters: Partial<SearchParameters>, visibility = staff): Promise<readonly string[]> {
  const request = buildSearchRequest({ page: 1, page_size: 250, ...parameters }, { now: Date.now() });
  return (await index.search.search(request, visibility)).hits.map(({ id }) => id);
}

const edit = async (uri: string, fields: object): Promise<void> =>
  void (await store.update(uri, { ...(await store.read(uri)), ...fields }));

describe('a change', () => {
  it('that was made before there was a second index is in it', async () => {
    // Until the index is made, searches are 503.
    await expect.poll(() => idsOf({ q: 'bettong' }, publicUser).catch(() => [])).toEqual([earlier]);
  });

  it('is found as soon as it is indexed, and what it was is not', async () => {
    const { uri } = await store.create('resource', resourceBody('TS1', { title: 'Quokka papers' }));
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'quokka' })).toEqual([uri]);
    await edit(uri, { title: 'Numbat papers' });
    await untilIndexed(store.database);
    expect([await idsOf({ q: 'quokka' }), await idsOf({ q: 'numbat' })]).toEqual([[], [uri]]);
    await store.remove(uri);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'numbat' })).toEqual([]);
  });

  it('of who sees what leaves nothing behind for the public', async () => {
    const { uri } = await store.create(
      'resource',
      resourceBody('TS2', {
        title: 'Potoroo',
        publish: true,
        notes: [
          {
            jsonmodel_type: 'note_multipart',
            type: 'processinfo',
            publish: false,
            subnotes: [{ jsonmodel_type: 'note_text', content: 'Whereabouts', publish: false }],
          },
        ],
      }),
    );
    await untilIndexed(store.database);
    expect([
      await idsOf({ q: 'potoroo' }, publicUser),
      await idsOf({ q: 'whereabouts' }, publicUser),
      await idsOf({ q: 'whereabouts' }),
    ]).toEqual([[uri], [], [uri]]);
    await edit(uri, { publish: false });
    await untilIndexed(store.database);
    expect([await idsOf({ q: 'potoroo' }, publicUser), await idsOf({ q: 'potoroo' })]).toEqual([[], [uri]]);
  });

  it('that suppresses hides at once, before the index hears of it', async () => {
    const { uri, id } = await store.create('resource', resourceBody('TS6', { title: 'Wambenger' }));
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'wambenger' })).toEqual([uri]);
    await store.database.transaction((tx) =>
      suppressRecord(tx, { kind: kindNamed('resource'), id, repoId: store.repoId, suppressed: true, actor: null }),
    );
    expect([await idsOf({ q: 'wambenger' }), await index.search.read([uri], staff)]).toEqual([[], []]);
    expect(await idsOf({ q: 'wambenger' }, { ...staff, seesSuppressed: [store.repoId] })).toEqual([uri]);
  });

  it('spreads to the documents that show it', async () => {
    const resource = await store.create('resource', resourceBody('TS3', { title: 'Kowari family' }));
    const file = await store.create('archival_object', {
      title: 'Letters',
      level: 'file',
      resource: { ref: resource.uri },
      publish: true,
    });
    await untilIndexed(store.database);
    expect([...(await idsOf({ q: 'kowari' }))].sort()).toEqual([resource.uri, file.uri].sort());
    await edit(resource.uri, { title: 'Mulgara family' });
    await untilIndexed(store.database);
    expect([await idsOf({ q: 'kowari' }), (await idsOf({ q: 'mulgara' })).length]).toEqual([[], 2]);
  });
});

describe('a server that fails', () => {
  it('loses no change: what it did not take is due again', async () => {
    standIn.fail(503, 9);
    const { uri } = await store.create('resource', resourceBody('TS4', { title: 'Dunnart papers' }));
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'dunnart' })).toEqual([uri]);
    expect(indexer.errors.splice(0)).toContainEqual(expect.objectContaining({ code: 'unavailable' }));
  });

  it('that refuses a document has the batch written again, and the fault told with its reason', async () => {
    indexer.errors.splice(0);
    standIn.refuseDocumentsWith('Phascogale');
    const { uri } = await store.create('resource', resourceBody('TS5', { title: 'Phascogale papers' }));
    await expect.poll(() => indexer.errors.length).toBeGreaterThan(0);
    expect(await idsOf({ q: 'phascogale' })).toEqual([]);
    standIn.refuseDocumentsWith(null);
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'phascogale' })).toEqual([uri]);
    expect(indexer.errors[0]).toMatchObject({
      message: 'The search index did not take all documents',
      cause: {
        message: expect.stringMatching(
          /^Typesense took 0 of 1 documents; the first it refused: .*Field `title_sort` must be a string\./,
        ),
      },
    });
  });

  it('answers searches with 503', async () => {
    standIn.fail(0, 4);
    await expect(idsOf({ q: 'dunnart' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a batch that is cut off before its commit', () => {
  it('is written again, to the same effect', async () => {
    cutOff = 2;
    const { uri } = await store.create('resource', resourceBody('TS7', { title: 'Ningaui papers' }));
    await untilIndexed(store.database);
    expect([cutOff, await idsOf({ q: 'ningaui' })]).toEqual([0, [uri]]);
  });

  it('leaves nothing of a record that is deleted next', async () => {
    cutOff = 1000;
    const { uri } = await store.create('resource', resourceBody('TS8', { title: 'Antechinus papers' }));
    await expect.poll(() => idsOf({ q: 'antechinus' })).toEqual([uri]);
    await store.remove(uri);
    cutOff = 0;
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'antechinus' })).toEqual([]);
  });
});

describe('an index made anew', () => {
  it('is not put in the place of one that has more documents', async () => {
    const live = standIn.collection('muniment');
    expect(await mirror().beginRebuild(99)).toMatchObject({ isNew: true });
    expect(await mirror().beginRebuild(99)).toMatchObject({ isNew: false });
    await expect(mirror().finishRebuild(store.database, 99)).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('the old one stays'),
    });
    expect(standIn.collection('muniment')).toBe(live);
    // Another job begins its own, and the one that was left goes.
    expect(await mirror().beginRebuild(100)).toMatchObject({ isNew: true });
    expect(standIn.collectionNames).toHaveLength(2);
  });

  it('gets what is written meanwhile, as the live one does', async () => {
    const { uri } = await store.create('resource', resourceBody('TS9', { title: 'Planigale papers' }));
    await untilIndexed(store.database);
    expect(await idsOf({ q: 'planigale' })).toEqual([uri]);
    expect(standIn.collection('muniment_next')?.documents.map((document) => document['doc_id'])).toContain(uri);
    await store.database.transaction((tx) => enqueueAll(tx, [...indexedKinds], null));
    await untilIndexed(store.database);
    await mirror().finishRebuild(store.database, 100);
    expect([standIn.collectionNames.length, await idsOf({ q: 'planigale' })]).toEqual([1, [uri]]);
  });
});

describe('a facet', () => {
  it('that the new index has nothing of is empty, also for who knew it from the old one', async () => {
    const counts = async (): Promise<unknown> =>
      (
        await index.search.search(
          buildSearchRequest({ page: 1, facet: ['acquisition_type'], facet_mincount: 1 }, { now: Date.now() }),
          staff,
        )
      ).facets;
    const gift = await store.create('accession', {
      id_0: 'TSF',
      title: 'A gift',
      accession_date: '2020-01-01',
      acquisition_type: 'gift',
    });
    await untilIndexed(store.database);
    expect(await counts()).toEqual([{ field: 'acquisition_type', counts: [['gift', 1]] }]);
    await store.remove(gift.uri);
    await mirror().beginRebuild(101);
    await store.database.transaction((tx) => enqueueAll(tx, [...indexedKinds], null));
    await untilIndexed(store.database);
    await mirror().finishRebuild(store.database, 101);
    expect(await counts()).toEqual([{ field: 'acquisition_type', counts: [] }]);
  });
});

describe('two indexers', () => {
  it('make one index, and a second start finds it', async () => {
    const before = standIn.collectionNames;
    await indexer[Symbol.asyncDispose]();
    const [first, second] = await Promise.all([start(), start()]);
    await untilIndexed(store.database);
    await first[Symbol.asyncDispose]();
    indexer = second;
    expect(standIn.collectionNames).toEqual(before);
    expect(before).toHaveLength(1);
  });
});
