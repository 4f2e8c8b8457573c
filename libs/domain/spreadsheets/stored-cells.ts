// Cells that say what is stored as far as a workbook can say it: blanks around a text, forms of line ends, and what is beyond the longest cell
// get lost on the way out and back. They count as what is stored, so that a sheet changes what somebody changed in it and nothing else.
import { longestCell } from '../formats/xlsx/cells.ts';
import { withoutForbidden } from '../formats/xml/escape.ts';
import type { Facts, SheetRecord } from './facts.ts';
import { factsOf } from './facts.ts';
import type { SheetFault, UpdateRow } from './rows.ts';

/** A row beside its record; `faults` are of the texts that the sheet had the beginning of, and that were changed: their ends would be lost. */
export type StoredRow = { readonly row: UpdateRow; readonly facts: Facts; readonly faults: readonly SheetFault[] };

/** The row with what is stored in place of the cells that say it. */
export function withStored({ row, cells }: UpdateRow, record: SheetRecord): StoredRow {
  const facts = factsOf(record);
  const faults: SheetFault[] = [];
  const next = new Map(cells);
  for (const [path, cell] of cells) {
    const fact = facts.get(path);
    if (fact === undefined || fact === cell) continue;
    if (asRead(fact.slice(0, longestCell)) === asRead(cell ?? '')) next.set(path, fact);
    else if (fact.length > longestCell && cell !== null) faults.push({ row, column: path, message: tooLong });
  }
  return { row: { row, cells: next }, facts, faults };
}

const tooLong = `What is stored is longer than the ${longestCell} characters of a cell, and the sheet has its beginning alone; change it in the record`;

const asRead = (text: string): string => withoutForbidden(text).replaceAll(/\r\n?/g, '\n').trim();

/** A row beside its record as whoever fetched the sheet saw it. `keepsHidden`: without links to suppressed records, which the record keeps. */
export type ViewedRow = StoredRow & { readonly sheet: SheetRecord; readonly keepsHidden: boolean };

/**
 * The row beside the record as the sheet shows it: as a whole, or without what is suppressed, where less of the row differs from that. Whoever
 * sends a sheet back may see more than who fetched it, and places in lists count what was shown.
 */
export function viewedRow(row: UpdateRow, whole: SheetRecord, open: SheetRecord | undefined): ViewedRow {
  const all = { ...withStored(row, whole), sheet: whole, keepsHidden: false };
  if (open === undefined || JSON.stringify(open.record) === JSON.stringify(whole.record)) return all;
  const some = { ...withStored(row, open), sheet: open, keepsHidden: true };
  return differing(some) < differing(all) ? some : all;
}

const differing = ({ row, facts }: StoredRow): number =>
  [...row.cells].filter(([path, cell]) => (facts.get(path) ?? null) !== cell).length;
