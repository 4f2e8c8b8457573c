// Dates as archivists write them: years, months and days of any era, standardised dates of agents, times of events.
// Pure reading and comparing; the checks that use them follow contract, behaviour-records.md 1.6.

/** A calendar day; the year may be negative (before the common era). */
export type Day = { readonly year: number; readonly month: number; readonly day: number };

const sloppy = /^(-?)(\d{1,6})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/;
const longMonths = new Set([1, 3, 5, 7, 8, 10, 12]);

/** The number of days of a month in the proleptic Gregorian calendar; 0 where there is no such month. */
export function daysInMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return longMonths.has(month) ? 31 : 30;
}

/** The first day that a date of a `date` sub-record names ('1900', '1900-05', '-0044-03-15'); null where it is none. Short forms are padded with 01. */
export function parseDay(text: string): Day | null {
  const match = sloppy.exec(text);
  if (match === null) return null;
  const year = Number(match[2]) * (match[1] === '-' ? -1 : 1);
  const month = Number(match[3] ?? 1);
  const day = Number(match[4] ?? 1);
  return day < 1 || day > daysInMonth(year, month) ? null : { year, month, day };
}

/** The order of two days: negative where `a` is earlier. */
export function compareDays(a: Day, b: Day): number {
  return a.year - b.year || a.month - b.month || a.day - b.day;
}

/** Whether an end is before a begin. Both as sent; an end that is a prefix of begin counts as equal, and so does a date that cannot be read. */
export function endsBeforeBegin(begin: string, end: string): boolean {
  if (begin.startsWith(end)) return false;
  const first = parseDay(begin);
  const last = parseDay(end);
  return first !== null && last !== null && compareDays(last, first) < 0;
}

const standardizedForms = [/^\d{1,4}$/, /^\d{1,4}-\d{2}$/, /^\d{3,4}-\d{2}-\d{2}$/, /^\d{2}-\d{4}$/];

/** Whether a standardised date of an agent has one of the accepted forms (YYYY, YYYY-MM, YYYY-MM-DD, MM-YYYY); the calendar is not asked. */
export function hasStandardizedForm(text: string): boolean {
  return standardizedForms.some((form) => form.test(text));
}

const monthFirst = /^(\d{2})-(\d{4})$/;

/** A standardised date with its year in front: `05-1900` is 1900-05, every other form as it is. */
export const withYearFirst = (text: string): string => text.replace(monthFirst, '$2-$1');

const isoTime =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** A time in ISO 8601 as `YYYY-MM-DDTHH:MM:SSZ`; null where it is none, or in no year from 0000 to 9999. A time without zone is read as UTC, a date as its midnight. */
export function toUtcTime(text: string): string | null {
  const match = isoTime.exec(text.trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 59) return null;
  const time = utcMidnight(year, month, day) + ((hour * 60 + minute - zoneMinutes(match[7])) * 60 + second) * 1000;
  const written = new Date(time).toISOString();
  // With its zone it may be in a year that has no plain form.
  return /^\d{4}-/.test(written) ? `${written.slice(0, 19)}Z` : null;
}

/** The beginning of a day in UTC, in milliseconds since 1970. (Date.UTC takes years below 100 for those of the twentieth century.) */
export function utcMidnight(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || /^(z|utc)$/i.test(zone)) return 0;
  const digits = zone.replace(/\D/g, '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4));
  return zone.startsWith('-') ? -minutes : minutes;
}
