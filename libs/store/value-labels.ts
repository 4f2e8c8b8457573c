// English labels of controlled values, as documents show them ("Linear Feet"); from the reference data of the project.
import { readFileSync } from 'node:fs';

/** The label of a value in a list; the value itself where it has none. */
export type ValueLabel = (list: string, value: string) => string;

/** Reads db/reference/enumeration-labels.en.json; call it once in a process. */
export function readValueLabels(): ValueLabel {
  const text = readFileSync(new URL('../../db/reference/enumeration-labels.en.json', import.meta.url), 'utf8');
  // The file is part of the project: labels by value, by list.
  const lists = JSON.parse(text) as { readonly [list: string]: { readonly [value: string]: string } };
  const labels = new Map(Object.entries(lists).map(([list, values]) => [list, new Map(Object.entries(values))]));
  return (list, value) => labels.get(list)?.get(value) ?? value;
}
