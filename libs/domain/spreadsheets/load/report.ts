// The report of a load (contract trees-and-jobs 6.7): a line for each row, and below it a line for each thing to know of it.
import { parseUri } from '../../addresses.ts';
import { csvLine } from '../../formats/csv/write.ts';
import type { SheetFault } from '../rows.ts';
import type { LoadPlan, PlannedRow } from './plan.ts';

/** How a row ended: stored, fit to be stored (where the job only looks), wrong, or left alone because others are wrong. */
export type RowStatus = 'Created' | 'Updated' | 'Valid' | 'Error' | 'Not loaded';

/** A row of the report; `row` is null for what concerns the sheet as a whole. */
export type ReportRow = {
  readonly row: number | null;
  readonly status: RowStatus;
  readonly title: string;
  readonly uri: string;
  readonly refId: string;
  readonly messages: readonly string[];
};

/** The lines of the report. */
export function* loadReport(rows: Iterable<ReportRow>): Generator<string> {
  yield csvLine(['Row', 'Status', 'Title', 'URI', 'Ref ID', 'Info or Error']);
  yield '\n';
  for (const { row, status, title, uri, refId, messages } of rows) {
    yield csvLine([row, status, title, uri, refId, null]);
    for (const message of messages) yield csvLine([row, null, null, null, null, message]);
  }
}

/** The rows of a sheet that is refused: first what concerns the sheet as a whole, then the rows in order, faulty or not. */
export function faultyRows(rows: readonly PlannedRow[], faults: readonly SheetFault[]): readonly ReportRow[] {
  const byRow = Map.groupBy(faults, ({ row }) => row);
  const titles = new Map<number | null, string>(rows.map(({ row, title }) => [row, title]));
  const all = [...new Set([...byRow.keys(), ...titles.keys()])].sort((a, b) => (a ?? 0) - (b ?? 0));
  return all.map((row) => {
    const messages = (byRow.get(row) ?? []).map(({ column, message }) =>
      column === null ? message : `${column}: ${message}`,
    );
    return {
      row,
      status: messages.length === 0 ? 'Not loaded' : 'Error',
      title: titles.get(row) ?? '',
      uri: '',
      refId: '',
      messages,
    };
  });
}

/** The rows of a sheet that was loaded, or could be (no uris then). `uris`: real ones by temporary ones; `refIds` by id of new archival objects. */
export function loadedRows(
  plan: LoadPlan,
  status: RowStatus,
  uris: ReadonlyMap<string, string>,
  refIds: ReadonlyMap<number, string>,
): readonly ReportRow[] {
  const notes = Map.groupBy(plan.notes, ({ row }) => row);
  const made = Map.groupBy(plan.made, ({ row }) => row);
  return plan.rows.map((planned) => {
    const uri = uris.get(planned.uri) ?? (planned.refId === null ? '' : planned.uri);
    const things = (made.get(planned.row) ?? []).map(({ uri: temporary, says }) =>
      uris.has(temporary) ? `${says}: ${uris.get(temporary)}` : says,
    );
    const refId = planned.refId ?? refIds.get(parseUri(uri)?.id ?? 0) ?? '';
    return {
      row: planned.row,
      status,
      title: planned.title,
      uri,
      refId,
      messages: [...things, ...(notes.get(planned.row) ?? []).map(({ message }) => message)],
    };
  });
}
