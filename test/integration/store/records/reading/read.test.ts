// What is read of the harbour board's records: each as its GET answers it, with what other rows add; lists in every order; what search documents,
// exports and calculators are made of. Read beside the contract (behaviour-records 4.2 to 4.4) and the fixtures before it was kept.
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { readContainersByProfile, readDates, readDateSpan, requireCalculated } from '#store/calculators/read.ts';
import { linkedRecordsOf } from '#store/exports/linked-records.ts';
import { readDigitalTree, readExportRecord } from '#store/exports/read-record.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import { findByExternalId, findByIdentifiers, findBySlug, findKeysInUse } from '#store/identifiers/find.ts';
import { locationIdsIn, readBox, readShelves, readWhereabouts } from '#store/locations/shelf-space.ts';
import { listAllIds, listIdSet, listPage, sortFieldsOf } from '#store/records/reading/list.ts';
import { readManyRecords, readRecord, readRecords } from '#store/records/reading/read.ts';
import { parseResolve } from '#store/records/reading/resolve-tree.ts';
import { resolveRefs } from '#store/records/reading/resolve.ts';
import { readMaterial } from '#store/search/material.ts';
import { harbourRecords, replyOf } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';

const database = await loadHarbour();
const { reader } = database;
const repoId = 2;
const staff = { seesSuppressed: true, seesConfidential: true, seesUse: true, mayView: () => true } as const;

/** The ids of the board's records by kind; users and groups are those of the service. */
const wanted: ReadonlyMap<string, readonly number[]> = new Map(
  [...Map.groupBy(harbourRecords, ({ kind }) => kind.name)]
    .filter(([kind]) => kind !== 'user' && kind !== 'group')
    .map(([kind, records]) => [kind, records.map(({ uri }) => parseUri(uri)?.id ?? 0)]),
);

const texts = (found: ReadonlyMap<string, { readonly text: string }>): JsonObject =>
  Object.fromEntries(
    [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([uri, { text }]) => [uri, JSON.parse(text)]),
  );

/** The records as they were loaded: what is sent, and what replies of fixtures show besides. */
const loaded: JsonObject = Object.fromEntries(
  harbourRecords.flatMap((record) => (wanted.has(record.kind.name) ? [[record.uri, replyOf(record)]] : [])),
);

const saves = new Set(['lock_version', 'created_by', 'last_modified_by', 'create_time', 'system_mtime', 'user_mtime']);

/** Records without who saved their parts and when, which each part tells alike: a third of a text. */
const withoutSavesOfParts = (records: JsonObject): JsonObject =>
  JSON.parse(
    JSON.stringify(records, function (this: JsonObject, name, item: unknown) {
      return saves.has(name) && this['uri'] === undefined ? undefined : item;
    }),
  );

/** Records in short: those that were resolved by their uris, others by the names of their properties. */
const inShort = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, item: unknown) => {
      const record = item as JsonObject | null;
      if (name === '_resolved') return record?.['uri'];
      return name === 'record' && record?.['uri'] !== undefined ? Object.keys(record) : item;
    }),
  );

/** What is another in a record that somebody else reads, or reads otherwise: property by property, null where it is not shown. */
function othersThan(whole: JsonObject, other: JsonObject): JsonObject {
  const changed = Object.entries(whole).flatMap(([uri, record]) => {
    const [one, two] = [record as JsonObject, (other[uri] ?? {}) as JsonObject];
    const names = [...new Set([...Object.keys(one), ...Object.keys(two)])];
    const differing = names.filter((name) => !isDeepStrictEqual(one[name], two[name]));
    return differing.length === 0
      ? []
      : [[uri, Object.fromEntries(differing.map((name) => [name, two[name] ?? null]))] as const];
  });
  return Object.fromEntries(changed);
}

// Of what is long only that it is another.
const shortly = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? 'another' : text;
};

it('reads each record with all that other records add to it', async () => {
  const read = texts(await readRecords(reader, wanted, staff));
  await expectKept(keptText(othersThan(loaded, withoutSavesOfParts(read)), 3), 'reading/records.json');
});

it('reads them otherwise for who may see less, or asks for less, and the same one by one and many at once', async () => {
  const whole = texts(await readRecords(reader, wanted, staff));
  const asked = {
    'without use and contacts': { seesSuppressed: false },
    'as stored': { ...staff, seesPlain: true },
    'without saves': { ...staff, seesSaves: false },
    'in release R-A': { ...staff, release: 'R-A' },
  } as const;
  const differing: { [viewer: string]: JsonObject } = {};
  for (const [name, viewer] of Object.entries(asked))
    differing[name] = Object.fromEntries(
      Object.entries(othersThan(whole, texts(await readRecords(reader, wanted, viewer)))).map(([uri, record]) => [
        uri,
        Object.entries(record as JsonObject).map(([property, value]) => `${property}: ${shortly(value)}`),
      ]),
    );
  await expectKept(keptText(differing, 3), 'reading/viewers.json');
  expect(texts(await readManyRecords(reader, wanted, staff))).toEqual(whole);
  const single: { [uri: string]: unknown } = {};
  for (const [kind, ids] of wanted)
    for (const id of ids) {
      const { uri, text } = await readRecord(reader, kindNamed(kind), id, repoId, staff);
      single[uri] = JSON.parse(text);
    }
  expect(single).toEqual(whole);
});

