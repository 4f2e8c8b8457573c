// What the figures of the service's own tables mean: what waits, what failed, what grows, and how old the backup is.
import type { Facts, WorkFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { bytesText, finding, someOf, timeText } from './finding.ts';
import type { Limits } from './limits.ts';

/** Findings about jobs, index, feed, harvesters, webhooks and backups. */
export function judgeWork(facts: WorkFacts, limits: Limits): readonly Finding[] {
  const { workers, queue, unsequencedSeconds, index, harvestSeconds } = facts;
  const isWaiting = queue.waitingSeconds > 0 || unsequencedSeconds > 0 || index.records > 0;
  return [
    ...(workers > 0
      ? []
      : [
          finding(
            isWaiting ? 'problem' : 'warning',
            'no_worker',
            `No worker runs${isWaiting ? ', and there is work for one' : ''}.`,
            'Start one (npm run worker; npm start has one of its own). Without, nothing is indexed, and jobs wait.',
          ),
        ]),
    ...late('queue_waits', queue.waitingSeconds, limits.queueSeconds, (time) => [
      `${queue.queued} jobs are queued, and the oldest that is due waits since ${time}.`,
      'Add a worker process, or raise MUNIMENT_WORKER_CONCURRENCY; GET /jobs says what runs. Jobs of one tree or repository run one after the other.',
    ]),
    ...late('changes_not_in_feed', unsequencedSeconds, limits.feedSeconds, (time) => [
      `The oldest change that is not in the feed is ${time} old: neither index, webhooks nor harvesters see it.`,
      'See the log of the workers for sequencer_failed; a worker must run.',
    ]),
    ...late('index_behind', index.waitingSeconds, limits.indexSeconds, (time) => [
      `Search is ${time} behind; ${index.records} records are to be indexed.`,
      'After a large import this is right and passes (muniment check shows the time left). Otherwise see the log for indexer_failed; add a worker process.',
    ]),
    ...late('harvesters_behind', harvestSeconds, limits.harvestSeconds, (time) => [
      `What harvesters see by OAI-PMH is ${time} behind.`,
      'See the log of the workers for oai_failed.',
    ]),
    ...late('webhooks_behind', facts.webhookFeedSeconds, limits.webhookSeconds, (time) => [
      `Webhooks are told of changes that are ${time} old.`,
      'Their deliveries are not even made: see the log of the workers for webhooks_failed; a worker must run.',
    ]),
    ...failedOf(facts),
    ...webhooksOf(facts, limits),
    ...backupOf(facts, limits),
  ];
}

function late(
  id: string,
  seconds: number,
  limit: number,
  words: (time: string) => readonly [string, string],
): readonly Finding[] {
  if (seconds < limit) return [];
  return [finding(seconds < limit * 12 ? 'warning' : 'problem', id, ...words(timeText(seconds)))];
}

function failedOf({ failed }: WorkFacts): readonly Finding[] {
  if (failed.length === 0) return [];
  return [
    finding(
      'warning',
      'jobs_failed',
      `Jobs failed in the last day: ${someOf(failed.map(({ type, count }) => `${count} × ${type}`))}.`,
      'muniment jobs, or GET /jobs, shows them with their logs. Imports fail for what is wrong with their files; others want a look.',
    ),
  ];
}

function webhooksOf({ webhooks }: WorkFacts, limits: Limits): readonly Finding[] {
  const why = (reason: string | null): string => (reason === null ? '' : ` (${reason})`);
  return webhooks.flatMap(({ id, waiting, waitingSeconds, dead, reason }) => [
    ...(waitingSeconds < limits.webhookSeconds
      ? []
      : [
          finding(
            'warning',
            'webhook_fails',
            `The webhook ${id} does not take its deliveries${why(reason)}: ${waiting} wait, the oldest since ${timeText(waitingSeconds)}.`,
            `See GET /webhooks/${id}/deliveries; mend the receiver, or deactivate the webhook.`,
          ),
        ]),
    ...(dead === 0
      ? []
      : [
          finding(
            'warning',
            'webhook_gave_up',
            `${dead} deliveries of the webhook ${id} were given up in the last day${why(reason)}.`,
            `Send them again once the receiver is mended: POST /webhooks/${id}/deliveries/:id/redeliver, or have it read the feed.`,
          ),
        ]),
  ]);
}

function backupOf({ backupDays }: WorkFacts, limits: Limits): readonly Finding[] {
  if (backupDays === null)
    return [
      finding(
        'notice',
        'backup_unknown',
        'No backup by npm run backup is known.',
        'If the database is backed up otherwise, all is well. Otherwise run it every night, and restore one now and then.',
      ),
    ];
  if (backupDays < limits.backupDays) return [];
  return [
    finding(
      'warning',
      'backup_old',
      `The newest backup by npm run backup is ${timeText(backupDays * 86_400)} old.`,
      'See why the nightly one did not run.',
    ),
  ];
}

type DiskFacts = { readonly server: Facts['server']; readonly work: Pick<WorkFacts, 'samples'> | null };

/** Findings about the disk of the database: what is free, and when it will be full at the growth of the last weeks. */
export function judgeDisk({ server, work }: DiskFacts, limits: Limits, reserveBytes: number): readonly Finding[] {
  const { freeBytes, sizeBytes } = server;
  if (freeBytes === null)
    return [
      finding(
        'notice',
        'disk_not_seen',
        `The disk of the database is not seen from here. The database has ${bytesText(sizeBytes)}${growthText()}.`,
        'Watch it on its own machine, or run the doctor there.',
      ),
    ];
  const room = `the disk of the database has ${bytesText(freeBytes)} left`;
  const more =
    'Make room, or move the database to a larger disk: without room first imports are refused, then all writes.';
  if (freeBytes <= reserveBytes)
    return [
      finding(
        'problem',
        'disk_low',
        `Imports are refused: ${room}, and ${bytesText(reserveBytes)} are kept (MUNIMENT_DISK_RESERVE_MB).`,
        more,
      ),
    ];
  const perDay = growth();
  const days = perDay === null || perDay <= 0 ? null : (freeBytes - reserveBytes) / perDay;
  const [alarm, warn] = limits.diskDays;
  if (days !== null && days < warn)
    return [
      finding(
        days < alarm ? 'problem' : 'warning',
        'disk_full_soon',
        `The disk will be full in ${days < 1 ? 'less than a day' : `${Math.floor(days)} days`}: ${room}${growthText()}.`,
        more,
      ),
    ];
  // A small database on a small disk needs room to grow, too: indexing it anew takes as much again as the index has.
  if (perDay === null && freeBytes < sizeBytes * limits.diskShare)
    return [
      finding(
        'warning',
        'disk_low',
        `The disk of the database has ${bytesText(freeBytes)} left, little for a database of ${bytesText(sizeBytes)}.`,
        more,
      ),
    ];
  return [];

  /** Bytes a day; null where no sample is a day old. */
  function growth(): number | null {
    const first = work?.samples.find(({ ageDays }) => ageDays >= 1);
    return first === undefined ? null : (sizeBytes - first.bytes) / first.ageDays;
  }

  function growthText(): string {
    const bytes = growth();
    return bytes === null || bytes <= 0 ? '' : `, and grows by ${bytesText(bytes)} a day`;
  }
}
