// English labels of controlled values, for the documents that go out.
import { readFileSync } from 'node:fs';

/** Gives the label of a value of a list; the value itself where it has none (values that an archive added). */
export type Label = (list: string, value: string) => string;

/** Reads db/reference/enumeration-labels.en.json; once for a process. */
export function readLabels(): Label {
  const text = readFileSync(new URL('../../../db/reference/enumeration-labels.en.json', import.meta.url), 'utf8');
  // The file is part of the project: labels by value, by list.
  const lists = JSON.parse(text) as { readonly [list: string]: { readonly [value: string]: string } | undefined };
  return (list, value) => lists[list]?.[value] ?? value;
}
