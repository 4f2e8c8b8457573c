// The table of functions that may run in threads, by name. All are pure functions of libs/domain or thin wrappers of them.

import { dateSpanOf } from '#domain/dates/span.ts';
import { readCodedSheet } from '#domain/spreadsheets/coded-sheet.ts';
import { readUpdateSheet } from '#domain/spreadsheets/rows.ts';
import { replaceInBodies } from '#domain/text/replace-in-bodies.ts';
import { makeDocumentsToMove } from './search-tasks.ts';
import { checkBatchBlock, findBlockFaults, indexBatchBlock, prepareBatchBlock } from './batch-tasks.ts';
import { convertFile } from './format-tasks.ts';
import { planSheetLoad } from './load-tasks.ts';
import { indexLoadBlock, prepareLoadBlock } from './loading-tasks.ts';
import type { printFindingAid } from './print-tasks.ts';
import { writeReportFile, writeTemplate, writeUpdateSheet } from './sheet-tasks.ts';

/** Threads run these. Add a function here; `threads.run` knows its types. */
export const tasks = {
  /** Nothing; brings a thread up before the first real task pays for it. */
  warm: (_payload: null): true => true,
  indexBatchBlock,
  checkBatchBlock,
  prepareBatchBlock,
  findBlockFaults,
  convertFile,
  dateSpanOf,
  makeDocuments: makeDocumentsToMove,
  indexLoadBlock,
  prepareLoadBlock,
  planSheetLoad,
  // What sets type is two fifths of what a thread would load: it comes with the first document.
  printFindingAid: async (work: Parameters<typeof printFindingAid>[0]) => {
    const tasksOfPrinting = await import('./print-tasks.ts');
    return tasksOfPrinting.printFindingAid(work);
  },
  readCodedSheet,
  readUpdateSheet,
  replaceInBodies,
  writeReportFile,
  writeTemplate,
  writeUpdateSheet,
};

/** The type of the table. */
export type Tasks = typeof tasks;
