// What others write beside a batch import, begun at the statements of each in turn: nobody waits in a circle, and the database stays sound.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure, fail } from '#domain/errors.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { deleteNamed, readNamed } from '#store/records/deleting/batch-delete.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { transferComponent } from '#store/transfers/component.ts';
import type { Importer } from '#test/support/batch.ts';
import { openImporter } from '#test/support/batch.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { isLong } from '#test/support/long.ts';
import { addressOf } from '#test/support/make/linked-records.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { importBatch } from '../../../../apps/worker/batch-import/import.ts';

let importer: Importer;
beforeAll(async () => {
  importer = await openImporter();
});
afterAll(async () => {
  expect(await checkDatabase(importer.database)).toEqual([]);
  await importer[Symbol.asyncDispose]();
});

let made = 0;
type World = { readonly [name: string]: string };
const partOf = (ref: string) => ({
  jsonmodel_type: 'accession_parts_relationship',
  relator: 'forms_part_of',
  relator_type: 'part',
  ref,
});
const inBox = (ref: string) => [{ instance_type: 'text', sub_container: { top_container: { ref } } }];
const creator = (ref: string) => [{ ref, role: 'creator' }];

/** What an import links to: an agent, two accessions, a resource with a series, and a container. */
async function world(): Promise<World> {
  const n = (made += 1);
  return importer.database.transaction(async (tx) => {
    const make = async (kind: string, body: object): Promise<string> =>
      (await importer.createIn(tx, kind, { ...body })).uri;
    const agent = await make('agent_person', personBody(`Person ${n}`));
    const accession = (id: string) => make('accession', { id_0: `${id}${n}`, accession_date: '2020-01-01' });
    const [one, other] = [await accession('A'), await accession('B')];
    const container = await make('top_container', { indicator: `${n}`, type: 'box' });
    const resource = await make('resource', resourceBody(`R${n}`));
    const series = await make('archival_object', { title: 's', level: 'series', resource: { ref: resource } });
    const partner = await make('agent_person', personBody(`Partner ${n}`));
    const elsewhere = await make('resource', resourceBody(`E${n}`));
    return { agent, partner, one, other, container, resource, series, elsewhere };
  });
}

/** Imports an accession that is related to both, and a component of the series, in the container; at the first try, or it is told to try again. */
const importing =
  (all: World, isTurned = false) =>
  async (tx: Transaction): Promise<void> => {
    const at = `/repositories/${importer.repoId}`;
    const n = (made += 1);
    const related = [all['one'] ?? '', all['other'] ?? ''].map(partOf);
    const records = [
      {
        jsonmodel_type: 'accession',
        uri: `${at}/accessions/import_${n}`,
        id_0: `I${n}`,
        accession_date: '2020-01-01',
        linked_agents: creator(all['agent'] ?? ''),
        related_accessions: isTurned ? related.toReversed() : related,
      },
      {
        jsonmodel_type: 'archival_object',
        uri: `${at}/archival_objects/import_${n}`,
        title: 'Imported',
        level: 'file',
        resource: { ref: all['resource'] },
        parent: { ref: all['series'] },
        instances: inBox(all['container'] ?? ''),
      },
    ];
    await importBatch(
      tx,
      {
        source: async function* source() {
          yield Buffer.from(JSON.stringify(records));
        },
        repoId: importer.repoId,
        actor: 'tester',
        migration: false,
      },
      { threads: importer.threads, signal: new AbortController().signal, progress: () => undefined },
    ).catch((error: unknown) => {
      // Somebody deleted something meanwhile, and a new run names the record: here it is refused, as there is none.
      throw error instanceof Failure && error.code === 'unavailable' ? fail('conflict', 'Deleted meanwhile') : error;
    });
  };

const removing =
  (...uris: readonly string[]) =>
  async (tx: Transaction): Promise<void> => {
    const [refused] = await deleteNamed(
      tx,
      uris.flatMap((uri) => readNamed(uri) ?? []),
      'tester',
    );
    if (refused !== undefined) throw refused.failure;
  };

const saving =
  (uri: string, change: object) =>
  async (tx: Transaction): Promise<void> => {
    const body = { ...(await importer.read(uri)), ...change };
    await importer.updateIn(tx, uri, body);
  };

type Work = (all: World) => (tx: Transaction) => Promise<unknown>;
const uriOf = (all: World, name: string): string => all[name] ?? '';
const deleting =
  (...names: readonly string[]): Work =>
  (all) =>
    removing(...names.map((name) => uriOf(all, name)));
const changing =
  (name: string, change: object): Work =>
  (all) =>
    saving(uriOf(all, name), change);
const merging =
  (what: 'agent' | 'resource', kept: string, gone: string): Work =>
  (all) =>
  async (tx) => {
    const records = toMergeRecords(
      what,
      uriOf(all, kept),
      [uriOf(all, gone)],
      what === 'agent' ? null : importer.repoId,
    );
    const settings = { at: '2026-01-01T00:00:00Z', generatedValues, enumerations: await EnumerationCache.load(tx) };
    await mergeRecords(
      tx,
      { id: (made += 1), what, records, actor: 'tester', agentUri: null, selections: null },
      settings,
    );
  };
const carrying: Work = (all) => (tx) =>
  transferComponent(
    tx,
    {
      repoId: importer.repoId,
      componentId: addressOf(uriOf(all, 'series')).id,
      resourceId: addressOf(uriOf(all, 'elsewhere')).id,
      actor: 'tester',
      agentUri: uriOf(all, 'agent'),
    },
    { at: '2026-01-01T00:00:00Z', generatedValues },
  );
const publishing: Work = (all) => (tx) =>
  publishRecord(tx, { ...addressOf(uriOf(all, 'resource')), publish: true, seesSuppressed: true, actor: 'tester' });
const suppressing: Work = (all) => (tx) =>
  suppressRecord(tx, { ...addressOf(uriOf(all, 'one')), suppressed: true, actor: 'tester' });

const besideImport = async (work: Work): Promise<void> =>
  besideEachOther(
    importer.database,
    async () => {
      const all = await world();
      return { one: importing(all), other: work(all) };
    },
    { every: 8 },
  );

test.each<readonly [string, Work]>([
  ['the deletion of an accession that it is related to', deleting('one')],
  ['the suppression of an accession that it is related to', suppressing],
  ['the deletion of the series', deleting('series')],
])('an import beside %s', async (_, work) => besideImport(work));

// An import takes threads, and these found nothing.
test.runIf(isLong).each<readonly [string, Work]>([
  ['the deletion of the agent', deleting('agent')],
  ['the deletion of both accessions', deleting('other', 'one')],
  ['the deletion of the container', deleting('container')],
  ['the deletion of the resource', deleting('resource')],
  ['a save of the agent', changing('agent', { publish: true })],
  ['a save of the container', changing('container', { indicator: 'saved' })],
  ['a save of the resource', changing('resource', { title: 'Saved' })],
  ['a save of the series', changing('series', { title: 'Saved' })],
  [
    'a save that relates the accessions',
    (all) => changing('other', { related_accessions: [partOf(uriOf(all, 'one'))] })(all),
  ],
  ['another import of relations to the same records', (all) => importing(all, true)],
  ['the merge of the agent into another', merging('agent', 'partner', 'agent')],
  ['the merge of another agent into it', merging('agent', 'agent', 'partner')],
  ['the merge of the resource into another', merging('resource', 'elsewhere', 'resource')],
  ['the transfer of the series to another resource', carrying],
  ['the publishing of the resource', publishing],
])('an import beside %s', async (_, work) => besideImport(work));
