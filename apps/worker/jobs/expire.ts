// Removes what has had its time (libs/domain/jobs/expire.ts). Steps are idempotent and independent: one that fails leaves the rest done.
import { expire } from '#domain/jobs/expire.ts';
import type { Database } from '#store/connection/database.ts';
import { pruneBlobs } from '#store/files/blobs.ts';
import { sweepObjects } from '#store/files/objects.ts';
import type { SessionTimes } from '#store/maintenance/expire.ts';
import { pruneAudit } from '#store/access/audit.ts';
import { pruneInvitations } from '#store/access/invitations.ts';
import { pruneLogins } from '#store/access/login-limit.ts';
import { followRetiredValues } from '#store/enumerations/retired.ts';
import { noteDeadRows } from '#store/doctor/dead-rows.ts';
import { sampleSize } from '#store/doctor/work.ts';
import { pruneJobs, pruneSessions } from '#store/maintenance/expire.ts';
import { pruneKeys } from '#store/access/idempotency.ts';
import { pruneHistory } from '#store/records/history/purge.ts';
import { giveUpWaiting, pruneDeliveries } from '#store/webhooks/deliveries.ts';
import { pruneChanges, pruneFeed } from '#store/change-log/sequencer.ts';
import { pruneShifts } from '#store/trees/shifts.ts';
import type { JobHandler } from '../handler.ts';
import { defineHandler } from '../handler.ts';

/** Runs every step; the log tells how much each removed. */
export const handler: JobHandler = defineHandler(expire, async (payload, context) => {
  const { database } = context;
  const sessionTimes: SessionTimes = {
    seconds: payload.sessionTtlSeconds,
    longSeconds: payload.sessionLongTtlSeconds,
    lifetimeSeconds: payload.sessionLifetimeSeconds,
    longLifetimeSeconds: payload.sessionLongLifetimeSeconds,
  };
  const steps: readonly Step[] = [
    ['sessions', () => pruneSessions(database, sessionTimes)],
    ['failed logins', () => pruneLogins(database)],
    ['invitations', () => pruneInvitations(database)],
    ['audit log', () => pruneAudit(database, payload.auditDays)],
    ['jobs', () => pruneJobs(database, payload.jobDays)],
    ['blobs', () => pruneBlobs(database)],
    ['idempotency keys', () => pruneKeys(database)],
    [
      'webhook deliveries',
      () => pruneDeliveries(database, { delivered: payload.deliveryDays, dead: payload.deadDeliveryDays }),
    ],
    ['deliveries given up', () => giveUpWaiting(database)],
    ['revisions', () => pruneRevisions(database, payload.revisionDays)],
    ['controlled values', () => followValues(database)],
    ['shifts of siblings', () => pruneShifts(database)],
    ['changes', () => pruneChanges(database)],
    ['size of the database', async () => ((await sampleSize(database)) ? 'noted' : 'known')],
    ['tables with many dead rows', () => noteDeadRows(database)],
    ['feed', () => pruneFeed(database, payload.feedRetentionDays).then(() => 'done')],
    // Last, since it asks another server, which may not answer.
    ['objects of files', () => sweepObjects(database)],
  ];
  const failures: unknown[] = [];
  for (const [name, step] of steps) {
    context.signal.throwIfAborted();
    try {
      context.log(`${name}: ${await step()}`);
    } catch (error) {
      context.log(`${name}: failed`);
      failures.push(error);
    }
  }
  // The run counts as failed by the first of them; the next one is soon.
  if (failures.length > 0) throw failures[0];
});

type Step = readonly [name: string, run: () => Promise<number | string>];

async function pruneRevisions(database: Database, days: number): Promise<string> {
  const { revisions, parts } = await pruneHistory(database, days);
  return `${revisions}, and ${parts} whole parts`;
}

async function followValues(database: Database): Promise<string> {
  const { changed, back } = await followRetiredValues(database);
  return `${changed} records follow${back.map((value) => `, back in its list: ${value}`).join('')}`;
}
