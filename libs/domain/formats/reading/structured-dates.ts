// Structured dates of agents (contract schemas.json, structured_date_label) from an expression and a standard form of each end.
import type { JsonObject } from '../../json.ts';

/** One end of a date: the words, and the standard form with what it says. */
export type DateEnd = {
  readonly expression?: string;
  readonly standard?: string;
  readonly type?: 'standard' | 'not_before' | 'not_after';
};

/** A date of one day or end; `role` says which end where it is one. undefined where it says nothing. */
export function singleDate(label: string, date: DateEnd, role: 'begin' | 'end' = 'begin'): JsonObject | undefined {
  const standard = standardForm(date.standard);
  if (date.expression === undefined && standard === undefined) return undefined;
  return {
    jsonmodel_type: 'structured_date_label',
    date_label: label,
    date_type_structured: 'single',
    structured_date_single: {
      jsonmodel_type: 'structured_date_single',
      date_role: role,
      ...(date.expression === undefined ? {} : { date_expression: date.expression }),
      ...(standard === undefined
        ? {}
        : { date_standardized: standard, date_standardized_type: date.type ?? 'standard' }),
    },
  };
}

/**
 * A range; one without a begin is a single end, since a range must begin. An end before its begin keeps only its words. The end has its
 * standard form where the begin has but words, too: the rules take it as long as the begin says no type of one.
 */
export function dateRange(label: string, begin: DateEnd, end: DateEnd): JsonObject | undefined {
  const from = standardForm(begin.standard);
  const to = standardForm(end.standard);
  if (begin.expression === undefined && from === undefined) return singleDate(label, end, 'end');
  const isOrdered = to !== undefined && (from === undefined || to >= from || from.startsWith(to));
  // The rules want words for a begin whose end has words.
  const beginWords = begin.expression ?? (end.expression === undefined ? undefined : from);
  const endWords = end.expression ?? (to !== undefined && !isOrdered && beginWords !== undefined ? to : undefined);
  return {
    jsonmodel_type: 'structured_date_label',
    date_label: label,
    date_type_structured: 'range',
    structured_date_range: {
      jsonmodel_type: 'structured_date_range',
      ...(beginWords === undefined ? {} : { begin_date_expression: beginWords }),
      ...(from === undefined
        ? {}
        : { begin_date_standardized: from, begin_date_standardized_type: begin.type ?? 'standard' }),
      ...(endWords === undefined ? {} : { end_date_expression: endWords }),
      ...(isOrdered ? { end_date_standardized: to, end_date_standardized_type: end.type ?? 'standard' } : {}),
    },
  };
}

/** A standard form that the rules accept: year, month or day of the calendar, four digits of year. */
export function standardForm(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}/.test(text) && isIsoDate(text) ? text : undefined;
}

/** Whether a text is `YYYY`, `YYYY-MM` or `YYYY-MM-DD` with a possible month and day, `-` in front allowed. */
export function isIsoDate(text: string): boolean {
  const match = /^-?(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match;
  if (month === undefined) return true;
  const monthNumber = Number(month);
  if (monthNumber < 1 || monthNumber > 12) return false;
  if (day === undefined) return true;
  const lastDay = new Date(Date.UTC(2000 + (Number(year) % 400), monthNumber, 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= lastDay;
}
