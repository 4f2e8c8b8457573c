// Whole sheets of container labels, compared with what is kept of them (contract behaviour-exports, section 10).
import { test } from 'vitest';
import { labelRows } from '#domain/formats/container-labels/rows.ts';
import { expectKept } from '#test/support/kept.ts';
import { componentBlocks, keptRecords, resolvedRecord } from '#test/support/kept-documents.ts';

test('labels have a row for each container of a series', async () => {
  const records = keptRecords('agents', 'board', 'boxes');
  const root = resolvedRecord(records, '/repositories/2/resources/1');
  const rows = await Array.fromAsync(labelRows(root, componentBlocks(records, true)));
  await expectKept(rows.join(''), 'formats/container-labels/written/board.tsv');
});
