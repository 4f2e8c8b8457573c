// Sheets of AtoM in tests: rows as CSV, every column with a mark of its own, and what became of the marks.
import type { Reading } from './import-reading.ts';

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** Rows as a sheet with the columns that any of them has. */
export const sheet = (rows: readonly { readonly [column: string]: string }[], end = '\n'): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => cells.map(quoted).join(','))
    .join(end);
};

/** Columns whose text is a code for something: not in the records as it stands, nor told. */
const coded: { readonly [column: string]: string } = {
  parentId: '',
  levelOfDescription: 'Fonds',
  language: 'en',
  script: 'latn',
  languageOfDescription: 'en',
  scriptOfDescription: 'latn',
  publicationStatus: 'Published',
  descriptionStatus: 'Final',
  status: 'Final',
  typeOfEntity: 'Corporate body',
  acquisitionDate: '2010-01-29',
  culture: 'en',
};
/** A row with a mark in each column. */
export const marked = (columns: readonly string[]): { readonly [column: string]: string } =>
  Object.fromEntries(columns.map((column) => [column, coded[column] ?? `mark of ${column}`]));
/** The columns whose text is neither in a record nor told. */
export const lost = (columns: readonly string[], { records, report }: Reading): readonly string[] => {
  const everything = JSON.stringify([records, report.dropped]);
  return columns.filter((column) => !(column in coded) && !everything.includes(`mark of ${column}`));
};
/** Lists that have none of the texts, in whatever form they are looked up. */
export const strict = { isEnumerationValue: (_list: string, value: string) => !/^mark.of/i.test(value) };
/** What was told as left out, a line each. */
export const dropped = ({ report }: Reading): readonly string[] =>
  report.dropped.map(({ line, element, reason, text }) => `${line} ${element}: ${reason}: ${text}`);
