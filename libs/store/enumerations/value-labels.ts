// English labels of controlled values, as documents show them ("Linear Feet"); from the reference data of the project.
import { readEnumerationLabels } from './labels.ts';

/** The label of a value in a list; the value itself where it has none. */
export type ValueLabel = (list: string, value: string) => string;

/** Reads the labels; call it once in a process. */
export function readValueLabels(): ValueLabel {
  const labels = new Map(
    Object.entries(readEnumerationLabels()).map(([list, values]) => [list, new Map(Object.entries(values))]),
  );
  return (list, value) => labels.get(list)?.get(value) ?? value;
}
