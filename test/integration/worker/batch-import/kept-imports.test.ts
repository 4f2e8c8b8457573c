// Imports beside the harbour board's records, as wholes: what comes of them, what they tell meanwhile, and what they write row by row, or why not.
import { it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { chunksOf } from '#test/support/batch.ts';
import type { Work } from '#test/support/kept-changes.ts';
import { expectChanges } from '#test/support/kept-changes.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { sharedThreads } from '#test/support/threads.ts';
import type { BatchInput } from '../../../../apps/worker/batch-import/import.ts';
import { importBatch } from '../../../../apps/worker/batch-import/import.ts';

const database = await loadHarbour();
const threads = await sharedThreads();
const R = '/repositories/2';

/** Imports records, in blocks of one or two; tells what it told, in the order of that. */
const batch =
  (records: readonly object[], more: Partial<BatchInput> = {}): Work =>
  async (tx) => {
    const text = JSON.stringify(records);
    const told: string[] = [];
    const outcome = await importBatch(
      tx,
      {
        source: () => chunksOf(text, 100_000),
        sizeBytes: text.length,
        blockBytes: 500,
        repoId: 2,
        actor: 'jane',
        migration: false,
        publishDefault: false,
        onSaved: async (_, created, reused) => void told.push(`created: ${created}`, `reused: ${reused}`),
        onNewValues: (values) => void told.push(`new values: ${JSON.stringify(values)}`),
        ...more,
      },
      {
        threads,
        signal: new AbortController().signal,
        // How many there may be at first is guessed from the bytes.
        progress: ({ label, done, total }) => told.push(`${label}: ${done}${done === total ? ', all' : ''}`),
      },
      async () => void told.push('the trees'),
    );
    return { ...outcome, told };
  };

const node = (id: number, more: JsonObject = {}): JsonObject => ({
  ...{
    jsonmodel_type: 'archival_object',
    uri: `${R}/archival_objects/import_${id}`,
    title: `File ${id}`,
    level: 'file',
  },
  ...{ ref_id: `imported_${id}`, resource: { ref: `${R}/resources/1` }, ...more },
});
const subject = (id: number, term: string, more: JsonObject = {}): JsonObject => ({
  ...{ jsonmodel_type: 'subject', uri: `/subjects/import_${id}`, source: 'local', vocabulary: '/vocabularies/1' },
  ...{ terms: [{ term, term_type: 'topical', vocabulary: '/vocabularies/1' }], ...more },
});
const person = (id: number, name: string, more: JsonObject = {}): JsonObject => ({
  ...{ jsonmodel_type: 'agent_person', uri: `/agents/people/import_${id}` },
  names: [{ primary_name: name, name_order: 'direct', source: 'local', sort_name_auto_generate: true, ...more }],
});
const accession = (id: number, identifier: string, more: JsonObject = {}): JsonObject => ({
  ...{ jsonmodel_type: 'accession', uri: `${R}/accessions/import_${id}`, id_0: identifier },
  ...{ accession_date: '2020-01-01', ...more },
});

const tree: readonly JsonObject[] = [
  subject(1, 'Quays'),
  person(1, 'Mo'),
  {
    ...{ jsonmodel_type: 'top_container', uri: `${R}/top_containers/import_1`, indicator: '90', type: 'box' },
    barcode: 'BOX-0090',
  },
  node(1, {
    subjects: [{ ref: '/subjects/import_1' }, { ref: '/subjects/2' }],
    linked_agents: [{ ref: '/agents/people/import_1', role: 'creator' }],
    position: 1,
  }),
  node(2, {
    parent: { ref: `${R}/archival_objects/import_1` },
    instances: [{ instance_type: 'text', sub_container: { top_container: { ref: `${R}/top_containers/import_1` } } }],
    position: 1,
  }),
  node(3, { parent: { ref: `${R}/archival_objects/import_1` }, publish: true, position: 0 }),
  accession(1, 'A90', { related_resources: [{ ref: `${R}/resources/1` }] }),
];

it('writes records beside those that there are', async () => {
  await expectChanges(
    database,
    {
      'records that name each other': batch(tree),
      'the same as a migration': batch(tree, { migration: true }),
      'for whom others stand': batch([
        subject(1, 'Quays'),
        subject(2, 'Quays'),
        subject(3, 'Ellery Sound', {
          terms: [{ term: 'Ellery Sound', term_type: 'geographic', vocabulary: '/vocabularies/1' }],
        }),
        accession(1, 'A90', { subjects: [{ ref: '/subjects/import_2' }, { ref: '/subjects/import_3' }] }),
      ]),
      'values that lists do not have': batch([accession(1, 'A90', { acquisition_type: 'found_on_shore' })]),
      'published by default': batch([accession(1, 'A90')], { publishDefault: true }),
      nothing: batch([]),
    },
    'imports',
  );
});

it('tells of the first record that cannot be stored, and stores nothing', async () => {
  await expectChanges(
    database,
    {
      'a record that is wrong': batch([accession(1, 'A90'), accession(2, 'A91', { accession_date: 'yesterday' })]),
      'a record of no kind': batch([accession(1, 'A90'), { jsonmodel_type: 'frog', uri: '/frogs/import_1' }]),
      'a record without a kind': batch([{ uri: `${R}/accessions/import_1` }]),
      'a record without a uri': batch([{ jsonmodel_type: 'accession', id_0: 'A90' }]),
      'what is no record': batch([[1] as unknown as object]),
      'a uri that comes twice': batch([accession(1, 'A90'), subject(1, 'Quays'), accession(1, 'A91')]),
      'a ref to nothing of the file': batch([
        accession(1, 'A90'),
        accession(2, 'A91', { subjects: [{ ref: '/subjects/import_9' }] }),
      ]),
      'a ref to nothing stored': batch([accession(1, 'A90', { subjects: [{ ref: '/subjects/99' }] })]),
      'a node of no tree': batch([node(1, { resource: { ref: `${R}/resources/99` } })]),
      'a node below one of no tree': batch([node(1, { parent: { ref: `${R}/archival_objects/99` } })]),
      'nodes below each other': batch([
        node(1, { parent: { ref: `${R}/archival_objects/import_2` } }),
        node(2, { parent: { ref: `${R}/archival_objects/import_1` } }),
      ]),
      'a taken identifier': batch([accession(1, 'A90'), accession(2, '1989')]),
      'an identifier of two records': batch([accession(1, 'A90'), accession(2, 'A90')]),
      'a repository that there is not': batch([accession(1, 'A90')], { repoId: 99 }),
      'a file that ends too soon': batch([accession(1, 'A90')], { source: () => chunksOf('[{"jsonmodel_type":', 100) }),
      'a file that is no list': batch([], { source: () => chunksOf('{}', 100) }),
    },
    'imports-refused',
  );
});
