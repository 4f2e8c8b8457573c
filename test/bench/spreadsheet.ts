// The spreadsheet for changing archival objects with 50,000 rows, against what SheetJS takes to write the very same cells: rows a second,
// memory, and how long the event loop is held. Without a database: reading the records is measured elsewhere (list, export).
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { utils, write } from '@e965/xlsx';
import { writeXlsx } from '#domain/formats/xlsx/write.ts';
import type { JsonObject } from '#domain/json.ts';
import { columnsFor, repeatsFor } from '#domain/spreadsheets/columns.ts';
import { factsOf, highestRepeats } from '#domain/spreadsheets/facts.ts';
import type { Facts } from '#domain/spreadsheets/facts.ts';
import { updaterSheets } from '#domain/spreadsheets/updater-workbook.ts';
import { findingAid } from '../support/make/finding-aid.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, rounded } from './bench.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 50_000);
const rounds = 3;

/** Measures; about a minute. */
export async function run(): Promise<readonly BenchRow[]> {
  const facts = [...findingAid(2, 'sheet', rows)]
    .filter((record) => record['jsonmodel_type'] === 'archival_object')
    .map((record, id) => factsOf({ id, record: stored(record), linked: new Map() }));
  const columns = columnsFor(
    [],
    repeatsFor(highestRepeats(facts), { minSubrecords: 0, extraSubrecords: 3, minNotes: 2 }),
  );
  const sheets = (): ReturnType<typeof updaterSheets> => updaterSheets(columns, facts, () => []);
  const [ours, theirs]: [Written[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await writeStream(() => writeXlsx(sheets())));
    theirs.push(
      writeWhole(
        columns.map(({ path }) => path),
        facts,
      ),
    );
  }
  const seconds = medianOf(ours.map((each) => each.seconds));
  const library = medianOf(theirs);
  return [
    {
      name: `spreadsheet of ${rows} rows and ${columns.length} columns against SheetJS writing the same cells`,
      value: Math.round(rows / seconds),
      unit: 'rows/s',
      baseline: Math.round(rows / library),
      ratio: rounded(library / seconds),
      target: 1,
      pass: library / seconds >= 1,
    },
    {
      name: 'the same, event loop held, 99th percentile',
      value: rounded(medianOf(ours.map((each) => each.heldMs))),
      unit: 'ms',
      target: 50,
      pass: medianOf(ours.map((each) => each.heldMs)) <= 50,
    },
    {
      name: 'the same, what the workbook takes beyond its rows',
      value: Math.round(medianOf(ours.map((each) => each.beyond)) / 1e6),
      unit: 'MB',
      target: 64,
      pass: medianOf(ours.map((each) => each.beyond)) <= 64e6,
    },
    { name: 'size of the workbook', value: rounded((ours[0]?.bytes ?? 0) / 1e6), unit: 'MB' },
  ];
}

const stored = (record: JsonObject): JsonObject => ({ ...record, lock_version: 0 });

type Written = { readonly seconds: number; readonly bytes: number; readonly heldMs: number; readonly beyond: number };

async function writeStream(bytesOf: () => AsyncIterable<Uint8Array>): Promise<Written> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  let bytes = 0;
  let largest = before;
  // As a reply is sent: the next piece when the socket has taken the one before.
  for await (const piece of Readable.from(bytesOf(), { objectMode: false })) {
    bytes += (piece as Uint8Array).length;
    largest = Math.max(largest, process.memoryUsage.rss());
    await turn();
  }
  delay.disable();
  return {
    seconds: (performance.now() - started) / 1000,
    bytes,
    heldMs: Math.max(0, delay.percentile(99) / 1e6 - 1),
    beyond: largest - before,
  };
}

function writeWhole(paths: readonly string[], facts: readonly Facts[]): number {
  const started = performance.now();
  const sheet = utils.aoa_to_sheet([[...paths], ...facts.map((fact) => paths.map((path) => fact.get(path) ?? null))]);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Updates');
  write(book, { type: 'buffer', bookType: 'xlsx', compression: true });
  return (performance.now() - started) / 1000;
}

if (import.meta.main) console.table(await run());
