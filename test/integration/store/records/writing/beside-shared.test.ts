// Locations, profiles, subjects, classifications and digital objects: what is deleted while others save what uses it, or make it, begun at the statements of each in turn. Nobody waits in a circle, and nothing refers to what is gone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { deleteNamed, readNamed } from '#store/records/deleting/batch-delete.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { lockBodies, replaceMany } from '#store/records/writing/write-many.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { isLong } from '#test/support/long.ts';
import { addressOf, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../../apps/generated-values.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
  await store.create('vocabulary', { name: 'V', ref_id: 'v' });
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

type World = { readonly [name: string]: string };
const isAt = (ref: string): JsonObject => ({ status: 'current', start_date: '2020-01-01', ref });
const shows = (ref: string): JsonObject => ({
  instances: [{ instance_type: 'digital_object', digital_object: { ref } }],
});

/** A container of a profile at a place of a profile, beside an empty place; an accession with a subject; a classification with a term, to which a resource and a digital object are linked, of which the resource shows the other. */
async function world(): Promise<World> {
  const n = make.next();
  return store.database.transaction(async (tx) => {
    const create = async (kind: string, body: object): Promise<string> =>
      (await store.createIn(tx, kind, { ...body })).uri;
    const measures = { dimension_units: 'inches', depth: '1', width: '2', height: '3' };
    const shelfProfile = await create('location_profile', { name: `LP${n}`, ...measures });
    const boxProfile = await create('container_profile', { name: `CP${n}`, extent_dimension: 'width', ...measures });
    const shelf = await create('location', {
      building: `B${n}`,
      barcode: `s${n}`,
      location_profile: { ref: shelfProfile },
    });
    const empty = await create('location', {
      building: `B${n}`,
      barcode: `e${n}`,
      location_profile: { ref: shelfProfile },
    });
    const box = await create('top_container', {
      indicator: n,
      barcode: `b${n}`,
      container_profile: { ref: boxProfile },
      container_locations: [isAt(shelf)],
    });
    const term = { jsonmodel_type: 'term', term: `T${n}`, term_type: 'topical', vocabulary: '/vocabularies/1' };
    const subject = await create('subject', { source: 'local', vocabulary: '/vocabularies/1', terms: [term] });
    const accession = await create('accession', {
      id_0: `A${n}`,
      accession_date: '2020-01-01',
      subjects: [{ ref: subject }],
    });
    const scheme = await create('classification', { identifier: `K${n}`, title: 'K' });
    const group = await create('classification_term', {
      identifier: `t${n}`,
      title: 't',
      classification: { ref: scheme },
    });
    const object = await create('digital_object', {
      title: 'D',
      digital_object_id: `D${n}`,
      subjects: [{ ref: subject }],
      classifications: [{ ref: group }],
    });
    const page = await create('digital_object_component', { title: 'p', digital_object: { ref: object } });
    const resource = await create(
      'resource',
      resourceBody(`R${n}`, { classifications: [{ ref: scheme }, { ref: group }], ...shows(object) }),
    );
    return {
      n,
      shelfProfile,
      boxProfile,
      shelf,
      empty,
      box,
      subject,
      accession,
      scheme,
      group,
      object,
      page,
      resource,
    };
  });
}

type Work = (all: World) => Promise<(tx: Transaction) => Promise<unknown>>;
const deleting =
  (...names: readonly string[]): Work =>
  async (all) =>
  async (tx) => {
    const [refused] = await deleteNamed(
      tx,
      names.flatMap((name) => readNamed(all[name] ?? '') ?? []),
      'tester',
    );
    if (refused !== undefined) throw refused.failure;
  };
const saving =
  (name: string, change: (all: World) => JsonObject = () => ({})): Work =>
  (all) =>
    make.saving(all[name] ?? '', change(all));
const making =
  (kind: string, body: (all: World) => JsonObject): Work =>
  async (all) =>
  (tx) =>
    store.createIn(tx, kind, body(all));
/** As routes for many containers do it. */
const rehousing: Work = async (all) => async (tx) => {
  const kind = kindNamed('top_container');
  const { id } = addressOf(all['box'] ?? '');
  const old = (await lockBodies(tx, kind, [id], store.repoId)).get(id) ?? {};
  const link = {
    uri: all['empty'] ?? '',
    path: 'container_locations/0',
    property: 'container_locations',
    targetKind: 'location',
    targetId: addressOf(all['empty'] ?? '').id,
    targetRepoId: null,
    role: null,
    mutual: null,
    ref: null,
  };
  const body = { ...old, container_profile: undefined, container_locations: [isAt(all['empty'] ?? '')] };
  await replaceMany(
    tx,
    kind,
    [{ id, old, prepared: { body, links: [link], newEnumerationValues: [], warnings: {} } }],
    { actor: 'tester', repoId: store.repoId, generatedValues },
  );
};
const publishing =
  (name: string): Work =>
  async (all) =>
  (tx) =>
    publishRecord(tx, { ...addressOf(all[name] ?? ''), publish: true, seesSuppressed: true, actor: 'tester' });
const suppressing =
  (name: string): Work =>
  async (all) =>
  (tx) =>
    suppressRecord(tx, { ...addressOf(all[name] ?? ''), suppressed: true, actor: 'tester' });

const atEmpty = (all: World): JsonObject => ({ container_locations: [isAt(all['empty'] ?? '')] });
const classed =
  (...names: readonly string[]) =>
  (all: World): JsonObject => ({ classifications: names.map((name) => ({ ref: all[name] })) });

type Pair = readonly [string, string, Work, Work];
const pairs: readonly Pair[] = [
  ['a place is deleted', 'a container comes to it', deleting('empty'), saving('box', atEmpty)],
  [
    'a place is deleted',
    'a container is made at it',
    deleting('empty'),
    making('top_container', (all) => ({ indicator: 'x', ...atEmpty(all) })),
  ],
  ['a place is deleted', 'containers come to it together', deleting('empty'), rehousing],
  ['the place of a container is deleted', 'it leaves it', deleting('shelf'), saving('box', atEmpty)],
  ['a place and a container are deleted', 'the container leaves it', deleting('box', 'shelf'), saving('box', atEmpty)],
  [
    'a profile of places is deleted',
    'one of them is saved',
    deleting('shelfProfile'),
    saving('shelf', () => ({ floor: '1' })),
  ],
  ['a profile of containers is deleted', 'one of them is saved', deleting('boxProfile'), saving('box')],
  ['a profile of containers is deleted', 'containers leave it together', deleting('boxProfile'), rehousing],
  [
    'both profiles are deleted',
    'the container leaves its place',
    deleting('boxProfile', 'shelfProfile'),
    saving('box', atEmpty),
  ],
  ['a subject is deleted', 'an accession that has it is saved', deleting('subject'), saving('accession')],
  ['a subject is deleted', 'it is saved', deleting('subject'), saving('subject', () => ({ scope_note: 'x' }))],
  ['a subject is deleted', 'the digital object that has it is deleted', deleting('subject'), deleting('object')],
  [
    'a subject is deleted',
    'another of its term is made',
    deleting('subject'),
    making('subject', (all) => ({
      source: 'lcsh',
      vocabulary: '/vocabularies/1',
      terms: [{ jsonmodel_type: 'term', term: `T${all['n']}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    })),
  ],
  ['a classification is deleted', 'a resource that is in it is saved', deleting('scheme'), saving('resource')],
  ['a classification is deleted', 'a resource leaves it', deleting('scheme'), saving('resource', classed())],
  [
    'a classification is deleted',
    'a digital object comes to it',
    deleting('scheme'),
    saving('object', classed('scheme', 'group')),
  ],
  [
    'a classification is deleted',
    'it gets a term',
    deleting('scheme'),
    making('classification_term', (all) => ({
      identifier: 'new',
      title: 'new',
      classification: { ref: all['scheme'] ?? '' },
    })),
  ],
  ['a classification is deleted', 'the resource in it is deleted', deleting('scheme'), deleting('resource')],
  [
    'a classification is deleted',
    'it lists what is in it anew',
    deleting('scheme'),
    saving('scheme', (all) => ({ linked_records: [{ ref: all['object'] ?? '' }] })),
  ],
  ['a term is deleted', 'a resource leaves it', deleting('group'), saving('resource', classed('scheme'))],
  ['a term is deleted', 'its classification is saved', deleting('group'), saving('scheme', () => ({ title: 'Saved' }))],
  [
    'a term is saved with what is in it',
    'a resource leaves it',
    saving('group', (all) => ({ linked_records: [{ ref: all['resource'] ?? '' }] })),
    saving('resource', classed('scheme')),
  ],
  ['a digital object is deleted', 'a resource that shows it is saved', deleting('object'), saving('resource')],
  [
    'a digital object is deleted',
    'a component comes to show it',
    deleting('object'),
    making('archival_object', (all) => ({
      title: 'c',
      level: 'file',
      resource: { ref: all['resource'] ?? '' },
      ...shows(all['object'] ?? ''),
    })),
  ],
  [
    'a digital object is deleted',
    'it gets a page',
    deleting('object'),
    making('digital_object_component', (all) => ({ title: 'q', digital_object: { ref: all['object'] ?? '' } })),
  ],
  ['a digital object is deleted', 'its page is saved', deleting('object'), saving('page', () => ({ title: 'Saved' }))],
  ['a digital object is deleted', 'it is published', deleting('object'), publishing('object')],
  ['a digital object is suppressed', 'a resource that shows it is saved', suppressing('object'), saving('resource')],
  ['a digital object is suppressed', 'its page is deleted', suppressing('object'), deleting('page')],
  ['a page is deleted', 'its digital object is saved', deleting('page'), saving('object', classed())],
];

// None of them found anything.
test.each(isLong ? pairs : pairs.filter((_, index) => index % 7 === 1))('%s, and %s', async (_, __, one, other) => {
  await besideEachOther(
    store.database,
    async () => {
      const all = await world();
      return { one: await one(all), other: await other(all) };
    },
    { every: 6 },
  );
});
