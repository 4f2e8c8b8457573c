// Whole documents in MODS, compared with what is kept of them (contract behaviour-exports, section 8; behaviour-oai, section 11).
import { expect, test } from 'vitest';
import { describedMods } from '#domain/formats/mods/described.ts';
import { digitalObjectMods } from '#domain/formats/mods/digital-object.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { expectKept } from '#test/support/kept.ts';
import { inLines, keptRecords, keptTree, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const records = keptRecords('agents', 'board', 'notes', 'album', 'harvested');
const repository = resolvedRecord(records, '/repositories/2');

test.each([
  ['a collection', 'board-published', '/repositories/2/resources/1', false],
  ['a collection with what is not published', 'board-everything', '/repositories/2/resources/1', true],
  ['notes of every type', 'notes', '/repositories/2/resources/2', false],
  ['a component', 'component', '/repositories/2/archival_objects/2', false],
  ['a component without a title', 'leaf', '/repositories/2/archival_objects/3', false],
  ['a component, and not what is above it and not published', 'below', '/repositories/2/archival_objects/23', false],
  [
    'a component below another with what is not published',
    'below-everything',
    '/repositories/2/archival_objects/23',
    true,
  ],
] as const)('MODS has %s', async (_says, file, uri, includesUnpublished) => {
  const xml = describedMods(resolvedRecord(records, uri), makeExportContext({ includesUnpublished, repository }));
  expect(exportFaults('MODS', xml)).toEqual([]);
  await expectKept(inLines(xml), `formats/mods/written/${file}.xml`);
});

test.each([
  ['what is published', 'album-published', 5, false],
  ['all of it', 'album-everything', 5, true],
  ['little', 'bare', 6, false],
] as const)('MODS has %s of a digital object', async (_says, file, id, includesUnpublished) => {
  const tree = keptTree(records, `/repositories/2/digital_objects/${id}`);
  const xml = digitalObjectMods(tree, makeExportContext({ includesUnpublished, repository }));
  expect(exportFaults('MODS', xml)).toEqual([]);
  await expectKept(inLines(xml), `formats/mods/written/${file}.xml`);
});
