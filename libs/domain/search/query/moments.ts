// Moments in query text: ISO dates of any precision and date math (`NOW-7DAY`, `2020-01-01T00:00:00Z+1MONTH/DAY`).
import { daysInMonth, utcMidnight } from '../../dates/rules.ts';
import { refuse } from './predicate.ts';

type Unit = 'YEAR' | 'MONTH' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND' | 'MILLI';

/** The span of time that a date text names, in milliseconds since 1970; a full moment begins and ends in itself. */
export type Span = { readonly start: number; readonly end: number };

const shape =
  /^(NOW|(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?(?:Z|([+-])(\d{2}):?(\d{2}))?)?)?)?)((?:[+-]\d{1,6}[A-Z]+|\/[A-Z]+)*)$/;
const units: { readonly [name: string]: Unit } = {
  MILLISECOND: 'MILLI',
  MILLI: 'MILLI',
  SECOND: 'SECOND',
  MINUTE: 'MINUTE',
  HOUR: 'HOUR',
  DAY: 'DAY',
  DATE: 'DAY',
  MONTH: 'MONTH',
  YEAR: 'YEAR',
};
const order: readonly Unit[] = ['MILLI', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'MONTH', 'YEAR'];

/**
 * Reads a date: a year, month or day in UTC, a moment in UTC or with its offset, or NOW, then any number of steps (`+1MONTH`, `-7DAYS`) and roundings
 * down (`/DAY`). `now` is in milliseconds since 1970. Throws `unsupported_query` for anything else, days and times that do not exist among it.
 */
export function parseMoment(text: string, now: number): Span {
  const found = shape.exec(text.trim());
  if (found === null || !isReal(found)) {
    throw refuse(`'${text}' is not a date`);
  }
  const span = calculated(base(found, now), found.at(-1) ?? '');
  if (!isWritable(span.start) || !isWritable(span.end)) {
    throw refuse(`'${text}' is out of range`);
  }
  return span;
}

/** What is named before any steps: now, or a year, month, day or moment, as wide as it is written. */
function base(found: RegExpExecArray, now: number): Span {
  const [, named, year, month, day, hour] = found;
  if (named === 'NOW') return { start: now, end: now };
  const start = utcMidnight(Number(year), Number(month ?? 1), Number(day ?? 1)) + timeOfDay(found);
  if (hour !== undefined) return { start, end: start };
  const width: Unit = day !== undefined ? 'DAY' : month !== undefined ? 'MONTH' : 'YEAR';
  return { start, end: step(start, 1, width) - 1 };
}

/** Whether there is such a month, day and time of day; a calendar would take the 30th of February for a day of March. */
function isReal(found: RegExpExecArray): boolean {
  const [year, month, day] = found.slice(2, 5).map((part) => Number(part ?? 1));
  const [hour, minute, second] = found.slice(5, 8).map((part) => Number(part ?? 0));
  const [offsetHours, offsetMinutes] = found.slice(10, 12).map((part) => Number(part ?? 0));
  const isDay = day !== undefined && day >= 1 && day <= daysInMonth(year ?? 1, month ?? 1);
  return isDay && isTime(hour, minute, second) && isTime(offsetHours, offsetMinutes);
}

const isTime = (hour = 0, minute = 0, second = 0): boolean => hour <= 23 && minute <= 59 && second <= 59;

/** The milliseconds of the time of day that is written, less its offset from UTC. */
function timeOfDay(found: RegExpExecArray): number {
  const [hour, minute, second] = found.slice(5, 8).map((part) => Number(part ?? 0));
  const [milli, side, offsetHours, offsetMinutes] = found.slice(8, 12);
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (side === '-' ? -60_000 : 60_000);
  const seconds = ((hour ?? 0) * 60 + (minute ?? 0)) * 60 + (second ?? 0);
  return seconds * 1000 + Number((milli ?? '0').padEnd(3, '0')) - offset;
}

/** A span after the steps (`+1MONTH`) and roundings (`/DAY`) of a calculation. */
function calculated(span: Span, math: string): Span {
  return [...math.matchAll(/([+-])(\d+)([A-Z]+)|\/([A-Z]+)/g)].reduce(
    ({ start, end }, [, sign, amount, unit, rounding]) => {
      if (rounding !== undefined) return { start: floor(start, toUnit(rounding)), end: floor(end, toUnit(rounding)) };
      const move = (moment: number): number => step(moment, Number(`${sign ?? '+'}${amount ?? 0}`), toUnit(unit ?? ''));
      // What follows a span moves, not its last moment: a month after February March ends, on its 31st.
      return { start: move(start), end: end === start ? move(end) : move(end + 1) - 1 };
    },
    span,
  );
}

/** A moment as ISO 8601 text in UTC with milliseconds. */
export function toIsoText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A moment moved by so many units of the calendar, in UTC. A day that the month reached does not have is its last: a month after 31 January February ends. */
export function step(milliseconds: number, by: number, unit: Unit): number {
  switch (unit) {
    case 'YEAR':
      return stepMonths(milliseconds, 12 * by);
    case 'MONTH':
      return stepMonths(milliseconds, by);
    default:
      return milliseconds + by * { DAY: 86_400_000, HOUR: 3_600_000, MINUTE: 60_000, SECOND: 1000, MILLI: 1 }[unit];
  }
}

function stepMonths(milliseconds: number, by: number): number {
  const date = new Date(milliseconds);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + by, 1);
  return date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)));
}

function floor(milliseconds: number, unit: Unit): number {
  const date = new Date(milliseconds);
  const level = order.indexOf(unit);
  date.setUTCMonth(level >= 6 ? 0 : date.getUTCMonth(), level >= 5 ? 1 : date.getUTCDate());
  date.setUTCHours(
    level >= 4 ? 0 : date.getUTCHours(),
    level >= 3 ? 0 : date.getUTCMinutes(),
    level >= 2 ? 0 : date.getUTCSeconds(),
    level >= 1 ? 0 : date.getUTCMilliseconds(),
  );
  return date.getTime();
}

function toUnit(name: string): Unit {
  const singular = name.endsWith('S') ? name.slice(0, -1) : name;
  const unit = Object.hasOwn(units, singular) ? units[singular] : undefined;
  if (unit === undefined) {
    throw refuse(`'${name}' is not a unit of time`);
  }
  return unit;
}

// Years beyond these have no plain ISO form.
function isWritable(milliseconds: number): boolean {
  return milliseconds >= -62_135_596_800_000 && milliseconds <= 253_402_300_799_999;
}
