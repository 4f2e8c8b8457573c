// Import jobs through a real worker with real threads: EAD files in, records and a log out, and nothing where a file is bad.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { parseUri } from '#domain/addresses.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { beside } from '#test/support/lock-waits.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { eadDocument } from '../../../support/ead-document.ts';
import type { EndedImport, ImportJobs } from '../../../support/import-job.ts';
import { openImportJobs } from '../../../support/import-job.ts';

let imports: ImportJobs;
beforeAll(async () => {
  imports = await openImportJobs();
});
afterAll(() => imports[Symbol.asyncDispose]());

const importFiles = async (files: readonly (string | Uint8Array)[], more: JsonObject = {}): Promise<EndedImport> =>
  imports.runJob(files, more);

async function refused(files: readonly (string | Uint8Array)[], more: JsonObject = {}): Promise<EndedImport> {
  const before = await imports.contents();
  const ended = await importFiles(files, more);
  expect(ended.failure).not.toBeNull();
  expect(ended.log).toContain('IMPORT ERROR\n');
  expect(ended.log).toContain('The following errors were found:\n\t');
  expect(await imports.contents()).toEqual(before);
  expect(ended.records).toEqual([]);
  // The converted records are removed; the uploaded files stay with the job.
  expect(
    await imports.database.reader.any(sql.type(AnyRow)`
      SELECT FROM blob WHERE NOT EXISTS (SELECT FROM job_file f WHERE f.blob_id = blob.id)`),
  ).toEqual([]);
  return ended;
}

const did = (id: string): string => `<unitid>${id}</unitid><container type="box" label="Text (${id}-b)">1</container>`;
const document = (id: string, more = ''): string =>
  eadDocument({
    header: `<eadid>${id}</eadid>`,
    did: did(id),
    dsc: `<c01 level="series" id="s${id}"><did><unittitle>Series ${id}</unittitle></did><c02 level="file"><did><unittitle>File ${id}</unittitle></did><controlaccess><subject source="lcsh">Maps ${id}</subject></controlaccess></c02></c01>${more}`,
  });

