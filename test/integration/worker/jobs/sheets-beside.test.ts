// What others write beside jobs that change archival objects by spreadsheet, begun at the statements of each in turn: nobody waits in a circle, and nothing is refused that could be done.
import { utils, write as writeWorkbook } from '@e965/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkUpdate } from '#domain/jobs/bulk-update.ts';
import { linkContainers } from '#domain/jobs/link-containers.ts';
import { loadSheet } from '#domain/jobs/load-sheet.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { storeBlob } from '#store/files/blobs.ts';
import { deleteRepository } from '#store/repositories/repositories.ts';
import { besideJob } from '#test/support/job-beside.ts';
import { isLong } from '#test/support/long.ts';
import { addressOf, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import { csv, sheetOf } from '#test/support/sheet-job.ts';
import { handler as bulkUpdateHandler } from '../../../../apps/worker/jobs/bulk-update.ts';
import { handler as linkHandler } from '../../../../apps/worker/jobs/link-containers.ts';
import { handler as loadSheetHandler } from '../../../../apps/worker/jobs/load-sheet.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

type World = { readonly [name: string]: string };
const linkOf = (ref: string): JsonObject => ({ ref });

/** A repository with a resource that has two components, of which the second is in a container and linked to an accession and to a digital object; an accession, an object and a container besides. */
async function world(): Promise<World> {
  const n = make.next();
  const repository = (await store.create('repository', { repo_code: `S${n}`, name: `S${n}` })).id;
  const create = async (kind: string, body: JsonObject): Promise<string> =>
    (await store.create(kind, body, repository)).uri;
  const accession = (id: string) => create('accession', { id_0: `${id}${n}`, accession_date: '2020-01-01' });
  const object = (id: string) => create('digital_object', { title: `${id}${n}`, digital_object_id: `${id}${n}` });
  const [linked, free] = [await accession('L'), await accession('F')];
  const [shown, other] = [await object('S'), await object('O')];
  const box = await create('top_container', { indicator: n, type: 'box' });
  const spare = await create('top_container', { indicator: `s${n}`, type: 'box', barcode: `b${n}` });
  const resource = await create('resource', resourceBody(`R${n}`, { ead_id: `ead${n}` }));
  const part = { level: 'file', resource: { ref: resource } };
  const one = await create('archival_object', { title: `one${n}`, ref_id: `one${n}`, ...part });
  const two = await create('archival_object', {
    title: `two${n}`,
    ref_id: `two${n}`,
    ...part,
    instances: [
      { instance_type: 'text', sub_container: { top_container: { ref: box } } },
      { instance_type: 'digital_object', digital_object: { ref: shown } },
    ],
    accession_links: [{ ref: linked }],
  });
  return { n, linked, free, shown, other, box, spare, resource, one, two };
}

const idOf = (all: World, name: string): number => addressOf(all[name] ?? '').id;
const repoOf = (all: World): number => addressOf(all['resource'] ?? '').repoId ?? 0;

/** A job with a sheet as its file. */
async function sheetJob(all: World, bytes: Buffer, job: { readonly [name: string]: string | boolean }, params = {}) {
  const blobId = await store.database.transaction((tx) =>
    storeBlob(tx, bytes, { fileName: 'sheet', mediaType: 'text/csv' }),
  );
  const file = { id: 1, blobId, role: 'input', fileName: 'sheet', mediaType: null, sizeBytes: bytes.length };
  return {
    payload: { repoId: repoOf(all), actor: 'tester', job: { ...job }, params },
    around: { files: async () => [file] },
  };
}

const changes = (all: World): readonly { readonly [path: string]: string }[] => [
  {
    title: 'One, changed',
    'instances/0/instance_type': 'text',
    'instances/0/top_container_type': 'box',
    'instances/0/top_container_indicator': `new${all['n']}`,
    'digital_object/0/digital_object_id': `O${all['n']}`,
    'digital_object/0/digital_object_title': 'Other, renamed',
    'related_accessions/0/id_0': `F${all['n']}`,
  },
  { title: 'Two, changed', 'related_accessions/0/id_0': `F${all['n']}` },
];

const updating = async (all: World) => {
  const book = utils.book_new();
  const rows = [
    { id: String(idOf(all, 'one')), lock_version: '0', ...changes(all)[0] },
    { id: String(idOf(all, 'two')), lock_version: '0', ...changes(all)[1] },
  ];
  const paths = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const stays = {
    'instances/0/top_container_indicator': all['n'],
    'instances/0/top_container_type': 'box',
    'instances/0/instance_type': 'text',
    'digital_object/0/digital_object_id': `S${all['n']}`,
    'digital_object/0/digital_object_title': `S${all['n']}`,
  };
  const cells = [rows[0], { ...stays, ...rows[1] }].map((row) => paths.map((path) => (row as World)[path] ?? ''));
  utils.book_append_sheet(book, utils.aoa_to_sheet([paths, paths, ...cells]), 'Updates');
  return sheetJob(all, writeWorkbook(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }), {
    create_missing_top_containers: true,
  });
};

