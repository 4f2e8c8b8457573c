// Figures of the service's own tables, for `muniment doctor`; and what an installation remembers of itself for it.
import { z } from 'zod';
import { errorTable } from '#domain/errors.ts';
import type { WorkFacts } from '#domain/doctor/facts.ts';
import type { Database, Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { unsequencedAge } from '../change-log/sequencer.ts';
import { readOaiLag } from '../oai/lag.ts';
import { readQueueDepth } from '../queue/depth.ts';
import { presenceClass } from '../queue/presence.ts';
import { readIndexLag } from '../search/lag.ts';
import { webhookFollower } from '../webhooks/deliveries.ts';

/** Reads the figures; all migrations must have run. */
export async function readWorkFacts(database: Database): Promise<WorkFacts> {
  const { reader } = database;
  const { workers, unsequencedSeconds, webhookFeedSeconds, backupDays } = await readState(reader);
  return {
    samples: await readSamples(reader),
    workers,
    queue: await readQueueDepth(reader),
    failed: await readFailed(reader),
    unsequencedSeconds,
    index: await readIndexLag(database),
    harvestSeconds: (await readOaiLag(reader)).waitingSeconds,
    webhookFeedSeconds,
    webhooks: await readHooks(reader),
    backupDays,
  };
}

const StateRow = z.strictObject({
  workers: column.int,
  unsequencedSeconds: column.number,
  webhookFeedSeconds: column.number,
  backupDays: column.maybeNumber,
});

/** Workers by the locks of their presence (queue/presence.ts); changes that the sequencer has not copied by its position; what the follower of webhooks has not come to. */
const readState = (reader: Reader): Promise<z.infer<typeof StateRow>> =>
  reader.one(sql.type(StateRow)`
    SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${presenceClass} AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS workers,
      (SELECT ${unsequencedAge} FROM sequencer) AS "unsequencedSeconds",
      coalesce((SELECT extract(epoch FROM clock_timestamp() - feed.at) FROM feed WHERE feed.n > coalesce((SELECT f.n FROM follower f WHERE f.name = ${webhookFollower}), 0)
        AND EXISTS (SELECT FROM webhook WHERE active) ORDER BY feed.n LIMIT 1), 0)::float8 AS "webhookFeedSeconds",
      (SELECT extract(epoch FROM now() - max(at)) / 86400 FROM backup_made)::float8 AS "backupDays"`);

const SampleRow = z.strictObject({ ageDays: column.number, bytes: column.int });

/** Of the last four weeks: growth of long ago says little about the next days. */
const readSamples = (reader: Reader): Promise<readonly z.infer<typeof SampleRow>[]> =>
  reader.any(sql.type(SampleRow)`
    SELECT (extract(epoch FROM now() - at) / 86400)::float8 AS "ageDays", bytes FROM size_sample WHERE at > now() - interval '28 days' ORDER BY at`);

const FailedRow = z.strictObject({ type: column.text, count: column.int });

/** What refuses a request, such as for a key that is taken, and is nobody's fault here. */
const refusals = Object.entries(errorTable)
  .filter(([, { status }]) => status < 500)
  .map(([code]) => code);

/** Not those that a request stood on which was refused: whoever sent it was told. */
const readFailed = (reader: Reader): Promise<readonly z.infer<typeof FailedRow>[]> =>
  reader.any(sql.type(FailedRow)`
    SELECT type, count(*) AS count FROM job WHERE time_finished > now() - interval '1 day' AND status = 'failed'
      AND (visible OR (outcome->'failure'->>'code' = ANY(${sql.array(refusals, 'text')})) IS NOT TRUE) GROUP BY type ORDER BY 2 DESC, 1`);

const HookRow = z.strictObject({
  id: column.int,
  waiting: column.int,
  waitingSeconds: column.number,
  dead: column.int,
  reason: column.maybeText,
});

/** Webhooks that something is wrong with: deliveries that were tried and wait, and those that were given up in the last day. */
const readHooks = (reader: Reader): Promise<readonly z.infer<typeof HookRow>[]> =>
  reader.any(sql.type(HookRow)`
    SELECT webhook_id AS id, count(*) FILTER (WHERE d.status = 'pending') AS waiting,
      coalesce(extract(epoch FROM now() - min(d.create_time) FILTER (WHERE d.status = 'pending')), 0)::float8 AS "waitingSeconds",
      count(*) FILTER (WHERE d.status = 'dead') AS dead, (array_agg(d.reason ORDER BY d.last_attempt DESC NULLS LAST))[1] AS reason
    FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
    WHERE d.status = 'pending' AND w.active OR d.status = 'dead' AND d.last_attempt > now() - interval '1 day' GROUP BY 1 ORDER BY 1`);

/** Notes how large the database is, four times a day at most, and forgets what was noted a year ago. Returns whether it did. */
export async function sampleSize(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM size_sample WHERE at < now() - interval '1 year'`);
    const noted = await tx.run(sql`
      INSERT INTO size_sample (bytes) SELECT pg_database_size(current_database()) WHERE NOT EXISTS (SELECT FROM size_sample WHERE at > now() - interval '6 hours')
      ON CONFLICT DO NOTHING`);
    return noted > 0;
  });
}

/** Notes a backup: the moment that it holds (ISO 8601), and the size of its file in bytes. */
export async function noteBackup(database: Database, at: string, sizeBytes: number): Promise<void> {
  await database.write(sql`
    INSERT INTO backup_made (at, size_bytes) VALUES (${at}::timestamptz, ${sizeBytes}) ON CONFLICT DO NOTHING`);
}
