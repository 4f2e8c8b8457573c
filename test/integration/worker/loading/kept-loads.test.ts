// Loads over the harbour board's records, as wholes: what comes of them, what they tell meanwhile, and what they write row by row, or why not.
import { it } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Transaction } from '#store/connection/database.ts';
import { createRecord, updateRecord } from '#store/records/writing/write.ts';
import { chunksOf } from '#test/support/batch.ts';
import { harbourRecords, replyOf } from '#test/support/harbour.ts';
import type { Work } from '#test/support/kept-changes.ts';
import { expectChanges } from '#test/support/kept-changes.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { testContext } from '#test/support/make/prepare-context.ts';
import { sharedThreads } from '#test/support/threads.ts';
import { linesAsArray } from '../../../../apps/worker/loading/lines.ts';
import type { LoadInput } from '../../../../apps/worker/loading/load.ts';
import { loadRecords } from '../../../../apps/worker/loading/load.ts';

const database = await loadHarbour();
const threads = await sharedThreads();
const actor = 'jane';
const R = '/repositories/2';

/** Loads lines, in blocks of one or two records, behind what is done before in the same transaction. */
const load =
  (
    lines: readonly object[],
    more: Partial<LoadInput> = {},
    before: (tx: Transaction) => Promise<unknown> = async () => undefined,
  ): Work =>
  async (tx) => {
    await before(tx);
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const told: string[] = [];
    const outcome = await loadRecords(
      tx,
      {
        source: () => linesAsArray(chunksOf(text, 100_000)),
        sizeBytes: text.length,
        blockBytes: 800,
        intoFilled: true,
        actor,
        limit: 10,
        ...more,
      },
      {
        threads,
        signal: new AbortController().signal,
        progress: ({ label, done, total }) => told.push(`${label}: ${done} of ${total}`),
      },
    );
    return { ...outcome, told };
  };
const update = (
  lines: readonly object[],
  more: Partial<LoadInput> = {},
  before?: (tx: Transaction) => Promise<unknown>,
): Work => load(lines, { update: true, ...more }, before);

/** A record of the harbour board's as the source shows it, but for what has changed there. */
function line(uri: string, changes: JsonObject = {}): JsonObject {
  const record = harbourRecords.find((each) => each.uri === uri);
  if (record === undefined) throw new Error(`the harbour board has no ${uri}`);
  return { ...replyOf(record), lock_version: 4, last_modified_by: 'calum', ...changes };
}
const audit = {
  ...{ lock_version: 3, created_by: 'ishbel', last_modified_by: 'calum', create_time: '2020-01-01T00:00:00Z' },
  ...{ system_mtime: '2021-01-01T00:00:00Z', user_mtime: '2022-01-01T00:00:00Z' },
};
const subject = (id: number, name: string, more: JsonObject = {}): JsonObject => ({
  ...{ jsonmodel_type: 'subject', uri: `/subjects/${id}`, source: 'local', vocabulary: '/vocabularies/1', ...audit },
  ...{ terms: [{ term: name, term_type: 'topical', vocabulary: '/vocabularies/1' }], publish: true, ...more },
});
const node = (id: number, position: number, more: JsonObject = {}): JsonObject => ({
  ...{ jsonmodel_type: 'archival_object', uri: `${R}/archival_objects/${id}`, title: `Box ${id}`, level: 'file' },
  ...{ ref_id: `ref_${id}`, publish: true, resource: { ref: `${R}/resources/1` }, position, ...audit, ...more },
});
const user = (id: number, username: string): JsonObject => ({
  ...{ jsonmodel_type: 'user', uri: `/users/${id}`, username, name: username, is_active_user: true, ...audit },
});
const accession = (id: number, identifier: string, more: JsonObject = {}): JsonObject => ({
  ...{ jsonmodel_type: 'accession', uri: `${R}/accessions/${id}`, id_0: identifier, accession_date: '2020-01-01' },
  ...{ publish: false, ...audit, ...more },
});

/** Changes a record here, as somebody would since it was loaded. */
const change =
  (uri: string, changes: JsonObject) =>
  async (tx: Transaction): Promise<unknown> => {
    const address = parseUri(uri);
    const record = harbourRecords.find((each) => each.uri === uri);
    if (address === null || record === undefined) throw new Error(`the harbour board has no ${uri}`);
    const context = testContext({ operation: 'update' });
    const prepared = prepare(kindNamed(address.kind), { ...record.sent, ...changes }, context);
    const { generatedValues } = context;
    const by = { actor: 'mo', repoId: address.repoId, generatedValues };
    return updateRecord(tx, kindNamed(address.kind), address.id, prepared, 0, by);
  };