type Work = (all: World) => Promise<(tx: Transaction) => Promise<unknown>>;
const deleting =
  (name: string): Work =>
  async (all) =>
    make.deleting(all[name] ?? '');
const saving =
  (name: string, change: (all: World) => JsonObject): Work =>
  (all) =>
    make.saving(all[name] ?? '', change(all));
const deletingAll: Work = async (all) => (tx) => deleteRepository(tx, repoOf(all), 'tester');

type Other = readonly [string, Work];
const deletingRepository: Other = ['the deletion of the repository', deletingAll];
const met: readonly Other[] = [
  deletingRepository,
  ['the deletion of an accession that it is linked to', deleting('linked')],
  ['the deletion of an accession that it is to be linked to', deleting('free')],
  [
    'a save of that accession, which links it as well',
    saving('free', (all) => ({ component_links: [linkOf(all['one'] ?? '')] })),
  ],
  ['a save of the other, which unlinks it as well', saving('linked', () => ({ component_links: [] }))],
  ['a save of the digital object', saving('other', () => ({ publish: true }))],
];
// These found nothing, or met the job as one of the others does.
const more: readonly Other[] = [
  ['the deletion of the digital object', deleting('other')],
  ['the deletion of the container', deleting('box')],
  ['the deletion of the other container', deleting('spare')],
  ['the deletion of a component', deleting('two')],
  ['the deletion of the resource', deleting('resource')],
  ['a save of a component', saving('two', () => ({ publish: true }))],
];

test.each(isLong ? [...met, ...more] : met)(
  'archival objects are changed by a sheet beside %s',
  async (what, other) => {
    await besideJob(
      store.database,
      bulkUpdate,
      bulkUpdateHandler,
      async () => {
        const all = await world();
        return {
          ...(await updating(all)),
          other: await other(all),
          check: async (value: Json | null) => {
            if (what.startsWith('a save of') && what !== 'a save of a component') expect(value).not.toBeNull();
            if (value === null) return;
            if (what === 'a save of the digital object')
              expect(await store.read(all['other'] ?? '')).toMatchObject({ title: 'Other, renamed' });
          },
        };
      },
      { every: 7 },
    );
  },
);

test.runIf(isLong).each([...met, ...more])('containers are linked by a sheet beside %s', async (what, other) => {
  await besideJob(store.database, linkContainers, linkHandler, async () => {
    const all = await world();
    const row = (name: string, more: object) => ({
      ref_id: `${name}${all['n']}`,
      ead_id: `ead${all['n']}`,
      instance_type: 'text',
      ...more,
    });
    const rows = [
      row('one', { top_container_id: String(idOf(all, 'spare')) }),
      row('two', {
        top_container_type: 'box',
        top_container_indicator: `n${all['n']}`,
        top_container_barcode: `x${all['n']}`,
      }),
    ];
    const job = await sheetJob(
      all,
      csv(sheetOf(rows)),
      { content_type: 'csv', resource_id: String(idOf(all, 'resource')) },
      { rid: idOf(all, 'resource') },
    );
    return {
      ...job,
      other: await other(all),
      check: async (value) => {
        if (value === null) return;
        const component = await store.read(all['one'] ?? '').catch((): JsonObject => ({ instances: [{}] }));
        if (what !== 'the deletion of the other container') expect(objectsOf(component, 'instances').length).toBe(1);
      },
    };
  });
});

test.each(isLong ? [...met, ...more] : [deletingRepository])(
  'digital objects are loaded into archival objects by a sheet beside %s',
  async (_, other) => {
    await besideJob(
      store.database,
      loadSheet,
      loadSheetHandler,
      async () => {
        const all = await world();
        const rows = ['one', 'two'].map((name) => ({
          ead: `ead${all['n']}`,
          ao_ref_id: `${name}${all['n']}`,
          digital_object_id: `new-${name}${all['n']}`,
          digital_object_title: 'New',
        }));
        const job = await sheetJob(
          all,
          csv(sheetOf(rows)),
          { content_type: 'csv', load_type: 'digital', resource_id: String(idOf(all, 'resource')) },
          { rid: idOf(all, 'resource') },
        );
        return { ...job, other: await other(all) };
      },
      { every: 7 },
    );
  },
);
