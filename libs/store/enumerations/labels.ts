// English labels of controlled values, from the reference data of the project.
import { readFileSync } from 'node:fs';

/** Labels by value, by list. */
export type EnumerationLabels = { readonly [list: string]: { readonly [value: string]: string } };

/** Reads db/reference/enumeration-labels.en.json. Values that an installation added have none there. */
export function readEnumerationLabels(): EnumerationLabels {
  const text = readFileSync(new URL('../../../db/reference/enumeration-labels.en.json', import.meta.url), 'utf8');
  // The file is part of the project: labels by value, by list.
  return JSON.parse(text) as EnumerationLabels;
}
