// Field 046 of a MARC 21 authority record: the dates of existence of the agent that it is of (behaviour-imports.md sections 4 and 5).
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { dateRange, singleDate } from '../../reading/structured-dates.ts';
import { textsOfField } from './record.ts';
import type { MarcField } from './record.ts';
import { reportUnused } from './report.ts';

/** Birth or founding, death or end: the words as they stand, the standard form where they are a day, month or year. Undefined where the field tells neither. */
export function readExistence(context: ReadingContext, field: MarcField): JsonObject | undefined {
  const given = ['fqs', 'grt'].map((codes) => textsOfField(field, codes));
  for (const text of given.flatMap((texts) => texts.slice(1)))
    context.report.dropText(field.line, 'datafield 046', text, 'dates of existence begin and end once');
  const [begin = {}, end = {}] = given.map(([text]) => endOf(text));
  reportUnused(context, field, 'fqsgrt2');
  return Object.keys(begin).length > 0 && Object.keys(end).length === 0
    ? singleDate('existence', begin)
    : dateRange('existence', begin, end);
}

/** One end of a date: its words, and the standard form in them (`19000102` is 1900-01-02; signs of doubt go). */
export const endOf = (text: string | undefined): { readonly expression?: string; readonly standard?: string } =>
  text === undefined
    ? {}
    : { expression: text, standard: text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3').replace(/[?~]$/, '') };
