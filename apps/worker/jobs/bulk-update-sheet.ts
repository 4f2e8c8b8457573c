// Handler of the spreadsheet for changing archival objects: reads the records block by block, writes the workbook in a thread.
import { seesSuppressed } from '#domain/access/suppression.ts';
import { xlsxMediaType } from '#domain/formats/xlsx/write.ts';
import { bulkUpdateSheet } from '#domain/jobs/bulk-update-sheet.ts';
import { sheetBlocks } from '#store/spreadsheets/sheet-records.ts';
import { shareLists } from '../batch-import/import.ts';
import { defineHandler } from '../handler.ts';
import { keepSheet } from '../job-steps/keep-sheet.ts';
import { throughThread } from '../formats/through-thread.ts';

/** Makes the file; the value tells how many rows it has. */
export const handler = defineHandler(bulkUpdateSheet, async (payload, context) => {
  const { caller, database, threads, signal } = context;
  const { repoId, ids, resourceId, selectedColumns, minSubrecords, extraSubrecords, minNotes, release } = payload;
  const viewer = { seesSuppressed: seesSuppressed(caller, repoId, payload.wantsSuppressed), release };
  const about = {
    lists: await shareLists(database.reader),
    selectedColumns,
    widths: { minSubrecords, extraSubrecords, minNotes },
  };
  let rows = 0;
  async function* blocks(): AsyncGenerator<Uint8Array> {
    for await (const { count, text } of sheetBlocks(database.reader, repoId, ids, viewer)) {
      signal.throwIfAborted();
      yield Buffer.from(text);
      rows += count;
      context.progress({ label: 'Reading', done: rows, total: ids.length });
    }
  }
  const bytes = throughThread(blocks(), (port) =>
    threads.run('writeUpdateSheet', { port, about }, { signal, transfer: [port] }),
  );
  const fileName = `bulk_update.resource_${resourceId}.${new Date().toISOString().slice(0, 10)}.xlsx`;
  return keepSheet(bytes, { fileName, mediaType: xlsxMediaType }, () => rows, viewer, context);
});
