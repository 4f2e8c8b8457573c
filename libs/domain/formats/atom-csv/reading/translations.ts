// Rows that say in another language what a row before them says: AtoM writes a row for each culture of a record, and a record here has one language.
import type { AtomRow, AtomSheet } from './sheet.ts';

/** Whether a row says what one before it says. */
type Sameness = 'translation' | 'twice' | null;

/**
 * Makes what tells of each row of a sheet, in their order, whether it is a translation of one before it (told as left out, under the text of `named`), or
 * says the same in the same culture (`twice`; `before` is the line of the first). `idOf`: what the rows of one record have in common.
 */
export function translationFinder(
  sheet: AtomSheet,
  { idOf, named }: { readonly idOf: (row: AtomRow) => string | undefined; readonly named: string },
): (row: AtomRow) => { readonly is: Sameness; readonly before: number } {
  const first = new Map<string, { readonly line: number; readonly culture: string }>();
  return (row) => {
    const id = idOf(row);
    const culture = row.cell('culture') ?? '';
    const before = id === undefined ? undefined : first.get(id);
    if (before === undefined) {
      if (id !== undefined) first.set(id, { line: row.line, culture });
      return { is: null, before: 0 };
    }
    if (culture === before.culture) return { is: 'twice', before: before.line };
    sheet.context.report.dropText(
      row.line,
      'culture',
      `${culture}: ${row.cell(named) ?? ''}`,
      `a translation; a record has one language, and that of line ${before.line} is kept`,
    );
    return { is: 'translation', before: before.line };
  };
}