it('takes what comes beside what there is, or tells why not', async () => {
  await expectChanges(
    database,
    {
      'records of several kinds': load([
        subject(40, 'Quays'),
        user(40, 'mo'),
        {
          ...{ jsonmodel_type: 'group', uri: `${R}/groups/40`, group_code: 'quays', description: 'Who see quays' },
          ...{ member_usernames: ['mo', 'nobody'], grants_permissions: ['view_repository', 'see_quays'], ...audit },
        },
        node(41, 1, { parent: { ref: `${R}/archival_objects/40` }, subjects: [{ ref: '/subjects/40' }] }),
        node(42, 0, { parent: { ref: `${R}/archival_objects/40` }, publish: false }),
        node(40, 7),
        accession(40, 'A40', { suppressed: true, related_resources: [{ ref: `${R}/resources/1` }] }),
      ]),
      'a form, and what harvesters are told': load([
        {
          ...{ jsonmodel_type: 'default_values', uri: `${R}/default_values/accession`, record_type: 'accession' },
          ...{ defaults: { title: 'Untitled' }, ...audit },
        },
        {
          ...{ jsonmodel_type: 'oai_config', uri: '/oai_config', oai_repository_name: 'Harbours' },
          ...{ oai_record_prefix: 'oai:harbours', oai_admin_email: 'mo@harbour.example', ...audit },
        },
      ]),
      'a mark, by which the load is found': load([subject(40, 'Quays')], { mark: 'a mark' }),
      'nothing where there are records, unless told to': load([subject(40, 'Quays')], { intoFilled: false }),
      'nothing of addresses that are taken, or come twice': load([
        subject(1, 'Quays'),
        subject(40, 'Slips'),
        subject(40, 'Jetties'),
      ]),
      'nothing where refs lead nowhere': load([
        accession(40, 'A40', { subjects: [{ ref: '/subjects/99' }] }),
        node(40, 0, { resource: { ref: `${R}/resources/99` } }),
        node(41, 0, { parent: { ref: `${R}/archival_objects/99` } }),
        { ...accession(41, 'A41'), uri: '/repositories/99/accessions/41' },
      ]),
      'nothing of taken keys': load([accession(40, '1989'), accession(41, 'A41'), accession(42, 'A41')]),
      'nothing of a term that is another here': load([
        subject(40, 'Quays', {
          terms: [{ uri: '/terms/1', term: 'Quays', term_type: 'topical', vocabulary: '/vocabularies/1' }],
        }),
      ]),
      'nothing where a record is wrong': load([
        subject(40, 'Quays', { terms: [] }),
        accession(40, 'A40', { accession_date: 'yesterday' }),
        node(40, 0, { level: 'frog' }),
        { jsonmodel_type: 'frog', uri: '/frogs/1' },
        { uri: `${R}/accessions/43` },
      ]),
    },
    'loads',
  );
});

it('replaces what has changed in the source, or tells who has written on both sides', async () => {
  const gone = (uri: string): object => ({ uri, at: null });
  const mine = change('/subjects/2', { scope_note: 'Mine' });
  await expectChanges(
    database,
    {
      'other texts and links': update([
        line('/subjects/2', { scope_note: 'Told anew' }),
        line(`${R}/accessions/2`, { subjects: [{ ref: '/subjects/1' }], content_description: 'Told anew' }),
      ]),
      'nodes that come, move and go': update([
        node(40, 0),
        line(`${R}/archival_objects/2`, { position: 1, parent: { ref: `${R}/archival_objects/40` } }),
      ]),
      'records that went': update([gone('/subjects/2'), gone(`${R}/accessions/2`), gone('/subjects/77')]),
      'what went and is among the lines': update([gone('/subjects/2'), line('/subjects/2', { scope_note: 'Back' })]),
      'nothing of what may not go': update([gone('/agents/people/2')]),
      'nothing of what was changed here': update([line('/subjects/2')], {}, mine),
      'nothing of what was changed here and went there': update([gone('/subjects/2')], {}, mine),
      'what was changed here, where told to': update([line('/subjects/2')], { overwrite: true }, mine),
      'nothing of what was made here, even where told to': update(
        [subject(5002, 'Theirs')],
        { overwrite: true },
        (tx) => {
          const context = testContext();
          const terms = [{ term: 'Ours', term_type: 'topical', vocabulary: '/vocabularies/1' }];
          const prepared = prepare(
            kindNamed('subject'),
            { source: 'local', vocabulary: '/vocabularies/1', terms },
            context,
          );
          const { generatedValues } = context;
          return createRecord(tx, kindNamed('subject'), prepared, { actor: 'mo', repoId: null, generatedValues });
        },
      ),
      'nothing of what comes twice': update([line('/subjects/2'), line('/subjects/2')]),
    },
    'loads-of-changes',
  );
});
