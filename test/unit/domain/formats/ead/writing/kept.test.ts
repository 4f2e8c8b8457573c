// Whole finding aids in both versions of EAD, compared with what is kept of them (contract behaviour-exports, sections 2 and 3).
import { expect, test } from 'vitest';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import type { FindingAidFlags } from '#domain/formats/writing/finding-aid.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { expectKept } from '#test/support/kept.ts';
import { componentBlocks, inLines, keptRecords, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const versions = [
  ['EAD 2002', '2002', writeEad2002],
  ['EAD3', 'ead3', writeEad3],
] as const;

const published = { includeUnpublished: false, includeDaos: false, includeUris: false, numberedComponents: false };
const everything = { includeUnpublished: true, includeDaos: true, includeUris: true, numberedComponents: true };

const cases: readonly (readonly [says: string, file: string, records: string, flags: FindingAidFlags])[] = [
  ['what is published of a collection with components', 'board-published', 'board', published],
  ['all of it, numbered, with addresses and digital objects', 'board-everything', 'board', everything],
  ['digital objects of which some files are not published', 'board-daos', 'board', { ...published, includeDaos: true }],
  ['notes of every type', 'notes-published', 'notes', published],
  ['notes of every type with what is not published', 'notes-everything', 'notes', everything],
  ['markup within titles and notes', 'markup', 'markup', everything],
];

for (const [format, version, write] of versions)
  test.each(cases)(`${format} has %s`, async (_says, file, name, flags) => {
    const records = keptRecords('agents', name);
    const [root = ''] = Object.keys(records).filter((uri) => uri.startsWith('/repositories/2/resources/'));
    const xml = (
      await Array.fromAsync(
        write(resolvedRecord(records, root), componentBlocks(records, flags.includeUnpublished), {
          flags,
          label: makeExportContext().label,
          product: 'Muniment',
          createdAt: '2026-01-02 03:04:05 UTC',
          includeArks: flags.includeUnpublished,
          deepest: 3,
        }),
      )
    ).join('');
    expect(exportFaults(format, xml)).toEqual([]);
    await expectKept(inLines(xml), `formats/ead/written/${file}.${version}.xml`);
  });
