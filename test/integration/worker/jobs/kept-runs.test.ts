// Runs of jobs over the harbour board's records, as wholes: what they tell, which records and files they name, and what they write row by row.
import { utils, write as writeWorkbook } from '@e965/xlsx';
import { it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import type { JsonObject } from '#domain/json.ts';
import { createRecord } from '#store/records/writing/write.ts';
import { expectRuns } from '#test/support/kept-jobs.ts';
import type { Run } from '#test/support/kept-jobs.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { testContext } from '#test/support/make/prepare-context.ts';
import { csv, sheetOf } from '#test/support/sheet-job.ts';
import { handler as bulkUpdate } from '../../../../apps/worker/jobs/bulk-update.ts';
import { handler as calculateDates } from '../../../../apps/worker/jobs/calculate-dates.ts';
import { handler as containerLabels } from '../../../../apps/worker/jobs/container-labels.ts';
import { handler as creationTemplate } from '../../../../apps/worker/jobs/creation-template.ts';
import { handler as deleteRecord } from '../../../../apps/worker/jobs/delete-record.ts';
import { handler as deleteRecords } from '../../../../apps/worker/jobs/delete-records.ts';
import { handler as findAndReplace } from '../../../../apps/worker/jobs/find-and-replace.ts';
import { handler as generateArks } from '../../../../apps/worker/jobs/generate-arks.ts';
import { handler as generateSlugs } from '../../../../apps/worker/jobs/generate-slugs.ts';
import { handler as linkContainers } from '../../../../apps/worker/jobs/link-containers.ts';
import { handler as mergeRecords } from '../../../../apps/worker/jobs/merge-records.ts';
import { handler as moveNodes } from '../../../../apps/worker/jobs/move-nodes.ts';
import { handler as publishRecords } from '../../../../apps/worker/jobs/publish-records.ts';
import { handler as removeNs2 } from '../../../../apps/worker/jobs/remove-ns2.ts';
import { handler as report } from '../../../../apps/worker/jobs/report.ts';
import { handler as sortChildren } from '../../../../apps/worker/jobs/sort-children.ts';
import { handler as suppressRecords } from '../../../../apps/worker/jobs/suppress-records.ts';
import { handler as trimWhitespace } from '../../../../apps/worker/jobs/trim-whitespace.ts';

const database = await loadHarbour();
const repoId = 2;
const actor = 'jane';
const R = `/repositories/${repoId}`;

// Siblings of the letters: out of order, with blanks around titles and markup of other programs.
const siblings: readonly JsonObject[] = [
  { title: 'Ledger b ', component_id: 'L.10', ref_id: 'ledger_b' },
  { title: ' Ledger a', component_id: 'L.9', ref_id: 'ledger_a', publish: false },
  {
    title: 'Charts',
    component_id: 'L.1',
    notes: [
      { jsonmodel_type: 'note_singlepart', type: 'abstract', content: ['<ns2:emph>Of the <ns2:x/> port</ns2:emph>'] },
    ],
  },
];
await database.transaction(async (tx) => {
  const kind = kindNamed('archival_object');
  // One for all, whose ids count up.
  const context = testContext();
  for (const more of siblings) {
    const prepared = prepare(kind, { level: 'file', resource: { ref: `${R}/resources/1` }, ...more }, context);
    await createRecord(tx, kind, prepared, { actor, repoId, generatedValues: context.generatedValues });
  }
});

const wire = (
  handler: Run['handler'],
  job: JsonObject,
  more: Partial<Run> & { readonly params?: JsonObject } = {},
): Run => {
  const { params = {}, ...rest } = more;
  return { handler, payload: { repoId, actor, job, params }, ...rest };
};
const tree = { repoId, nodeKind: 'archival_object', rootId: 1, actor };

it('publishes, hides, moves and sorts in trees', async () => {
  await expectRuns(
    database,
    {
      'publishes a resource': {
        handler: publishRecords,
        payload: { ...tree, kind: 'resource', id: 1, publish: true, seesSuppressed: true },
      },
      'unpublishes a component': {
        handler: publishRecords,
        payload: { ...tree, kind: 'archival_object', id: 1, publish: false, seesSuppressed: false },
      },
      'suppresses a resource': {
        handler: suppressRecords,
        payload: { ...tree, kind: 'resource', id: 1, suppressed: true },
      },
      'moves to the beginning': { handler: moveNodes, payload: { ...tree, parentId: null, position: 0, ids: [4, 3] } },
      'moves below another': { handler: moveNodes, payload: { ...tree, parentId: 1, position: null, ids: [5] } },
      'sorts by title': wire(sortChildren, { parent: `${R}/resources/1`, sort_by: ['title'] }),
      'would sort by number, backwards': wire(sortChildren, {
        parent: `${R}/resources/1`,
        sort_by: ['identifier:desc'],
        dry_run: true,
      }),
      'sorts what is sorted': wire(sortChildren, { parent: `${R}/archival_objects/1`, sort_by: ['title'] }),
      'sorts what is no tree': wire(sortChildren, { parent: `${R}/accessions/1`, sort_by: ['title'] }),
      'sorts in another repository': wire(sortChildren, { parent: '/repositories/3/resources/1', sort_by: ['title'] }),
      'sorts what is not there': wire(sortChildren, { parent: `${R}/resources/99`, sort_by: ['title'] }),
      'sorts without the right to': wire(
        sortChildren,
        { parent: `${R}/resources/1`, sort_by: ['title'] },
        { may: ['view_repository'] },
      ),
    },
    'trees',
  );
});

it('deletes and merges', async () => {
  await expectRuns(
    database,
    {
      'deletes a component': {
        handler: deleteRecord,
        payload: { ...tree, kind: 'archival_object', id: 3, lockVersion: 0 },
      },
      'deletes an accession': {
        handler: deleteRecord,
        payload: { kind: 'accession', id: 1, repoId, nodeKind: null, rootId: null, lockVersion: null, actor },
      },
      'deletes a component that is assessed': {
        handler: deleteRecord,
        payload: { ...tree, kind: 'archival_object', id: 1, lockVersion: null },
      },
      'deletes a subject': {
        handler: deleteRecord,
        payload: { kind: 'subject', id: 2, repoId: null, nodeKind: null, rootId: null, lockVersion: 0, actor },
      },
      'deletes an agent who assesses': {
        handler: deleteRecord,
        payload: { kind: 'agent_person', id: 2, repoId: null, nodeKind: null, rootId: null, lockVersion: 0, actor },
      },
      'deletes an old version': {
        handler: deleteRecord,
        payload: { kind: 'accession', id: 1, repoId, nodeKind: null, rootId: null, lockVersion: 7, actor },
      },
      'deletes several': {
        handler: deleteRecords,
        payload: {
          uris: [`${R}/accessions/2`, '/subjects/2', `${R}/archival_objects/3`],
          by: { actor, address: '127.0.0.1', requestId: 'request' },
        },
      },
      'merges subjects': {
        handler: mergeRecords,
        payload: {
          ...{ what: 'subject', repoId: null, destination: '/subjects/1', candidates: ['/subjects/2'] },
          ...{ selections: null, actor, agentUri: null },
        },
      },
    },
    'deletions',
  );
});

it('writes texts in many records', async () => {
  const replace = (type: string, property: string, find: string, to: string, base = `${R}/resources/1`): Run =>
    wire(findAndReplace, { record_type: type, property, find, replace: to, base_record_uri: base });
  await expectRuns(
    database,
    {
      'replaces in titles of components': replace('archival_object', 'title', 'Ledger', 'Day book'),
      'replaces by an expression in parts of all': replace(
        'extent',
        'container_summary',
        '/(\\d+) boxes/',
        '\\1 crates',
      ),
      'replaces a date by a wrong one': replace('date', 'begin', '1868', '1968'),
      'replaces nothing': replace('resource', 'title', 'Nowhere', 'x'),
      'replaces so that a record is wrong': replace('archival_object', 'title', '/^.*$/', ''),
      'replaces in what is no record': replace('frog', 'title', 'a', 'b'),
      'replaces in what is no text': replace('resource', 'publish', 'a', 'b'),
      'replaces in what is only read': replace('resource', 'created_by', 'a', 'b'),
      'replaces in what is not declared': replace('resource', 'constructor', 'a', 'b'),
      'replaces below what is no record': replace('resource', 'title', 'a', 'b', '/nothing'),
      'replaces below a record of another repository': replace(
        'resource',
        'title',
        'a',
        'b',
        '/repositories/3/resources/1',
      ),
      'replaces below what is not there': replace('resource', 'title', 'a', 'b', `${R}/resources/99`),
      'trims nothing of what its owner may change': wire(trimWhitespace, {}, { may: ['update_accession_record'] }),
      'takes ns2 out': wire(removeNs2, {}),
      'would take ns2 out': wire(removeNs2, { dry_run: true }),
      'makes ARKs where they are off': wire(generateArks, {}),
      'makes ARKs': wire(
        generateArks,
        {},
        { naming: { ...namingOff, arks: { ...namingOff.arks, isOn: true, naan: '12345' } } },
      ),
      'makes slugs where they are off': wire(generateSlugs, {}),
      'makes slugs': wire(generateSlugs, {}, { naming: { ...namingOff, slugs: { from: 'title' } } }),
    },
    'texts',
  );
});

it('writes files, and calculates', async () => {
  const sheet = (template: string): Run => ({
    handler: creationTemplate,
    payload: { repoId, actor, resourceId: 1, template, wantsSuppressed: true, release: 'R-B' },
  });
  const reports = (type: string, format: string, params: JsonObject = {}): Run =>
    wire(report, { report_type: type, format }, { params });
  const of = { repoId, kind: 'resource', id: 1, actor };
  await expectRuns(
    database,
    {
      'labels of containers': wire(containerLabels, { source: `${R}/resources/1` }),
      'labels of what is no resource': wire(containerLabels, { source: `${R}/accessions/1` }),
      'labels of a resource elsewhere': wire(containerLabels, { source: '/repositories/3/resources/1' }),
      'labels as something else': wire(containerLabels, { source: `${R}/resources/1`, format: 'pdf' }),
      'a template of containers': sheet('top_container_creation'),
      'a template of digital objects': sheet('digital_object_creation'),
      'accessions as CSV': reports('accession_report', 'csv'),
      'accessions of some years as JSON': reports('accession_report', 'json', {
        scope_by_date: true,
        from: '1980-01-01',
        to: '1988-12-31',
      }),
      'a report that there is not': reports('frogs', 'csv'),
      'dates of all': { handler: calculateDates, payload: { ...of, label: null, withOwn: true } },
      'dates of components of a label': {
        handler: calculateDates,
        payload: { ...of, label: 'creation', withOwn: false },
      },
    },
    'files',
  );
});

it('links containers by a sheet', async () => {
  const rows: readonly { readonly [code: string]: string }[] = [
    {
      ead_id: 'pehb7.xml',
      ref_id: 'ledger_b',
      instance_type: 'text',
      top_container_type: 'box',
      top_container_indicator: '77',
      top_container_barcode: 'BOX-0077',
      child_type: 'folder',
      child_indicator: '3',
    },
    { ead_id: 'pehb7.xml', ref_id: 'ledger_a', instance_type: 'text', top_container_id: '2' },
  ];
  const link = (cells: readonly { readonly [code: string]: string }[], job: JsonObject = {}): Run =>
    wire(
      linkContainers,
      { resource_id: '1', content_type: 'csv', ...job },
      { params: { rid: '1' }, files: [csv(sheetOf(cells))] },
    );
  await expectRuns(
    database,
    {
      links: link(rows),
      'would link': link(rows, { only_validate: 'true' }),
      'links wrongly': link([{ ead_id: 'another', ref_id: 'nobody', instance_type: 'frog', top_container_id: '88' }]),
      'links nothing': link([]),
      'has no file': wire(linkContainers, { resource_id: '1', content_type: 'csv' }, { params: { rid: '1' } }),
      'links in no resource': wire(linkContainers, { resource_id: 'x' }),
    },
    'container-links',
  );
});

/** A workbook of changes: paths, and the cells of each row below them. */
function updates(paths: readonly string[], ...rows: readonly (readonly string[])[]): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([[...paths], [...paths], ...rows.map((row) => [...row])]),
    'Updates',
  );
  return writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' });
}