it('finds no record in another repository, and none that is not there', async () => {
  for (const [id, where] of [
    [1, 3],
    [77, 2],
  ] as const)
    await expect(readRecord(reader, resource, id, where, staff)).rejects.toMatchObject({
      code: 'not_found',
      error: 'Resource not found',
    });
});

it('resolves refs by their names, by steps, and not where the caller may not look', async () => {
  const resolved = async (names: readonly string[], mayView: boolean): Promise<JsonObject> => {
    const { text } = await readRecord(reader, resource, 1, repoId, staff);
    const record: JsonObject = JSON.parse(text);
    await resolveRefs(reader, [record], parseResolve(names), { ...staff, mayView: () => mayView });
    return record;
  };
  const names = [
    'subjects',
    'linked_agents',
    'instances::sub_container::top_container',
    'top_container::container_locations',
    'classifications',
  ];
  const [plain, all, global] = [await resolved([], true), await resolved(names, true), await resolved(names, false)];
  await expectKept(
    keptText(
      {
        all: inShort(othersThan({ '': plain }, { '': all })),
        global: inShort(othersThan({ '': plain }, { '': global })),
      },
      4,
    ),
    'reading/resolved.json',
  );
});

it('lists the records of a kind in each order that it may be asked for', async () => {
  const orders: { [kind: string]: { [field: string]: unknown } } = {};
  for (const name of [
    'agent_corporate_entity',
    'archival_object',
    'accession',
    'top_container',
    'event',
    'location',
    'subject',
  ]) {
    const kind = kindNamed(name);
    const filter = { kind, repoId: kind.scope === 'repository' ? repoId : null, modifiedSince: 0, viewer: staff };
    for (const sortField of sortFieldsOf(kind)) {
      const ids = await listAllIds(reader, filter, { sortField, descending: false });
      const turned = await listAllIds(reader, filter, { sortField, descending: true });
      (orders[name] ??= {})[sortField] = [ids, turned];
    }
    for (const sortField of ['id', 'title']) {
      const ids = await listAllIds(reader, filter, { sortField, descending: false });
      const page = await listPage(reader, filter, { sortField, descending: true, offset: 1, limit: 1 });
      expect([page.total, page.records.map(({ row }) => row.id)]).toEqual([ids.length, ids.slice(0, 1)]);
      const chosen = await listIdSet(reader, filter, [...ids, 999], { sortField, descending: false });
      expect(chosen.map(({ row }) => row.id)).toEqual(ids);
    }
  }
  await expectKept(keptText(orders, 2), 'reading/orders.json');
});

it('lists those that were changed since a moment', async () => {
  const since = (modifiedSince: number): Promise<readonly number[]> =>
    listAllIds(reader, { kind: kindNamed('archival_object'), repoId, modifiedSince, viewer: staff });
  const changed = Date.UTC(2024, 5, 7, 8, 9, 10) / 1000;
  expect([await since(changed), await since(changed + 1)]).toEqual([[1, 2], []]);
});

it('reads what search documents are made of', async () => {
  const keys = [...wanted].flatMap(([kind, ids]) => ids.map((id) => ({ kind, id })));
  const { material, found } = await database.transaction((tx) =>
    readMaterial(tx, [...keys, { kind: 'resource', id: 99 }, { kind: 'odd', id: 1 }, { kind: 'repository', id: 1 }]),
  );
  expect([...found].toSorted()).toEqual(keys.map(({ kind, id }) => `${kind} ${id}`).toSorted());
  const { records, targets, labels, used, repositories } = material;
  const inOrder = <Entry extends readonly [unknown, ...unknown[]]>(entries: Iterable<Entry>): readonly Entry[] =>
    [...entries].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  await expectKept(
    keptText(
      {
        records: records.map(({ text, ...record }) => ({ uri: JSON.parse(text).uri, ...record })),
        targets: othersThan(
          loaded,
          withoutSavesOfParts(Object.fromEntries(inOrder(targets).map(([uri, text]) => [uri, JSON.parse(text)]))),
        ),
        labels: inOrder(labels),
        used: inOrder(used),
        repositories,
      },
      3,
    ),
    'reading/material.json',
  );
});

