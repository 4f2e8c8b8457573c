// Writes comma-separated values (RFC 4180): lines end in LF, cells are quoted where they must be.

/** A line of cells; null is an empty cell. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : quoted(String(cell)))).join(',')}\n`;
}

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Text that spreadsheet programs do not take for a formula: an apostrophe comes before what begins like one, unless it is a plain number. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
}
