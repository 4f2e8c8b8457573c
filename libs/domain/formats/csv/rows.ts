// The rows of a CSV file as an import takes them: one header row, cells by column name (behaviour-imports.md section 7). Cells are text and
// nothing else: what looks like a formula is stored as it stands, and never computed.
import { parse } from 'csv-parse';
import { fail, Failure } from '../../errors.ts';
import { importFailure } from '../reading/context.ts';
import { newlinesIn } from '../xml/encoding.ts';
import { columnLetters } from '../xlsx/cells.ts';
import type { SheetFaults } from './faults.ts';
import { notCsv, otherSeparator } from './other-files.ts';

/** A row: its line in the file, counted from 1, and its cells. A cell that is empty or holds `NULL` is undefined. `fault` notes what is wrong with a cell, or missing. */
export type CsvRow = {
  readonly line: number;
  cell(column: string): string | undefined;
  fault(column: string, message: string): void;
};

/** What a reading gave besides rows: the columns of the file, those that somebody asked for, and the first text of each that has no heading. */
export type CsvColumns = {
  readonly names: readonly string[];
  readonly asked: ReadonlySet<string>;
  readonly unnamed: readonly { readonly line: number; readonly column: string; readonly text: string }[];
};

/** The largest row that is read, of any file in CSV. */
export const maxRowBytes = 4_000_000;

/**
 * Yields the rows, blank ones left out; returns the columns. A blank header keeps its place. Fails with `import_failed` for headers
 * that are no column names, for text that is not UTF-8, for cells with U+0000, which nothing can store, and for rows above 4 MB.
 */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  faults: SheetFaults,
): AsyncGenerator<CsvRow, CsvColumns, void> {
  let columns: ReadonlyMap<string, number> | undefined;
  let width = 0;
  let blank: readonly number[] = [];
  const asked = new Set<string>();
  const unnamed: { readonly line: number; readonly column: string; readonly text: string }[] = [];
  for await (const { cells, line } of readTable(chunks)) {
    if (columns === undefined) {
      columns = readHeader(cells, line);
      width = cells.length;
      blank = cells.flatMap((cell, index) => (cell === '' ? [index] : []));
      continue;
    }
    for (const index of blank) {
      const text = valueOf(cells[index]);
      if (text === undefined) continue;
      unnamed.push({ line, column: columnLetters(index), text });
      blank = blank.filter((each) => each !== index);
    }
    const places: ReadonlyMap<string, number> = columns;
    faultSurplus(faults, line, cells, width);
    yield {
      line,
      cell: (column) => {
        asked.add(column);
        return valueOf(cells[places.get(column) ?? -1]);
      },
      fault: (column, message) => faults.add(line, column, message),
    };
  }
  return { names: [...(columns?.keys() ?? [])], asked, unnamed };
}

/**
 * Notes text to the right of the `width` columns that the rows of headings have: a comma that wants quotes has moved the cells of such a row
 * below headings of others. Blank cells may follow. A column without a heading is named as spreadsheet programs name it.
 */
export function faultSurplus(faults: SheetFaults, line: number, cells: readonly string[], width: number): void {
  const place = cells.findIndex((cell, index) => index >= width && valueOf(cell) !== undefined);
  if (place !== -1) faults.add(line, columnLetters(place), `${withoutHeading(cells[place] ?? '')}; ${wantsQuotes}`);
}

/** What is wrong with a cell to the right of all headings. */
export const withoutHeading = (cell: string): string =>
  `There is no heading above this cell: ${cell.slice(0, mostCharacters)}`;

/** Why there may be one in CSV. */
export const wantsQuotes = 'a cell with a comma in it must stand in quotes';

/** What a cell says; undefined where it is empty or holds `NULL`. */
export const valueOf = (text: string | undefined): string | undefined =>
  text === undefined || text === '' || text === 'NULL' ? undefined : text;

