// Whole bibliographic records in MARCXML, compared with what is kept of them (contract behaviour-exports, section 4).
import { expect, test } from 'vitest';
import { archivalObjectMarc, resourceMarc } from '#domain/formats/marc/writing/described.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { expectKept } from '#test/support/kept.ts';
import { inLines, keptRecords, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const cases = [
  ['a collection, what is published', 'board-published', resourceMarc, '/repositories/2/resources/1', false],
  ['a collection, all of it', 'board-everything', resourceMarc, '/repositories/2/resources/1', true],
  ['notes of every type', 'notes-published', resourceMarc, '/repositories/2/resources/2', false],
  [
    'notes of every type with those not published',
    'notes-everything',
    resourceMarc,
    '/repositories/2/resources/2',
    true,
  ],
  ['a component', 'component', archivalObjectMarc, '/repositories/2/archival_objects/2', false],
  ['an item without a title', 'leaf', archivalObjectMarc, '/repositories/2/archival_objects/3', true],
  ['a component with little', 'charts', archivalObjectMarc, '/repositories/2/archival_objects/4', false],
] as const;

test.each(cases)('MARCXML has %s', async (_says, file, write, uri, includesUnpublished) => {
  const records = keptRecords('agents', 'board', 'notes');
  const repository = resolvedRecord(records, '/repositories/2');
  const context = makeExportContext({
    includesUnpublished,
    repository,
    // A relator without a label.
    label: (_list, value) => (value === 'xyz' ? value : value.toUpperCase()),
  });
  const xml = write(resolvedRecord(records, uri), context);
  expect(exportFaults('MARCXML', xml)).toEqual([]);
  await expectKept(inLines(xml), `formats/marc/written/${file}.xml`);
});
