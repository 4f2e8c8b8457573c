// Removes what has had its time (libs/domain/jobs/expire.ts). Steps are idempotent and independent: one that fails leaves the rest done.
import { expire } from '#domain/jobs/expire.ts';
import { pruneBlobs } from '#store/files/blobs.ts';
import { sweepObjects } from '#store/files/objects.ts';
import type { SessionTimes } from '#store/maintenance/expire.ts';
import { pruneAudit } from '#store/access/audit.ts';
import { pruneInvitations } from '#store/access/invitations.ts';
import { pruneLogins } from '#store/access/login-limit.ts';
import { followRetiredValues } from '#store/enumerations/retired.ts';
import { sampleSize } from '#store/doctor/work.ts';
import { pruneJobs, pruneSessions } from '#store/maintenance/expire.ts';
import { pruneKeys } from '#store/access/idempotency.ts';
import { pruneHistory } from '#store/records/history/purge.ts';
import { pruneDeliveries } from '#store/webhooks/deliveries.ts';
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
  context.log(`sessions: ${await pruneSessions(database, sessionTimes)}`);
  context.log(`failed logins: ${await pruneLogins(database)}`);
  context.log(`invitations: ${await pruneInvitations(database)}`);
  context.log(`audit log: ${await pruneAudit(database, payload.auditDays)}`);
  context.log(`jobs: ${await pruneJobs(database, payload.jobDays)}`);
  context.log(`blobs: ${await pruneBlobs(database)}`);
  context.log(`idempotency keys: ${await pruneKeys(database)}`);
  context.log(
    `webhook deliveries: ${await pruneDeliveries(database, { delivered: payload.deliveryDays, dead: payload.deadDeliveryDays })}`,
  );
  const { revisions, parts } = await pruneHistory(database, payload.revisionDays);
  context.log(`revisions: ${revisions}, and ${parts} whole parts`);
  const { changed: records, back } = await followRetiredValues(database);
  context.log(
    `controlled values: ${records} records follow${back.map((value) => `, back in its list: ${value}`).join('')}`,
  );
  context.log(`shifts of siblings: ${await pruneShifts(database)}`);
  context.log(`changes: ${await pruneChanges(database)}`);
  context.log(`size of the database: ${(await sampleSize(database)) ? 'noted' : 'known'}`);
  await pruneFeed(database, payload.feedRetentionDays);
  // Last, since it asks another server, which may not answer.
  context.log(`objects of files: ${await sweepObjects(database)}`);
});
