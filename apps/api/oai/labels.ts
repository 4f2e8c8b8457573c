// English labels of controlled values ("Linear Feet"), for formats that show them.
import { readFileSync } from 'node:fs';

// The file is part of the project: labels by value, by list. Read once; it does not change while the service runs.
const lists = JSON.parse(readFileSync(new URL('../../../db/reference/enumeration-labels.en.json', import.meta.url), 'utf8')) as { readonly [list: string]: { readonly [value: string]: string } };

/** The label of a value of a list; the value itself where it has none. */
export function englishLabel(list: string, value: string): string {
  const labels = Object.hasOwn(lists, list) ? lists[list] : undefined;
  return labels !== undefined && Object.hasOwn(labels, value) ? (labels[value] ?? value) : value;
}
