// The values that the spreadsheet for changing archival objects offers for its cells, by controlled list.
import type { Enumerations } from '../checking/context.ts';
import type { Choice, Choices } from './updater-workbook.ts';

/** Labels by value, by list. */
type Labels = { readonly [list: string]: { readonly [value: string]: string } };

/** The values of a list in the order of their labels, those that are suppressed left out. Each list is put in order once. */
export function choicesOf(enumerations: Enumerations, labels: Labels): Choices {
  const known = new Map<string, readonly Choice[]>();
  return (list) => {
    const values =
      known.get(list) ??
      (enumerations.get(list)?.values ?? [])
        .filter((value) => list !== 'instance_instance_type' || value !== 'digital_object')
        .map((value) => ({ value, label: labels[list]?.[value] ?? value }))
        .toSorted((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1));
    known.set(list, values);
    return values;
  };
}
