// The conversion of an import's file in a thread.
import type { ImportReport } from '#domain/formats/reading/report.ts';
import type { ConvertAbout } from '../threads/format-tasks.ts';
import type { Threads } from '../threads/pool.ts';
import { throughThread } from './through-thread.ts';

/** Yields the records of one file as pieces of JSON text, joined by commas; returns the reader's report. Throws what the reader throws. */
export const convert = (
  threads: Threads,
  file: AsyncIterable<Uint8Array>,
  about: ConvertAbout,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, ImportReport, void> =>
  throughThread(file, (port) => threads.run('convertFile', { port, about }, { signal, transfer: [port] }));
