// Dates of selective harvesting: days or seconds in UTC, both ends included (OAI-PMH 2.0, 3.3).
import type { OaiFault } from './faults.ts';
import { oaiFault } from './faults.ts';

const day = /^\d{4}-\d{2}-\d{2}$/;
const second = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** The first and the last second that are asked for; null: no bound. */
export type Period = { readonly from: string | null; readonly until: string | null };

/** Reads both arguments. A day as `until` is meant to its end. */
export function parsePeriod(from: string | undefined, until: string | undefined): Period | OaiFault {
  const wrong = [from, until].find((text) => text !== undefined && !isDate(text));
  if (wrong !== undefined) return oaiFault('badArgument', `unparsable date: '${wrong.slice(0, 100)}'`);
  if (from !== undefined && until !== undefined && from.length !== until.length) return oaiFault('badArgument');
  const period = {
    from: from === undefined ? null : day.test(from) ? `${from}T00:00:00Z` : from,
    until: until === undefined ? null : day.test(until) ? `${until}T23:59:59Z` : until,
  };
  return period.from !== null && period.until !== null && period.from > period.until ? oaiFault('badArgument') : period;
}

function isDate(text: string): boolean {
  if (!day.test(text) && !second.test(text)) return false;
  const full = day.test(text) ? `${text}T00:00:00Z` : text;
  const time = new Date(full);
  // February 30 would roll over; PostgreSQL has no year 0.
  return (
    !text.startsWith('0000') && !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === full.slice(0, 19)
  );
}
