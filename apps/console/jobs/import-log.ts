// What the log of an import tells: what is wrong and where, and what of the files is left out (contract trees-and-jobs 3.7).

/** Something that is wrong: in which file and record (null: not told), at which place, what, and of which property (null: of none). */
export type ImportFault = {
  readonly file: string | null;
  readonly record: string | null;
  readonly line: number | null;
  /** Of a document its number, of a sheet its name. */
  readonly column: string | null;
  readonly property: string | null;
  readonly says: string;
};

/** What is left out of a file: how many parts, the first of them and the sorts of the others, as the log has them, and how many more there are of no sort. */
export type LeftOut = {
  readonly file: string;
  readonly total: number;
  readonly parts: readonly string[];
  readonly more: number;
};

/** What was read of a log so far. */
export type ImportLog = {
  take(line: string): void;
  faults(): readonly ImportFault[];
  leftOut(): readonly LeftOut[];
};

type Where = 'files' | 'left out' | 'faults' | 'cells';

/** Reads a log line by line. */
export function readImportLog(): ImportLog {
  let where: Where = 'files';
  let isAfterRule = false;
  let isHeading = false;
  let file: string | null = null;
  let record: string | null = null;
  // Of a sheet, the row of the record.
  let row: number | null = null;
  let faults: ImportFault[] = [];
  // A document tells its place in lines of their own, behind what is wrong with it.
  let place: { line: number | null; column: string | null; message: string | null } = nowhere();
  const left: { file: string; total: number; parts: string[]; more: number }[] = [];
  const settle = (): void => {
    if (place.message !== null)
      faults.push({ file, record, line: place.line, column: place.column, property: null, says: place.message });
    place = nowhere();
  };
  const takeFault = (line: string): void => {
    const [, cellFile, cellRow, column, message] = where === 'cells' ? (cell.exec(line) ?? []) : [];
    if (message !== undefined) {
      faults.push({
        file: cellFile ?? file,
        record: null,
        line: Number(cellRow),
        column: column ?? null,
        property: null,
        says: message,
      });
      return;
    }
    const [, name = '', says = ''] = field.exec(line) ?? [];
    if (name === 'message') place.message = says;
    else if (place.message !== null && name === 'line') place.line = Number(says);
    else if (place.message !== null && name === 'column') place.column = says;
    else if (place.message === null)
      faults.push({ file, record, line: row, column: null, property: name === '' ? null : name, says: says || line });
  };
  return {
    take(line) {
      const [, heading] = isAfterRule && where !== 'faults' ? (/^\w+: (.+)$/.exec(line) ?? []) : [];
      // The rule behind a heading closes it.
      isAfterRule = /^={20,}$/.test(line) && !isHeading;
      isHeading = heading !== undefined;
      if (line === 'IMPORT ERROR') [where, file] = ['faults', null];
      else if (heading !== undefined) [where, file] = ['files', heading];
      else if (where === 'faults' || where === 'cells') {
        if (line.startsWith('\t')) return takeFault(line.trim());
        settle();
        if (line.startsWith('File: ')) file = line.slice('File: '.length);
        else if (line.startsWith('Line: ')) row = Number(line.slice('Line: '.length));
        else if (line.startsWith('Record ')) record = line;
        else if (line.startsWith('Faults of cells: ')) [where, faults] = ['cells', []];
        // All of them follow, the first once more.
        else if (line.startsWith('Bad records: ')) [where, faults, record, row] = ['faults', [], null, null];
      } else if (line.startsWith('Left out: ')) {
        where = 'left out';
        left.push({ file: file ?? '', total: Number(line.slice('Left out: '.length)), parts: [], more: 0 });
      } else if (where === 'left out' && line.startsWith('\t')) {
        const [last, rest] = [left.at(-1), /^\t… and (\d+) more$/.exec(line)];
        if (last !== undefined && rest !== null) last.more = Number(rest[1]);
        else last?.parts.push(line.trim());
      } else where = 'files';
    },
    faults() {
      settle();
      return faults;
    },
    leftOut: () => left,
  };
}

const field = /^(\w+) : (.*)$/;
const cell = /^(?:(.+), )?line (\d+), ([^:]+): (.*)$/;
const nowhere = () => ({ line: null, column: null, message: null });
