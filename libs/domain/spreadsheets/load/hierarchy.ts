// Where the rows of a sheet stand in the tree (contract trees-and-jobs 6.7): 1 is the top, n is below the row before that has n-1.
import type { RowReader } from './row-reader.ts';

/** The parents of rows as they come. */
export type Hierarchy = {
  /** The parent of a row (null: directly under the resource). A wrong number is a fault of the row, and the next rows are read as if it were right. */
  parentOf(reader: RowReader, uri: string): string | null;
};

/** `start`: the archival object that stands as the row before the first, as one with 1, and its parent; null where the sheet begins at the top of the resource. */
export function openHierarchy(start: { readonly uri: string; readonly parent: string | null } | null): Hierarchy {
  let above: readonly (string | null)[] = start === null ? [null] : [start.parent, start.uri];
  return {
    parentOf: (reader, uri) => {
      const text = reader.text('hierarchy');
      const level = /^\d{1,3}$/.test(text ?? '') ? Number(text) : 0;
      if (text === undefined) reader.wrong('hierarchy', 'Is required');
      else if (level < 1) reader.wrong('hierarchy', `${text} is no level; the highest is 1`);
      else if (level > above.length)
        reader.wrong(
          'hierarchy',
          above.length === 1
            ? 'The first row must have 1'
            : `May be ${above.length} at most: one more than in the row before`,
        );
      const depth = Math.min(Math.max(level, 1), above.length);
      above = [...above.slice(0, depth), uri];
      return above[depth - 1] ?? null;
    },
  };
}
