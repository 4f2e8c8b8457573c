// What the doctor reads of an installation that is well, for tests of what it says of others.
import type { ServerFacts, WorkFacts } from '#domain/doctor/facts.ts';

/** A server that nothing is to be said of, with a gigabyte free. */
export const quietServer: ServerFacts = {
  unsafeSettings: [],
  withoutVacuum: [],
  migrations: { pending: [], unknown: [], changed: [] },
  sizeBytes: 1e7,
  freeBytes: 1e9,
  wraparound: 0.1,
  deadRows: [],
  oldest: null,
  slots: [],
  archiveFailing: null,
  connections: { used: 1, limit: 100, processes: 2 },
  lostSettings: [],
  readOnlyByDefault: false,
  invalidIndexes: [],
  sequences: [],
  clockSeconds: 0,
};

/** Work that nothing is to be said of. */
export const quietWork: WorkFacts = {
  samples: [{ ageDays: 10, bytes: 9e6 }],
  workers: 1,
  queue: { queued: 0, waitingSeconds: 0 },
  failed: [],
  unsequencedSeconds: 0,
  index: { records: 0, waitingSeconds: 0 },
  harvestSeconds: 0,
  webhookFeedSeconds: 0,
  webhooks: [],
  backupDays: 0.5,
};
