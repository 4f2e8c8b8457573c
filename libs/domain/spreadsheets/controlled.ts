// Values of controlled lists as people write them in cells: the value itself, in any case of letters, or its label.
import type { Enumerations } from '../checking/context.ts';

/** A value of a controlled list for what a cell says, as value or as label; undefined where there is none. */
export type Controlled = (list: string, text: string) => string | undefined;

/** Values by lower-case label, by list. */
export type ListLabels = { readonly [list: string]: { readonly [label: string]: string } };

/** Reads cells against the lists of the database. */
export function controlledBy(enumerations: Enumerations, labels: ListLabels): Controlled {
  const labelled = (list: string, label: string): string | undefined => {
    const values = labels[list];
    return values !== undefined && Object.hasOwn(values, label) ? values[label] : undefined;
  };
  return (list, text) =>
    [text, text.toLowerCase(), labelled(list, text.toLowerCase())].find(
      (value) => value !== undefined && enumerations.get(list)?.has(value) === true,
    );
}