it('reads records for exports with the repository, trees node by node, and digital objects with their components', async () => {
  const refs = ['repository', 'agent_representation', 'linked_agents'];
  const options = { viewer: staff, resolve: ['subjects'], publishedOnly: false };
  const nodesOf = async (more: object): Promise<unknown> => {
    const { root, blocks, ...tree } = await exportTree(
      database,
      { kind: resource, repoId, id: 1 },
      { ...options, ...more },
    );
    const nodes: unknown[] = [];
    for await (const block of blocks) nodes.push(block);
    return { root, ...tree, outline: undefined, nodes };
  };
  const { record, repository } = await readExportRecord(reader, { kind: digitalObject, id: 1, repoId }, refs, staff);
  await expectKept(
    keptText(
      inShort({
        record,
        repository,
        digital: await readDigitalTree(database, 1, repoId, staff, { publishedOnly: false }),
        all: await nodesOf({ groups: ['series', 'file'] }),
        'behind the first, computed': await nodesOf({ after: 1, computed: true, blockSize: 1 }),
        published: await nodesOf({ publishedOnly: true }),
      }),
      3,
    ),
    'reading/exports.json',
  );
  await expect(nodesOf({ after: 99 })).rejects.toMatchObject({
    code: 'bad_parameter',
    error: { after: ['Must be the id of a record of the tree'] },
  });
});

it('reads which records name an agent, published ones alone where that is asked', async () => {
  const told = (publishedOnly: boolean, repositories: readonly number[] | 'all'): Promise<unknown> =>
    linkedRecordsOf(reader, 'agent_person', 1, { publishedOnly, repositories });
  await expectKept(
    keptText({ all: await told(false, 'all'), published: await told(true, [2]), elsewhere: await told(false, [3]) }, 2),
    'reading/linked-records.json',
  );
});

it('reads what the calculators count', async () => {
  const calculated = (kind: string) => requireCalculated(reader, { kind, id: 1, repoId, seesSuppressed: true });
  const kinds = ['resource', 'archival_object', 'accession'];
  const counted: { [kind: string]: unknown } = {};
  for (const kind of kinds) {
    const record = await calculated(kind);
    counted[kind] = {
      record,
      below: await readDates(reader, record, null, false),
      whole: await readDates(reader, record, null, true),
      span: await readDateSpan(reader, record, null, true),
      creation: await readDates(reader, record, 'creation', true),
      containers: await readContainersByProfile(reader, record),
    };
  }
  await expectKept(keptText(counted, 3), 'reading/calculated.json');
  await expect(
    requireCalculated(reader, { kind: 'resource', id: 1, repoId: 3, seesSuppressed: true }),
  ).rejects.toMatchObject({ code: 'not_found', error: 'Resource not found' });
});

it('finds records by what others call them', async () => {
  const found = (kind: string, conditions: Parameters<typeof findByIdentifiers>[3]) =>
    findByIdentifiers(reader, kind, repoId, conditions, staff);
  expect(await found('archival_object', [{ field: 'ref_id', values: ['ref_letters', 'ref_book3', ''] }])).toEqual([
    '/repositories/2/archival_objects/1',
    '/repositories/2/archival_objects/2',
  ]);
  expect(
    await found('archival_object', [
      { field: 'ref_id', values: ['ref_letters', 'ref_book3'] },
      { field: 'component_id', values: ['L.1/3'] },
    ]),
  ).toEqual(['/repositories/2/archival_objects/2']);
  expect(await found('archival_object', [])).toEqual([]);
  expect(await found('archival_object', [{ field: 'component_id', values: [''] }])).toEqual([]);
  expect(await found('digital_object', [{ field: 'digital_object_id', values: ['PEHB.DO.3'] }])).toEqual([
    '/repositories/2/digital_objects/1',
  ]);
  expect(await found('top_container', [{ field: 'barcode', values: ['BOX-0031'] }])).toEqual([
    '/repositories/2/top_containers/1',
  ]);
  expect(
    await findKeysInUse(
      reader,
      { rule: 'top_container.barcode', repoId, values: ['BOX-0031', 'none', 'BOX-0031'] },
      staff,
    ),
  ).toEqual([{ value: 'BOX-0031', ref: '/repositories/2/top_containers/1' }]);
  expect([
    await findBySlug(reader, 'works', ['classification_term']),
    await findBySlug(reader, 'works', ['resource']),
  ]).toEqual([{ kind: 'classification_term', id: 1, repoId: 2 }, null]);
  const byExternalId = (id: string, only: readonly string[] | null, limit: number) =>
    findByExternalId(reader, id, only, limit);
  expect(await byExternalId('none', null, 5)).toEqual([]);
  expect(await byExternalId('PEHB-1871', null, 3)).toEqual([
    '/repositories/2/accessions/1',
    '/repositories/2/archival_objects/2',
    '/repositories/2/digital_objects/1',
  ]);
  expect(await byExternalId('PEHB-1871', ['resource', 'archival_object'], 1)).toEqual([
    '/repositories/2/archival_objects/2',
  ]);
});

it('reads where locations are, and what stands on their shelves', async () => {
  const custom = { building: 'Custom House', floor: null, room: null, area: null };
  await expectKept(
    keptText(
      {
        whereabouts: await readWhereabouts(reader),
        building: await locationIdsIn(reader, custom),
        floor: await locationIdsIn(reader, { ...custom, floor: '2' }),
        'another room': await locationIdsIn(reader, { ...custom, room: 'Cellar' }),
        shelves: [...(await readShelves(reader, [1, 2, 3]))],
        box: await readBox(reader, 1),
      },
      2,
    ),
    'reading/locations.json',
  );
  expect(await readBox(reader, 9)).toBeUndefined();
});
