// Whole finding aids as pages, compared with what is kept of them.
import { test } from 'vitest';
import { groupLevels } from '#domain/formats/printed-finding-aid/groups.ts';
import { writeHtml } from '#domain/formats/printed-finding-aid/html/write.ts';
import { style } from '#domain/formats/printed-finding-aid/html/style.ts';
import { expectKept } from '#test/support/kept.ts';
import { componentBlocks, inLines, keptRecords, resolvedRecord } from '#test/support/kept-documents.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

test.each([
  ['what is published of a collection with components', 'board-published', 'board', false],
  ['all of it, with digital objects', 'board-everything', 'board', true],
  ['notes of every type', 'notes-published', 'notes', false],
  ['notes of every type with what is not published', 'notes-everything', 'notes', true],
  ['markup within titles and notes', 'markup', 'markup', false],
])('a page has %s', async (_says, file, name, isAll) => {
  const records = keptRecords('agents', name);
  const [uri = ''] = Object.keys(records).filter((each) => each.startsWith('/repositories/2/resources/'));
  const blocks = await Array.fromAsync(componentBlocks(records, isAll));
  const tree = {
    root: resolvedRecord(records, uri),
    groups: blocks.flat().filter(({ record }) => groupLevels.includes(String(record['level']))),
    blocks: componentBlocks(records, isAll),
  };
  const html = await Array.fromAsync(
    writeHtml(tree, {
      flags: { includeUnpublished: isAll, includeDaos: isAll, includeUris: false, numberedComponents: false },
      label: makeExportContext().label,
      product: 'Muniment',
      createdAt: '2026-01-02 03:04:05 UTC',
      includeArks: false,
      deepest: 3,
    }),
  );
  await expectKept(inLines(html.join('').replace(style, '…')), `formats/printed-finding-aid/written/${file}.html`);
});
