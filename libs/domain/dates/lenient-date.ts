// Reads dates the way the contract's date properties do (behaviour-records.md 1.4): many notations in, YYYY-MM-DD out.
// Notations that need today's date (week days, day numbers) are refused, since domain code has no clock.
import { daysInMonth } from './rules.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const plain = /^(\d{4})-(\d{2})-(\d{2})$/;
const isoTail = '(?:[T ][\\d:.,]+ ?(?:Z|UTC|[+-]\\d{2}:?\\d{2})?)?$';
const yearFirst = new RegExp(`^(-?\\d{4,})[-/.](\\d{1,2})(?:[-/.](\\d{1,2}))?${isoTail}`);
const yearLast = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const packed = new RegExp(`^(\\d{4})(\\d{2})(\\d{2})${isoTail}`);
const dayName = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/i;
const monthFirst = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(-?\d{4})$/i;
const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?([a-z]{3,9})\.?,?[\s-]+(-?\d{4})$/i;
const monthYear = /^([a-z]{3,9})\.?,?\s+(-?\d{4})$/i;
const fullMonths = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The date in a text as YYYY-MM-DD (a leading '-' for years before year 0), or null where it is none. A day that is not given is the first; day comes before month in 3/5/2012. */
export function readDate(text: string): string | null {
  const ready = plain.exec(text);
  if (ready !== null) return isoDate(ready[1], Number(ready[2]), Number(ready[3]));
  const trimmed = text.trim().replace(dayName, '');
  const first = yearFirst.exec(trimmed) ?? packed.exec(trimmed);
  if (first !== null) return isoDate(first[1], Number(first[2]), Number(first[3] ?? 1));
  const last = yearLast.exec(trimmed);
  if (last !== null) return isoDate(last[3], Number(last[2]), Number(last[1]));
  const named = monthFirst.exec(trimmed);
  if (named !== null) return isoDate(named[3], monthOf(named[1]), Number(named[2]));
  const dayed = dayFirst.exec(trimmed);
  if (dayed !== null) return isoDate(dayed[3], monthOf(dayed[2]), Number(dayed[1]));
  const short = monthYear.exec(trimmed);
  return short === null ? null : isoDate(short[2], monthOf(short[1]), 1);
}

const clock = /(?:T|\s)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)? ?(?:Z|UTC|([+-])(\d{2}):?(\d{2}))?$/;

/** As readDate for a moment: a text with a time of day gives YYYY-MM-DDTHH:MM:SSZ in UTC (contract 1.2), one without its date alone; null where it is none. */
export function readDateTime(text: string): string | null {
  const date = readDate(text);
  const time = date === null ? null : clock.exec(text.trim());
  if (date === null || time === null) return date;
  const [, hour, minute, second = '0', sign, zoneHour = '0', zoneMinute = '0'] = time;
  // A time that no clock shows does not make the day wrong.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return date;
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
  const moment = new Date(Date.parse(`${date}T${two(Number(hour))}:${minute}:${two(Number(second))}Z`) - offset);
  return Number.isNaN(moment.getTime()) ? date : moment.toISOString().replace('.000Z', 'Z');
}

function monthOf(name: string | undefined): number {
  const lower = (name ?? '').toLowerCase();
  const at = months.indexOf(lower.slice(0, 3));
  // 'sept' is the one usual abbreviation of more than three letters.
  return at >= 0 && (lower.length === 3 || lower === 'sept' || lower === fullMonths[at]) ? at + 1 : 0;
}

function isoDate(year: string | undefined, month: number, day: number): string | null {
  if (year === undefined || month < 1 || month > 12 || day < 1 || day > daysInMonth(Number(year), month)) return null;
  return `${year}-${two(month)}-${two(day)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
