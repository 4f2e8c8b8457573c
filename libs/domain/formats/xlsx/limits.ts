// What one sheet may hold, of a workbook or in CSV: far above what people fill in, and small enough to be held in memory.

/**
 * Rows with text, and their cells and characters in all; characters of one cell. Columns and the last row are those of spreadsheet programs
 * (XFD1048576). `merged`: cells of merged areas that are looked at.
 */
export const sheetLimits = {
  rows: 200_000,
  cells: 5_000_000,
  characters: 100_000_000,
  cellCharacters: 1_000_000,
  columns: 16_384,
  lastRow: 1_048_576,
  merged: 5_000_000,
  styles: 65_536,
} as const;

/** What a part may hold that is read as a whole: the directory of the sheets and its relations are a hundredth of it. */
export const partLimits = { characters: 2_000_000, depth: 64 } as const;