describe('an EAD file', () => {
  test('becomes a resource with its tree, headings and containers, listed as created by the job', async () => {
    const ended = await importFiles([document('E1')]);
    expect(ended.value).toMatchObject({
      total: 5,
      reused: 0,
      created: { resource: 1, archival_object: 2, subject: 1, top_container: 1 },
    });
    expect(ended.records).toHaveLength(5);
    const resource = await imports.read(ended.records.find((uri) => uri.includes('/resources/')) ?? '');
    expect(resource).toMatchObject({ id_0: 'E1', ead_id: 'E1', created_by: 'importer', level: 'collection' });
    const tree = await imports.database.reader.any(sql.type(z.strictObject({ title: column.text, level: column.text }))`
      SELECT r.label AS title, t.level FROM tree_node t JOIN record r ON r.kind = 'archival_object' AND r.id = t.id WHERE t.root_id = ${parseUri(String(resource['uri']))?.id ?? 0} AND t.kind = 1 ORDER BY t.id`);
    expect(tree.map((row) => row.title).toSorted()).toEqual(['File E1', 'Series E1']);
  });

  test('leaves a log of headings, phases, created records and what was left out', async () => {
    const { log } = await importFiles([
      document(
        'E2',
        '<c01 level="file"><did><unittitle>Odd</unittitle><unknown>No place for this</unknown></did></c01>',
      ),
    ]);
    const lines = log.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '1. STARTED: Reading JSON records',
      '='.repeat(50),
      'ead_xml: finding-aid-0.xml',
      '='.repeat(50),
    ]);
    expect(lines.filter((line) => /^\d+\. (STARTED|DONE): /.test(line))).toEqual([
      '1. STARTED: Reading JSON records',
      '1. DONE: Reading JSON records',
      '2. STARTED: Validating records and checking links',
      '2. DONE: Validating records and checking links',
      '3. STARTED: Evaluating record relationships',
      '3. DONE: Evaluating record relationships',
      '4. STARTED: Looking for cyclic relationships',
      '4. DONE: Looking for cyclic relationships',
      '5. STARTED: Saving records: cycle 1',
      '5. DONE: Saving records: cycle 1',
      '6. STARTED: Cleaning up',
      '6. DONE: Cleaning up',
    ]);
    expect(lines.filter((line) => /^Created: \/\S+import_/.test(line))).toHaveLength(6);
    expect(lines.find((line) => line.startsWith('Read: '))).toMatch(/archival_object 3/);
    expect(log).toMatch(/Left out: 1\n\tline \d+, unknown: .*No place for this/);
  });

  test('uses stored containers by barcode, profiles by name, headings by content and lists by label', async () => {
    const box = await imports.create('top_container', { indicator: '9', type: 'box', barcode: 'E3-b' });
    const first = await importFiles([document('E3')]);
    expect(first.value).toMatchObject({ created: { resource: 1, archival_object: 2, subject: 1 } });
    expect(first.records.some((uri) => uri.includes('top_containers'))).toBe(false);
    const resource = await imports.read(first.records.find((uri) => uri.includes('/resources/')) ?? '');
    expect(JSON.stringify(resource['instances'])).toContain(box.uri);
    const again = await importFiles([
      document('E4')
        .replaceAll('Maps E4', 'Maps E3')
        .replace('<extent>3 volumes</extent>', '<extent>3 Linear Feet</extent>'),
    ]);
    expect(again.value).toMatchObject({ reused: 1 });
    const other = await imports.read(again.records.find((uri) => uri.includes('/resources/')) ?? '');
    expect(other).toMatchObject({ extents: [{ number: '3', extent_type: 'linear_feet' }] });
  });

  test('is read anew where a container of it is deleted, or its barcode given to another, while it is imported', async () => {
    const box = await imports.create('top_container', { indicator: '9', type: 'box', barcode: 'BB1-b' });
    const [gone, id] = [parseUri(box.uri)?.id ?? 0, imports.repoId];
    const deleted = await beside(
      imports.database,
      (tx) => deleteRecord(tx, topContainer, gone, id, 'tester'),
      () => importFiles([document('BB1')]),
    );
    expect(deleted.value).toMatchObject({ created: { resource: 1, top_container: 1 } });
    const other = await imports.create('top_container', { indicator: '9', type: 'box' });
    const given = await beside(
      imports.database,
      (tx) =>
        tx.run(sql`INSERT INTO unique_key (rule, scope, value, kind, id)
          VALUES ('top_container.barcode', ${`r${id}`}, 'BB2-b', ${topContainer.name}, ${parseUri(other.uri)?.id ?? 0})`),
      () => importFiles([document('BB2')]),
    );
    expect(given.value).toMatchObject({ created: { resource: 1 } });
    expect(given.value).not.toHaveProperty('created.top_container');
    // What the first run of each ended in was not the end of its job.
    for (const { log } of [deleted, given])
      expect([log.includes('Run again: '), log.includes('IMPORT ERROR')]).toEqual([true, false]);
  });

  test('gives a subject its number in an authority file unless another subject has it', async () => {
    const heading = (id: string, text: string): string =>
      eadDocument({
        header: `<eadid>${id}</eadid>`,
        did: did(id),
        notes: `<controlaccess><subject source="lcsh" authfilenumber="sh77">${text}</subject></controlaccess>`,
      });
    const subjectOf = async ({ records }: EndedImport): Promise<unknown> =>
      imports.read(records.find((uri) => uri.startsWith('/subjects/')) ?? '');
    expect(await subjectOf(await importFiles([heading('AN1', 'Ships')]))).toMatchObject({ authority_id: 'sh77' });
    const second = await importFiles([heading('AN2', 'Ships -- Design')]);
    expect(second.failure).toBeNull();
    expect(await subjectOf(second)).not.toHaveProperty('authority_id');
    expect(second.log).toContain('subject: authfilenumber of another subject: sh77');
    const third = await importFiles([heading('AN3', 'Ships')]);
    expect(third.value).toMatchObject({ reused: 1 });
    expect(third.log).not.toContain('authfilenumber');
  });

  test('may come with others: all are imported, or none', async () => {
    const both = await importFiles([document('E5'), document('E6')]);
    expect(both.value).toMatchObject({ created: { resource: 2, archival_object: 4, top_container: 2 } });
    expect(both.log).toContain('ead_xml: finding-aid-1.xml');
    const failed = await refused([document('E7'), document('E5')]);
    expect(failed.failure).toMatchObject({ code: 'import_failed' });
    expect(failed.log).toMatch(/\n\tid_0 : That ID is already in use|\n\tead_id : /);
    expect((await importFiles([document('E7')])).failure).toBeNull();
  });

  test.each([{}, { only_validate: '1' }])(
    'with several bad records is told all of them in the log %j',
    async (more) => {
      const key = JSON.stringify(more).length;
      await importFiles([document(`F1-${key}`), document(`F2-${key}`)]);
      const { log } = await refused([document(`F1-${key}`), document(`F3-${key}`), document(`F2-${key}`)], more);
      // Of the file between them nothing is bad.
      expect(log).toMatch(
        /Bad records: 2\nFile: finding-aid-0.xml\nRecord 4: resource Papers\n\tead_id : Must be unique\n\tid_0 : That ID is already in use\nFile: finding-aid-2.xml\nRecord 13: resource Papers\n\tead_id : /,
      );
      expect(log).toMatch(
        /IMPORT ERROR\n=+\nFile: finding-aid-0.xml\nRecord 4: resource Papers.*\nThe following errors were found:\n\t/,
      );
    },
  );

  test('is named with its fault whether it is the first or the last of several', async () => {
    await importFiles([document('N1')]);
    for (const [index, files] of [
      [document('N1'), document('N2')],
      [document('N2'), document('N3'), document('N1')],
    ].entries()) {
      const { log } = await refused(files);
      expect(log.match(/^File: .*$/gm)?.[0]).toBe(`File: finding-aid-${[0, 2][index]}.xml`);
    }
    // A name that the job does not give is that of the upload.
    expect((await refused([document('N2'), document('N1')], { filenames: ['first.xml'] })).log).toContain(
      '\nFile: uploaded-1.xml\n',
    );
  });

  test('of more pieces than one goes through the thread and back whole', async () => {
    const many = Array.from(
      { length: 1500 },
      (_, n) => `<c01 level="file"><did><unittitle>Item ${n} ${'long '.repeat(150)}</unittitle></did></c01>`,
    ).join('');
    const file = document('E8', many);
    const ended = await importFiles([file]);
    expect(ended.value).toMatchObject({ created: { archival_object: 1502 } });
    // How far it was is counted in bytes of the file while it was read, in records afterwards; whose number is told from the beginning.
    const { progress } = await imports.connected.database.reader.one(sql.type(
      z.strictObject({ progress: column.text }),
    )`
      SELECT progress FROM job_progress WHERE job_id = ${ended.jobId}`);
    const phases: readonly { readonly label: string; readonly done: number; readonly total: number }[] =
      JSON.parse(progress);
    expect(phases[0]).toMatchObject({
      label: 'Reading EAD records from an XML file',
      done: Buffer.byteLength(file),
      total: Buffer.byteLength(file),
    });
    expect(phases[1]).toMatchObject({
      label: 'Validating records and checking links',
      done: ended.value?.['total'],
      total: ended.value?.['total'],
    });
  });
});

