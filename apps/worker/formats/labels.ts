// Labels of controlled values as people write them in documents ("Linear Feet"), for readers of formats: lower-case label to value.
import { readFileSync } from 'node:fs';

/** By list, values by lower-case label. Reads db/reference/enumeration-labels.en.json; once for each import. */
export function readLabels(): { readonly [list: string]: { readonly [label: string]: string } } {
  const text = readFileSync(new URL('../../../db/reference/enumeration-labels.en.json', import.meta.url), 'utf8');
  // The file is part of the project: labels by value, by list.
  const lists = JSON.parse(text) as { readonly [list: string]: { readonly [value: string]: string } };
  return Object.fromEntries(Object.entries(lists).map(([list, labels]) => [list, Object.fromEntries(Object.entries(labels).map(([value, label]) => [label.toLowerCase(), value]))]));
}
