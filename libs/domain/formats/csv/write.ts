// Writes comma-separated values (RFC 4180): lines end in LF, cells are quoted where they must be. What people typed into records is opened in
// spreadsheet programs, which compute what looks like a formula: such texts are marked as texts.

/** A line of cells; null is an empty cell. Texts that spreadsheet programs would take for formulas are marked. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? quoted(withoutFormula(cell)) : String(cell ?? ''))).join(',')}\n`;
}

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** An apostrophe comes before what begins like a formula, unless it is a plain number. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
}

/** The text of a cell that was marked, as it was before; others stay as they are. */
export const withoutMark = (text: string): string => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text);
