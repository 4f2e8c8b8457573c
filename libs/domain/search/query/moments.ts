// Moments in query text: ISO dates of any precision and date math (`NOW-7DAY`, `2020-01-01T00:00:00Z+1MONTH/DAY`).
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
 * down (`/DAY`). `now` is in milliseconds since 1970. Throws `unsupported_query` for anything else.
 */
export function parseMoment(text: string, now: number): Span {
  const found = shape.exec(text.trim());
  if (found === null) {
    throw refuse(`'${text}' is not a date`);
  }
  const [, base, year, month, day, hour, minute, second, milli, side, offsetHours, offsetMinutes, math] = found;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (side === '-' ? -60_000 : 60_000);
  const start =
    base === 'NOW'
      ? now
      : Date.UTC(
          Number(year),
          Number(month ?? 1) - 1,
          Number(day ?? 1),
          Number(hour ?? 0),
          Number(minute ?? 0),
          Number(second ?? 0),
          Number((milli ?? '0').padEnd(3, '0')),
        ) - offset;
  const width: Unit =
    base === 'NOW' || hour !== undefined ? 'MILLI' : day !== undefined ? 'DAY' : month !== undefined ? 'MONTH' : 'YEAR';
  let span: Span = { start, end: width === 'MILLI' ? start : step(start, 1, width) - 1 };
  for (const [, sign, amount, unit, rounding] of (math ?? '').matchAll(/([+-])(\d+)([A-Z]+)|\/([A-Z]+)/g)) {
    const by = Number(`${sign ?? '+'}${amount ?? 0}`);
    span =
      rounding === undefined
        ? { start: step(span.start, by, toUnit(unit ?? '')), end: step(span.end, by, toUnit(unit ?? '')) }
        : { start: floor(span.start, toUnit(rounding)), end: floor(span.end, toUnit(rounding)) };
  }
  if (!isWritable(span.start) || !isWritable(span.end)) {
    throw refuse(`'${text}' is out of range`);
  }
  return span;
}

/** A moment as ISO 8601 text in UTC with milliseconds. */
export function toIsoText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A moment moved by so many units of the calendar, in UTC. */
export function step(milliseconds: number, by: number, unit: Unit): number {
  const date = new Date(milliseconds);
  switch (unit) {
    case 'YEAR':
      return date.setUTCFullYear(date.getUTCFullYear() + by);
    case 'MONTH':
      return date.setUTCMonth(date.getUTCMonth() + by);
    default:
      return milliseconds + by * { DAY: 86_400_000, HOUR: 3_600_000, MINUTE: 60_000, SECOND: 1000, MILLI: 1 }[unit];
  }
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
