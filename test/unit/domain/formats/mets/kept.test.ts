// Whole digital objects in METS, compared with what is kept of them (contract behaviour-exports, section 9).
import { expect, test } from 'vitest';
import { digitalObjectMets } from '#domain/formats/mets/digital-object.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { expectKept } from '#test/support/kept.ts';
import { inLines, keptRecords, keptTree, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

test.each([
  ['what is published, described in MODS', 'album-mods', 5, 'mods', false],
  ['all of it, described in Dublin Core', 'album-dc', 5, 'dc', true],
  ['little', 'bare', 6, 'dc', false],
] as const)('METS has %s', async (_says, file, id, form, includesUnpublished) => {
  const records = keptRecords('agents', 'album');
  const tree = keptTree(records, `/repositories/2/digital_objects/${id}`);
  const repository = resolvedRecord(records, '/repositories/2');
  const xml = digitalObjectMets(tree, form, makeExportContext({ includesUnpublished, repository }));
  expect(exportFaults('METS', xml)).toEqual([]);
  await expectKept(inLines(xml), `formats/mets/written/${file}.xml`);
});
