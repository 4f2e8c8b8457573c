// The log of an import job of several files, read as it grows: what was made of each file, what was left out, and what is wrong.
import type { FileFault } from './results.ts';

/** What the log says of one file. */
export type FileSection = {
  read: string | null;
  leftOutTotal: number;
  readonly leftOut: string[];
  nothing: string | null;
  importId: string | null;
};

/** Reads the log of a job of these files, as its log names them. */
export class JobLog {
  readonly #type: string;
  readonly #sections = new Map<string, FileSection>();
  readonly #created: string[] = [];
  #current: FileSection | null = null;
  #isListing = false;

  constructor(type: string) {
    this.#type = type;
  }

  /** Takes the next line. */
  take(line: string): void {
    const wasListing = this.#isListing;
    this.#isListing = false;
    // A worker that was killed left its lines; another begins again.
    if (line.startsWith('1. STARTED: ')) this.#created.length = 0;
    else if (line.startsWith(`${this.#type}: `)) this.#begin(line.slice(this.#type.length + 2));
    else if (line.startsWith('Created: ')) this.#created.push(line.slice('Created: '.length));
    else if (this.#current !== null) this.#isListing = takeOfFile(this.#current, line, wasListing);
  }

  /** What was said of the file. */
  sectionOf(name: string): FileSection | undefined {
    return this.#sections.get(name);
  }

  /**
   * For each record that the job made the name of its file, in the order in which they were made; null where the log does not tell of each.
   */
  ownersOf(total: number): readonly (string | null)[] | null {
    if (this.#created.length !== total) return null;
    const names = new Map(Array.from(this.#sections, ([name, { importId }]) => [importId, name]));
    return this.#created.map((uri) => names.get(/\/import_([0-9a-f-]+)-\d+$/i.exec(uri)?.[1] ?? '') ?? null);
  }

  #begin(name: string): void {
    this.#current = { read: null, leftOutTotal: 0, leftOut: [], nothing: null, importId: null };
    this.#sections.set(name, this.#current);
  }
}

/** Takes a line about the file; whether lines of what was left out follow. */
function takeOfFile(section: FileSection, line: string, isListing: boolean): boolean {
  if (isListing && line.startsWith('\t')) {
    section.leftOut.push(line.trim());
    return true;
  }
  const after = (start: string): string | null => (line.startsWith(start) ? line.slice(start.length) : null);
  const leftOut = after('Left out: ');
  if (leftOut !== null) {
    section.leftOutTotal = Number(leftOut);
    return true;
  }
  section.read ??= after('Read: ');
  section.nothing ??= after('Nothing was made of the file: ');
  if (line === 'No records were found in the input file!') section.nothing ??= 'no records were found in it';
  section.importId ??= after('Temporary uris: import_');
  return false;
}

/** The lines that tell why a job of one file failed, as faults with their lines. */
export function faultsOf(errors: readonly string[]): readonly FileFault[] {
  const faults: { line: number | null; text: string }[] = [];
  let record = '';
  let row: number | null = null;
  for (const error of errors) {
    if (
      /^(The following errors were found:|IMPORT ERROR|File: .*|Faults of cells: .*|Bad records: .*|\{.*\})$/.test(
        error,
      )
    )
      continue;
    const [, rowOf] = /^Line: (\d+)$/.exec(error) ?? [];
    if (rowOf !== undefined) {
      row = Number(rowOf);
      continue;
    }
    const [, heading] = /^(Record \d+(?:: .*)?)$/.exec(error) ?? [];
    if (heading !== undefined) {
      record = heading;
      continue;
    }
    const [, line] = /^line : (\d+)$/.exec(error) ?? [];
    const last = faults.at(-1);
    if (line !== undefined && last !== undefined) {
      last.line = Number(line) === 0 ? null : Number(line);
      continue;
    }
    const [, element] = /^element : (.+)$/.exec(error) ?? [];
    if (element !== undefined && last !== undefined) {
      last.text = `${element}: ${last.text}`;
      continue;
    }
    if (/^(column|element) : ?/.test(error)) continue;
    const [, cellLine, cell] = /^(?:.*, )?line (\d+), (.*)$/.exec(error) ?? [];
    if (cellLine !== undefined) faults.push({ line: Number(cellLine), text: cell ?? '' });
    else faults.push({ line: row, text: `${record === '' ? '' : `${record}: `}${error.replace(/^message : /, '')}` });
  }
  // The first is told by itself, and again among all.
  return faults.filter(
    (fault, index) => faults.findIndex(({ line, text }) => line === fault.line && text === fault.text) === index,
  );
}
