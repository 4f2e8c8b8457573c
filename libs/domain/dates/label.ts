// Dates as parts of display strings (contract 3.4).
import type { JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';

/** The text of one `date`: its expression, else `begin - end`, else begin; `bulk: ` before bulk dates. Empty where it has none of them. */
export function dateText(date: JsonObject): string {
  const text =
    textOf(date, 'expression') ??
    [textOf(date, 'begin'), textOf(date, 'end')].filter((part) => part !== undefined).join(' - ');
  return text !== '' && textOf(date, 'date_type') === 'bulk' ? `bulk: ${text}` : text;
}

/** The dates of a record as one text, joined by ', '. */
export function datesText(body: JsonObject): string {
  return objectsOf(body, 'dates')
    .map(dateText)
    .filter((text) => text !== '')
    .join(', ');
}
