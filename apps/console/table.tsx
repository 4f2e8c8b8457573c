// A table that scrolls by itself where it is wider than the view.
import type { JSX } from 'preact';

// Text, or something to be shown.
type Cell = JSX.Element | string;

type Shown = {
  /** What it lists, for those who do not see what stands around it. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the first cell of a row names it. */
  readonly isNamed?: boolean;
};

/** The table. */
export const Table = ({ title, columns, rows, isNamed = false }: Shown): JSX.Element => (
  <div class="wide" role="group" aria-label={title} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) =>
              isNamed && column === 0 ? (
                <th key={column} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={column}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
