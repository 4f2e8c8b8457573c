// Whole documents in Dublin Core, compared with what is kept of them (contract behaviour-exports, section 7; behaviour-oai, section 11).
import { expect, test } from 'vitest';
import { digitalObjectDc } from '#domain/formats/dc/digital-object.ts';
import { writeDcterms, writeOaiDc } from '#domain/formats/dc/statements-xml.ts';
import { publicRecord } from '#domain/formats/oai/public-record.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { expectKept } from '#test/support/kept.ts';
import { inLines, keptRecords, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const records = keptRecords('agents', 'board', 'notes', 'album', 'harvested');
const repository = resolvedRecord(records, '/repositories/2');

test.each([
  ['what is published', 'album-published', 5, false],
  ['all of it', 'album-everything', 5, true],
  ['little', 'bare', 6, false],
] as const)('Dublin Core has %s of a digital object', async (_says, file, id, includesUnpublished) => {
  const object = resolvedRecord(records, `/repositories/2/digital_objects/${id}`);
  const xml = digitalObjectDc(object, makeExportContext({ includesUnpublished, repository }));
  expect(exportFaults('Dublin Core', xml)).toEqual([]);
  await expectKept(inLines(xml), `formats/dc/written/${file}.xml`);
});

test.each([
  ['a collection', 'board', '/repositories/2/resources/1'],
  ['notes of every type', 'notes', '/repositories/2/resources/2'],
  ['a component with what it takes from above', 'component', '/repositories/2/archival_objects/20'],
  ['a component that takes nothing', 'own', '/repositories/2/archival_objects/21'],
])('harvesters get %s in both forms of Dublin Core', async (_says, file, uri) => {
  const record = publicRecord(resolvedRecord(records, uri));
  const context = makeExportContext({ repository });
  await expectKept(inLines(writeOaiDc(record, context)), `formats/dc/written/${file}.oai_dc.xml`);
  await expectKept(inLines(writeDcterms(record, context)), `formats/dc/written/${file}.oai_dcterms.xml`);
});
