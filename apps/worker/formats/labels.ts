// Labels of controlled values as people write them in documents ("Linear Feet"), for readers of formats: lower-case label to value.
import { readEnumerationLabels } from '#store/enumerations/labels.ts';

/** By list, values by lower-case label. Reads the reference data; once for each import. */
export function readLabels(): { readonly [list: string]: { readonly [label: string]: string } } {
  return Object.fromEntries(
    Object.entries(readEnumerationLabels()).map(([list, labels]) => [
      list,
      Object.fromEntries(Object.entries(labels).map(([value, label]) => [label.toLowerCase(), value])),
    ]),
  );
}