it('changes components by a sheet', async () => {
  const change = (paths: readonly string[], rows: readonly (readonly string[])[], job: JsonObject = {}): Run =>
    wire(bulkUpdate, job, { files: [updates(paths, ...rows)] });
  const [id, version] = ['id', 'lock_version'];
  const instance = ['instance_type', 'top_container_type', 'top_container_indicator', 'top_container_barcode'].map(
    (field) => `instances/0/${field}`,
  );
  const object = ['digital_object_id', 'digital_object_title', 'file_version_file_uri'].map(
    (field) => `digital_object/0/${field}`,
  );
  const boxed = ['Text [text]', 'Box [box]'];
  await expectRuns(
    database,
    {
      'changes titles, and nothing where nothing is another': change(
        [id, version, 'title', 'publish'],
        [
          ['3', '0', 'Ledger C', 'FALSE'],
          ['4', '0', ' Ledger a', 'FALSE'],
        ],
      ),
      'makes a container, and links it to two': change(
        [id, version, ...instance],
        [
          ['3', '0', ...boxed, '78', 'BOX-0078'],
          ['4', '0', ...boxed, '78', 'BOX-0078'],
        ],
        { create_missing_top_containers: true },
      ),
      'makes no container unless told to': change([id, version, ...instance], [['3', '0', ...boxed, '78', 'BOX-0078']]),
      'makes no container of a taken barcode, nor two of one': change(
        [id, version, ...instance],
        [
          ['3', '0', ...boxed, '79', 'BOX-0031'],
          ['4', '0', ...boxed, '80', 'BOX-0080'],
          ['5', '0', ...boxed, '81', 'BOX-0080'],
        ],
        { create_missing_top_containers: true },
      ),
      'makes a digital object': change(
        [id, version, ...object],
        [['3', '0', 'DO.new', 'Ledger, scanned', 'https://scans.example/ledger']],
      ),
      'tells all that is wrong': change(
        [id, version, 'title', 'dates/0/begin', 'dates/0/label', 'related_accessions/0/id_0'],
        [
          ['3', '7', 'x', '', '', ''],
          ['99', '0', 'x', '', '', ''],
          ['4', '0', 'y', '18-68', 'Nonsense [nonsense]', 'nowhere'],
          ['', '0', 'z', '', '', ''],
        ],
      ),
      'has a column that there is not': change([id, version, 'frog'], [['3', '0', 'x']]),
      'has a column twice, and lacks one': change([id, 'title', 'title'], [['3', 'x', 'y']]),
      'has no rows': change([id, version, 'title'], []),
      'has no file': wire(bulkUpdate, {}),
      'has two files': wire(bulkUpdate, {}, { files: [updates([id]), updates([id])] }),
    },
    'updates',
  );
});