/** Yields the rows of a file as they stand, trimmed, the header among them and blank ones left out. Fails as readRows does. */
export async function* readTable(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly line: number; readonly cells: readonly string[] }, void, void> {
  // Where the last whole row ends: a row that cannot be read begins after it, however far its quote reaches.
  let lastLine = 0;
  // A quote that stands inside an unquoted cell is text, as in files that people write. The parser passes over blank lines at a hundredth of what each costs as a row.
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    on_record: (record: string[], { lines }) => ((lastLine = lines), record),
  });
  const feeding = feed(chunks, parser).catch((error: unknown) =>
    parser.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    // With `info` the parser gives each record with what it knows of it.
    for await (const { record, info } of parser as AsyncIterable<{
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }>) {
      const cells = record.map((cell) => cell.trim());
      if (cells.every((cell) => cell === '')) continue;
      demandStorable(cells, info.lines);
      yield { line: info.lines, cells };
    }
  } catch (error) {
    throw error instanceof Failure
      ? error
      : fail(
          'import_failed',
          {
            message: `The file is not CSV: ${error instanceof Error ? error.message : String(error)}`,
            line: lastLine + 1,
          },
          {},
          error,
        );
  } finally {
    parser.destroy();
    await feeding;
  }
}

/** The failure of bytes that are no UTF-8, with the line of the first such byte; `line` is that of the first byte. */
export function notUtf8(bytes: Uint8Array, line: number, cause: unknown): Error {
  const before = Buffer.from(bytes).toString('utf8');
  const wrongLine = line + newlinesIn(before.slice(0, Math.max(0, before.indexOf('\ufffd'))));
  return fail(
    'import_failed',
    { message: `The file holds bytes that are not valid UTF-8, in line ${wrongLine}.`, line: wrongLine },
    {},
    cause,
  );
}

/** Throws `import_failed` where the first bytes of a file tell that it is something else. */
export function demandCsv(bytes: Uint8Array): void {
  const message = notCsv(bytes);
  if (message !== null) throw fail('import_failed', { message, line: 1 });
}

/** Throws `import_failed` where a cell holds U+0000. */
export function demandStorable(cells: readonly string[], line: number): void {
  const place = cells.findIndex((cell) => cell.includes('\0'));
  if (place !== -1)
    throw fail('import_failed', {
      message: `Cell ${place + 1} holds the character U+0000, which cannot be stored.`,
      line,
    });
}

async function feed(chunks: AsyncIterable<Uint8Array>, parser: ReturnType<typeof parse>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  let isFirst = true;
  const write = async (bytes: Uint8Array | null): Promise<void> => {
    let text: string;
    try {
      text = bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (cause) {
      throw notUtf8(bytes ?? new Uint8Array(0), line, cause);
    }
    line += newlinesIn(text);
    if (text !== '' && !parser.destroyed && !parser.write(text))
      await new Promise<void>((resolve) => void parser.once('drain', resolve).once('close', resolve));
  };
  for await (const chunk of chunks) {
    if (parser.destroyed) return;
    if (isFirst) demandCsv(chunk);
    isFirst = false;
    await write(chunk);
  }
  await write(null);
  parser.end();
}

// Of a file that is no CSV, all of it may be the header.
const mostNamed = 50;
const mostCharacters = 100;

function readHeader(cells: readonly string[], line: number): ReadonlyMap<string, number> {
  const bad = cells.filter((cell) => cell !== '' && !/^[a-z]*_[a-z0-9_]*$/.test(cell));
  const position = { line, column: 0, element: bad[0]?.slice(0, mostCharacters) ?? '' };
  const hint = otherSeparator(cells);
  if (bad.length > 0)
    throw importFailure(
      `#<:CSVSyntaxException: bad_headers => ${JSON.stringify(bad.slice(0, mostNamed).map((cell) => cell.slice(0, mostCharacters)))}>${hint === null ? '' : ` ${hint}`}`,
      position,
    );
  const last = new Map(cells.map((cell, index) => [cell, index]));
  const twice = cells.find((cell, index) => cell !== '' && last.get(cell) !== index);
  if (twice !== undefined) throw importFailure(`The column ${twice} is there twice.`, { ...position, element: twice });
  return new Map(cells.map((cell, index) => [cell, index] as const).filter(([cell]) => cell !== ''));
}
