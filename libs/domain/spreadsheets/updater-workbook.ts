// The workbook for changing many archival objects (contract trees-and-jobs 6.2): the sheet `Updates` with a row for each record, and the
// sheet `Enums` with the values to choose from, each list in the column of the same letter.
import { columnLetters } from '../formats/xlsx/cells.ts';
import type { Cell, DropDown, Sheet } from '../formats/xlsx/write.ts';
import type { Column } from './columns.ts';
import type { Facts } from './facts.ts';

/** A value of a controlled list with its label. */
export type Choice = { readonly value: string; readonly label: string };

/** The values of a list in the order of their labels. */
export type Choices = (list: string) => readonly Choice[];

/** The name of the sheet that is read back. */
export const updatesSheet = 'Updates';
/** Rows before the first record: headings and paths. */
const headingRows = 2;

const shown = ({ label, value }: Choice): string => `${label} [${value}]`;

/** The sheets, for writeXlsx. */
export function updaterSheets(
  columns: readonly Column[],
  records: readonly Facts[],
  choices: Choices,
): readonly Sheet[] {
  const lists = columns.map((column) =>
    column.isFlag === true ? ['true', 'false'] : column.list === undefined ? null : choices(column.list).map(shown),
  );
  const labels = columns.map(({ list }) =>
    list === undefined ? null : new Map(choices(list).map((choice) => [choice.value, shown(choice)])),
  );
  const styles = columns.map(({ isLocked }) => (isLocked === true ? 'locked' : 'editable'));
  const cellOf = (facts: Facts, column: Column, index: number): Cell => {
    const text = facts.get(column.path) ?? null;
    return {
      value:
        text === null
          ? null
          : (labels[index]?.get(text) ?? (column.list === undefined ? text : shown({ label: text, value: text }))),
      style: styles[index] ?? 'locked',
    };
  };
  function* rows(): Generator<readonly Cell[]> {
    yield columns.map(({ heading }) => ({ value: heading, style: 'heading' }));
    yield columns.map(({ path }) => ({ value: path, style: 'path' }));
    for (const facts of records) yield columns.map((column, index) => cellOf(facts, column, index));
  }
  const dropDowns = lists.flatMap((values, index): DropDown[] => {
    if (values === null || values.length === 0) return [];
    const letters = columnLetters(index);
    return [
      {
        column: index,
        firstRow: headingRows + 1,
        lastRow: headingRows + 1 + records.length,
        values: `Enums!$${letters}$2:$${letters}$${values.length + 1}`,
      },
    ];
  });
  const longest = Math.max(0, ...lists.map((values) => values?.length ?? 0));
  function* choiceRows(): Generator<readonly Cell[]> {
    yield columns.map(({ list, isFlag }) => ({ value: isFlag === true ? 'boolean' : (list ?? null) }));
    for (let row = 0; row < longest; row++) yield lists.map((values) => ({ value: values?.[row] ?? null }));
  }
  return [
    {
      name: updatesSheet,
      columns: columns.map(({ path }, index) => ({
        width: path === 'title' ? 40 : 18,
        style: styles[index] ?? 'locked',
      })),
      rows: rows(),
      isProtected: true,
      freeze: { rows: 1, columns: 3 },
      dropDowns,
    },
    { name: 'Enums', columns: [], rows: choiceRows(), isProtected: true },
  ];
}
