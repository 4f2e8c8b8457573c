// A report as lines for whoever sets it on paper: a block for each row, under its first column.
import type { Line } from '../formats/printed-finding-aid/pdf/lines.ts';
import type { JsonObject } from '../json.ts';
import type { ReportColumn } from './table.ts';
import { columnTitle } from './table.ts';
import type { ReportOutput } from './write.ts';
import { blockLines, nothing } from './write.ts';

/** A text in its paragraphs; the term stands before the first. */
function paragraphs(term: string, text: string): readonly Line[] {
  const [first = '', ...others] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return [
    { part: 'term', depth: 1, term, text: first },
    ...others.map((line): Line => ({ part: 'paragraph', depth: 1, text: line })),
  ];
}

/** What stands above the rows. */
export const reportHead = ({ title, info }: Pick<ReportOutput, 'title' | 'info'>): readonly Line[] => [
  { part: 'title', depth: 0, text: title },
  ...Object.entries(info).flatMap(([key, value]) => paragraphs(columnTitle(key), value)),
];

/** The lines of a row; the first is its head. */
export function reportRow(row: JsonObject, columns: readonly ReportColumn[]): readonly Line[] {
  const [head, ...rest] = blockLines(row, columns).flatMap(([term, text]) => paragraphs(term, text));
  return head === undefined ? [] : [{ ...head, part: 'component', depth: 0 }, ...rest];
}

/** What stands in place of rows where there are none. */
export const noRows: Line = { part: 'paragraph', depth: 0, text: nothing };
