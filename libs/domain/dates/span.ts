// The span of time that dates of a record's parts cover (contract trees-and-jobs 5.1). Pure arithmetic on the texts of begins and ends.
import { compareDays, daysInMonth, parseDay } from './rules.ts';
import type { Day } from './rules.ts';

/** A date as it is stored: standardised texts, of which either may be missing. */
export type StoredDate = { readonly begin: string | null; readonly end: string | null };

/** The extreme days in ISO form, and the texts they come from; all null where no date can be read. */
export type DateSpan = {
  readonly min_begin_date: string | null;
  readonly min_begin: string | null;
  readonly max_end_date: string | null;
  readonly max_end: string | null;
};

type Extreme = { readonly day: Day; readonly text: string };

/**
 * The earliest begin and the latest end. A year or month begins with its first day and ends with its last; a date without an end ends
 * when it begins. Texts in other forms are left out. Of several texts for one extreme the shortest is told.
 */
export function dateSpan(dates: Iterable<StoredDate>): DateSpan {
  let first: Extreme | null = null;
  let last: Extreme | null = null;
  for (const { begin, end } of dates) {
    const from = begin === null ? null : extreme(begin, parseDay(begin));
    const ending = end ?? begin;
    const to = ending === null ? null : extreme(ending, lastDay(ending));
    if (from !== null && (first === null || isBefore(from, first))) first = from;
    if (to !== null && (last === null || isBefore({ ...last, text: to.text }, { ...to, text: last.text }))) last = to;
  }
  return {
    min_begin_date: isoText(first),
    min_begin: first?.text ?? null,
    max_end_date: isoText(last),
    max_end: last?.text ?? null,
  };
}

/** The span of dates as the database lists them: JSON text of pairs, begin and end. */
export function dateSpanOf(text: string): DateSpan {
  const pairs: readonly (readonly [string | null, string | null])[] = JSON.parse(text);
  return dateSpan(pairs.map(([begin, end]) => ({ begin, end })));
}

const extreme = (text: string, day: Day | null): Extreme | null => (day === null ? null : { day, text });

/** Whether the day is earlier, or the same in a shorter text. */
function isBefore(a: Extreme, b: Extreme): boolean {
  return (compareDays(a.day, b.day) || a.text.length - b.text.length) < 0;
}

function lastDay(text: string): Day | null {
  const day = parseDay(text);
  if (day === null) return null;
  const parts = text.replace(/^-/, '').split('-').length;
  if (parts === 3) return day;
  const month = parts === 1 ? 12 : day.month;
  return { year: day.year, month, day: daysInMonth(day.year, month) };
}

function isoText(found: Extreme | null): string | null {
  if (found === null) return null;
  const { year, month, day } = found.day;
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