describe('a bad file', () => {
  test.each([
    ['not XML', 'nonsense', /\tmessage : /],
    ['empty', '', /holds no element/],
    ['cut off', document('B1').slice(0, 400), /\tline : \d+/],
    ['EAD3 without a description', '<ead xmlns="http://ead3.archivists.org/schema/"><control/></ead>', /no archdesc/],
    ['of another vocabulary', '<html><body/></html>', /\telement : html/],
    [
      'with entities that expand',
      `<!DOCTYPE ead [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${document('B2')
        .replace(/^<\?xml[^>]*>/, '')
        .replace('Series', '&b;')}`,
      /\tmessage : /,
    ],
    [
      'with an external entity',
      `<!DOCTYPE ead [<!ENTITY x SYSTEM "file:///etc/passwd">]>${document('B3')
        .replace(/^<\?xml[^>]*>/, '')
        .replace('Series', '&x;')}`,
      /\tmessage : /,
    ],
  ])('that is %s fails the job, says why, and leaves nothing', async (_what, file, says) => {
    const ended = await refused([file]);
    expect(ended.failure).toMatchObject({ code: 'import_failed' });
    expect(ended.log).toMatch(says);
    expect(ended.log).not.toContain('root:');
    // There is one file, so that of the fault is known.
    expect(ended.log).not.toContain('File: ');
  });

  test('leaves nothing of the good ones before it, and is named', async () => {
    const { log } = await refused([document('B4'), 'nonsense']);
    expect(log).toMatch(/IMPORT ERROR\n=+\nFile: finding-aid-1.xml\nThe following errors were found:\n\t/);
    expect((await importFiles([document('B4')])).failure).toBeNull();
  });
});

describe('a job', () => {
  test('of an import type that nobody reads fails with its name', async () => {
    expect((await refused([document('J1')], { import_type: 'nonsense_xml' })).failure).toMatchObject({
      error: 'No suitable converter found for nonsense_xml',
    });
  });

  test('without files completes with nothing done', async () => {
    expect((await importFiles([])).failure).toBeNull();
  });

  test('leaves the threads to others after a failure', async () => {
    await refused(['<ead']);
    await refused(['<ead']);
    await refused(['<ead']);
    expect((await importFiles([document('J2')])).failure).toBeNull();
  });
});
