// What runs by the clock, as administrators see it.
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A schedule in force and the newest job that is like those it makes; null before the first. */
export type ScheduleShown = {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly last_job: { readonly id: number; readonly status: string; readonly time_submitted: string } | null;
};

const ExistsRow = z.strictObject({ exists: column.bool });

const ScheduleRow = z.strictObject({
  name: column.text,
  cron: column.text,
  timezone: column.text,
  id: column.maybeInt,
  status: column.maybeText,
  time_submitted: column.maybeTime,
});

/** All schedules by name; none where no worker has run yet. */
export async function readSchedules(reader: Reader): Promise<readonly ScheduleShown[]> {
  // pg-boss makes its schema when the first worker starts.
  const { exists } = await reader.one(sql.type(ExistsRow)`
    SELECT to_regclass('pgboss.schedule') IS NOT NULL AS exists`);
  if (!exists) return [];
  const rows = await reader.any(sql.type(ScheduleRow)`
    SELECT s.name, s.cron, s.timezone, j.id, j.status, j.time_submitted FROM pgboss.schedule s
    LEFT JOIN LATERAL (SELECT id, status, time_submitted FROM job WHERE type = s.name ORDER BY id DESC LIMIT 1) j ON true ORDER BY s.name`);
  return rows.map(({ name, cron, timezone, id, status, time_submitted }) => ({
    name,
    cron,
    timezone,
    last_job: id === null || status === null || time_submitted === null ? null : { id, status, time_submitted },
  }));
}
