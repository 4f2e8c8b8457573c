// What others write beside jobs that edit many records of a repository, begun at the statements of each in turn: nobody waits in a circle, and nothing that was acknowledged is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAndReplace } from '#domain/jobs/find-and-replace.ts';
import { generateArks } from '#domain/jobs/generate-arks.ts';
import { generateSlugs } from '#domain/jobs/generate-slugs.ts';
import { trimWhitespace } from '#domain/jobs/trim-whitespace.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import type { JsonObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { besideJob } from '#test/support/job-beside.ts';
import { isLong } from '#test/support/long.ts';
import { addressOf, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { handler as findAndReplaceHandler } from '../../../../apps/worker/jobs/find-and-replace.ts';
import { handler as arksHandler } from '../../../../apps/worker/jobs/generate-arks.ts';
import { handler as slugsHandler } from '../../../../apps/worker/jobs/generate-slugs.ts';
import { handler as trimHandler } from '../../../../apps/worker/jobs/trim-whitespace.ts';

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

const expression = (word: string): string => `${word} 1900`;
const dates = [{ date_type: 'single', label: 'creation', begin: '1900', expression: expression('about') }];

type World = { readonly [name: string]: string };

/** A resource with a series and a file in it, a digital object with a component, and an accession: all of them with blanks around their titles. */
async function world(): Promise<World> {
  const n = make.next();
  const create = async (kind: string, body: JsonObject): Promise<string> => (await store.create(kind, body)).uri;
  const accession = await create('accession', { id_0: `A${n}`, accession_date: '2020-01-01', title: ` A${n} ` });
  const container = await create('top_container', { indicator: n });
  const resource = await create(
    'resource',
    resourceBody(`R${n}`, { title: ` R${n} `, related_accessions: [{ ref: accession }], dates }),
  );
  const part = { level: 'file', resource: { ref: resource }, dates };
  const instances = [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }];
  const series = await create('archival_object', { title: ` s${n} `, ...part });
  const file = await create('archival_object', { title: ` f${n} `, parent: { ref: series }, instances, ...part });
  const object = await create('digital_object', { title: ` D${n} `, digital_object_id: `D${n}` });
  const page = await create('digital_object_component', { title: ` p${n} `, digital_object: { ref: object } });
  return { accession, container, resource, series, file, object, page };
}

type Work = (all: World) => Promise<(tx: Transaction) => Promise<unknown>>;
const deleting =
  (name: string): Work =>
  async (all) =>
    make.deleting(all[name] ?? '');
const saving =
  (name: string, change: JsonObject): Work =>
  (all) =>
    make.saving(all[name] ?? '', change);
const publishing =
  (name: string): Work =>
  async (all) =>
  (tx) =>
    publishRecord(tx, { ...addressOf(all[name] ?? ''), publish: true, seesSuppressed: true, actor: 'tester' });

/** All that met somebody in a circle; the others, which met nobody or are like these, in long runs. */
const met: readonly (readonly [string, Work])[] = [
  ['the deletion of a file', deleting('file')],
  ['the publishing of the resource', publishing('resource')],
];
const more: readonly (readonly [string, Work])[] = [
  ['the deletion of the series', deleting('series')],
  ['the deletion of the resource', deleting('resource')],
  ['the deletion of the accession', deleting('accession')],
  ['a save of a file', saving('file', { publish: true })],
  ['a save of the resource', saving('resource', { publish: true })],
  ['the publishing of the series', publishing('series')],
];
const others = isLong ? [...met, ...more] : met;

const payloadOf = (job: { readonly [name: string]: string }) => ({
  repoId: store.repoId,
  actor: 'tester',
  job: { ...job },
  params: {},
});
const titleOf = async (uri: string): Promise<unknown> =>
  (await store.read(uri).catch((): JsonObject => ({})))['title'] ?? 'gone';

const expressionOf = async (uri: string): Promise<unknown> => {
  const [date] = ((await store.read(uri).catch((): JsonObject => ({})))['dates'] ?? []) as readonly JsonObject[];
  return date?.['expression'] ?? 'gone';
};

test.each([...others, ['the deletion of the page of a digital object', deleting('page')] as const])(
  'titles are trimmed beside %s',
  async (_, other) => {
    await besideJob(store.database, trimWhitespace, trimHandler, async () => {
      const all = await world();
      return {
        payload: payloadOf({}),
        other: await other(all),
        check: async () => {
          for (const name of ['accession', 'resource', 'series', 'file', 'object', 'page'])
            expect(await titleOf(all[name] ?? '')).toMatch(/^\S+$/);
        },
      };
    });
  },
);

test.each(others)('a text is replaced beside %s', async (_, other) => {
  await besideJob(store.database, findAndReplace, findAndReplaceHandler, async () => {
    const all = await world();
    const part = { record_type: 'archival_object', property: 'title', base_record_uri: all['resource'] ?? '' };
    return {
      payload: payloadOf({ find: ' ', replace: '_', ...part }),
      other: await other(all),
      check: async (value) => {
        if (value === null) return;
        for (const name of ['series', 'file']) expect(await titleOf(all[name] ?? '')).not.toContain(' ');
      },
    };
  });
});

// The root of the tree is one of those that change here.
test.each(others)('a text is replaced in a resource and what is below it beside %s', async (_, other) => {
  await besideJob(store.database, findAndReplace, findAndReplaceHandler, async () => {
    const all = await world();
    const part = { record_type: 'date', property: 'expression', base_record_uri: all['resource'] ?? '' };
    return {
      payload: payloadOf({ find: 'about', replace: 'circa', ...part }),
      other: await other(all),
      check: async (value) => {
        if (value === null) return;
        for (const name of ['resource', 'series', 'file'])
          expect([expression('circa'), 'gone']).toContain(await expressionOf(all[name] ?? ''));
      },
    };
  });
});

const naming = { slugs: { from: 'title' as const }, arks: { ...namingOff.arks, isOn: true } };

// Both found nothing: they go kind by kind, each block in a transaction of its own.
test.runIf(isLong).each([...met, ...more, ['the deletion of the page of a digital object', deleting('page')] as const])(
  'slugs and ARKs are made beside %s',
  async (_, other) => {
    const beside = async () => {
      const all = await world();
      return {
        payload: payloadOf({}),
        around: { generatedValues: { ...generatedValues, naming } },
        other: await other(all),
      };
    };
    await besideJob(store.database, generateSlugs, slugsHandler, beside, { every: 6 });
    await besideJob(store.database, generateArks, arksHandler, beside, { every: 6 });
  },
);
