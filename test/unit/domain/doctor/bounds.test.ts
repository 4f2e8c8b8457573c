// What the doctor says at the bounds of each figure: just before one, at it, and where it becomes graver, with all its words.
import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { diagnose } from '#domain/doctor/diagnose.ts';
import type { FileFacts, ServerFacts, WorkFacts } from '#domain/doctor/facts.ts';
import { bytesText, someOf, timeText } from '#domain/doctor/finding.ts';
import { judgeFiles } from '#domain/doctor/files.ts';
import { limits } from '#domain/doctor/limits.ts';
import { judgeReplicas } from '#domain/doctor/replicas.ts';
import { judgeServer } from '#domain/doctor/server.ts';
import { judgeSettings } from '#domain/doctor/settings.ts';
import { judgeDisk, judgeWork } from '#domain/doctor/work.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { quietServer, quietWork } from '#test/support/make/doctor-facts.ts';

const server: ServerFacts = { ...quietServer, sizeBytes: 1e10, freeBytes: 1e12 };
const work: WorkFacts = {
  ...quietWork,
  samples: [{ ageDays: 10, bytes: 1e10 }],
  queue: { queued: 3, waitingSeconds: 0 },
};
const files: FileFacts = { storage: null, fault: null, places: [], waiting: { objects: 0, overdueSeconds: 0 } };

const migrations = { pending: [], unknown: [], changed: [] };
const dead = (rows: number, live: number, seconds: number) => ({
  deadRows: [{ name: 'record', dead: rows, live, seconds }],
});
const used = (count: number, processes = 2) => ({ connections: { used: count, limit: 100, processes } });

const servers: { readonly [name: string]: Partial<ServerFacts> } = {
  'one migration pending': { migrations: { ...migrations, pending: ['0050'] } },
  'six migrations unknown': { migrations: { ...migrations, unknown: ['1', '2', '3', '4', '5', '6'] } },
  'five migrations changed': { migrations: { ...migrations, changed: ['1', '2', '3', '4', '5'] } },
  'settings off': { unsafeSettings: ['fsync', 'full_page_writes'] },
  slots: {
    slots: [
      { name: 'read', active: true, bytes: 5 },
      { name: 'idle', active: false, bytes: 2.5e9 },
    ],
  },
  'archiving fails': { archiveFailing: '2026-01-01' },
  'no vacuum': { withoutVacuum: ['record'] },
  'wraparound before': { wraparound: 0.4999 },
  'wraparound at': { wraparound: 0.5 },
  'wraparound grave': { wraparound: 0.8 },
  'wraparound before grave': { wraparound: 0.7999 },
  'dead rows': dead(50_000, 100_000, 900),
  'too few dead rows': dead(49_999, 10, 900),
  'too small a share': dead(50_000, 100_001, 900),
  'not long enough': dead(50_000, 10, 899),
  'a transaction before': { oldest: { seconds: 3599, program: 'psql' } },
  'a transaction at': { oldest: { seconds: 3600, program: 'psql' } },
  'connections before': used(79),
  'connections at': used(80),
  'connections almost all': used(99),
  'connections all': used(100),
  'as many as there may be': used(1, 6),
  'more than there may be': used(1, 7),
  'settings lost': { lostSettings: ['a', 'b'] },
  'read only': { readOnlyByDefault: true },
  indexes: { invalidIndexes: ['i1'] },
  sequences: {
    sequences: [
      { name: 'before', share: 0.7999 },
      { name: 'at', share: 0.8 },
    ],
  },
  'a clock almost right': { clockSeconds: -4.9 },
  'a clock before': { clockSeconds: 5 },
  'a clock behind': { clockSeconds: -120 },
};
const works: { readonly [name: string]: Partial<WorkFacts> } = {
  'no worker, and nothing to do': { workers: 0 },
  'no worker for a job': { workers: 0, queue: { queued: 1, waitingSeconds: 1 } },
  'no worker for a change': { workers: 0, unsequencedSeconds: 1 },
  'no worker for the index': { workers: 0, index: { records: 1, waitingSeconds: 0 } },
  'a queue before': { queue: { queued: 1, waitingSeconds: 299 } },
  'a queue at': { queue: { queued: 1, waitingSeconds: 300 } },
  'a queue before grave': { queue: { queued: 1, waitingSeconds: 3599 } },
  'a queue grave': { queue: { queued: 1, waitingSeconds: 3600 } },
  'the feed before': { unsequencedSeconds: 59 },
  'the feed at': { unsequencedSeconds: 60 },
  'the feed grave': { unsequencedSeconds: 720 },
  'the index before': { index: { records: 9, waitingSeconds: 299 } },
  'the index at': { index: { records: 9, waitingSeconds: 300 } },
  'harvesters before': { harvestSeconds: 899 },
  'harvesters at': { harvestSeconds: 900 },
  'webhooks before': { webhookFeedSeconds: 899 },
  'webhooks at': { webhookFeedSeconds: 900 },
  'failed jobs': {
    failed: [
      { type: 'import_job', count: 2 },
      { type: 'report_job', count: 1 },
    ],
  },
  'a webhook before': { webhooks: [{ id: 7, waiting: 1, waitingSeconds: 899, dead: 0, reason: null }] },
  'a webhook at': { webhooks: [{ id: 7, waiting: 1, waitingSeconds: 900, dead: 0, reason: 'timeout' }] },
  'a webhook given up': { webhooks: [{ id: 7, waiting: 0, waitingSeconds: 0, dead: 1, reason: null }] },
  'no backup': { backupDays: null },
  'a backup before': { backupDays: 1.99 },
  'a backup at': { backupDays: 2 },
};
const storages: { readonly [name: string]: Partial<FileFacts> } = {
  'all in the database': { places: [{ storage: null, files: 3, bytes: 10 }] },
  'elsewhere, and not named': {
    places: [
      { storage: 's3://a', files: 3, bytes: 10 },
      { storage: 's3://b', files: 1, bytes: 1 },
    ],
  },
  'named and empty': { storage: 's3://a' },
  named: {
    storage: 's3://a',
    places: [
      { storage: 's3://a', files: 3, bytes: 1500 },
      { storage: null, files: 1, bytes: 2 },
    ],
  },
  failing: { storage: 's3://a', fault: 'access denied' },
  'removal before': { waiting: { objects: 2, overdueSeconds: 86_399 } },
  'removal at': { waiting: { objects: 2, overdueSeconds: 86_400 } },
};
const disks: {
  readonly [name: string]: readonly [free: number | null, size: number, samples: WorkFacts['samples'] | null];
} = {
  unseen: [null, 1e10, [{ ageDays: 1, bytes: 9e9 }]],
  'at the reserve': [5e8, 1e8, null],
  'above the reserve': [5e8 + 1, 1e8, null],
  'a tenth of the database': [1e9, 1e10, []],
  'less than a tenth': [1e9 - 1, 1e10, []],
  'less than a tenth, and not growing': [1e9 - 1, 1e10, [{ ageDays: 1, bytes: 1e10 }]],
  'thirty days': [3.5e9, 1e10, [{ ageDays: 1, bytes: 1e10 - 1e8 }]],
  'less than thirty days': [3.5e9 - 1, 1e10, [{ ageDays: 1, bytes: 1e10 - 1e8 }]],
  'seven days': [1.2e9, 1e10, [{ ageDays: 1, bytes: 1e10 - 1e8 }]],
  'less than seven days': [1.2e9 - 1, 1e10, [{ ageDays: 1, bytes: 1e10 - 1e8 }]],
  'less than a day': [5.9e8, 1e10, [{ ageDays: 1, bytes: 1e10 - 1e8 }]],
  'a day': [6e8, 1e10, [{ ageDays: 1, bytes: 1e10 - 1e8 }]],
};

const told = <Case>(cases: { readonly [name: string]: Case }, judge: (one: Case) => unknown): object =>
  Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, judge(one)]));

it('says what is kept of the server, of work, files and the disk, at the bounds of each figure', async () => {
  const all = {
    servers: told(servers, (more) => judgeServer({ ...server, ...more }, limits, 10)),
    works: told(works, (more) => judgeWork({ ...work, ...more }, limits)),
    storages: told(storages, (more) => judgeFiles({ ...files, ...more }, limits)),
    disks: told(disks, ([freeBytes, sizeBytes, samples]) =>
      judgeDisk(
        { server: { ...server, freeBytes, sizeBytes }, work: samples === null ? null : { samples } },
        limits,
        5e8,
      ),
    ),
    replicas: judgeReplicas(
      [
        ...['fresh', 'unreachable', 'not_a_replica', 'other_cluster', 'other_timeline'].map((standing) => ({
          standing,
          behindSeconds: 9,
        })),
        ...[0, 0.9, 1, 600].map((behindSeconds) => ({ standing: 'behind', behindSeconds })),
      ].map((each, at) => ({ name: `r${at}`, ...each })),
    ),
  };
  await expectKept(keptText(all, 4), 'doctor/bounds.json');
});

it('tells the gravest first, of every part of an installation', () => {
  const found = diagnose(
    {
      server: { ...server, freeBytes: null, readOnlyByDefault: true, clockSeconds: 60 },
      work: { ...work, backupDays: null, workers: 0 },
      files: { ...files, fault: 'gone', storage: 's3://a' },
      replicas: [{ name: 'r', standing: 'behind', behindSeconds: 9 }],
    },
    limits,
    readConfig({}),
    ['MUNIMENT_ODD'],
  );
  expect(found.map(({ level, id }) => `${level} ${id}`)).toEqual([
    'problem read_only_by_default',
    'problem file_storage_fails',
    'warning clock_skew',
    'warning no_worker',
    'warning replica_left_out',
    'warning settings',
    'notice disk_not_seen',
    'notice backup_unknown',
    'notice files_by_place',
  ]);
});

it('writes times, sizes and lists in the unit that fits, up to its bound', () => {
  expect([0, 0.4, 119.4, 120, 7199, 7200, 172_799, 172_800, 259_199].map(timeText)).toEqual([
    '0 s',
    '0 s',
    '119 s',
    '2 minutes',
    '120 minutes',
    '2 hours',
    '48 hours',
    '2 days',
    '2 days',
  ]);
  expect([-1, 1, 999, 1000, 999_999, 1e6, 1e9, 1e12, 1e15].map(bytesText)).toEqual([
    '-1 bytes',
    '1 bytes',
    '999 bytes',
    '1.0 kB',
    '1000.0 kB',
    '1.0 MB',
    '1.0 GB',
    '1.0 TB',
    '1000.0 TB',
  ]);
  expect([[], ['a'], ['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'c', 'd', 'e', 'f']].map(someOf)).toEqual([
    '',
    'a',
    'a, b, c, d, e',
    'a, b, c, d, e and 1 more',
  ]);
});

const settings: { readonly [name: string]: { readonly [variable: string]: string } } = {
  'open to others, with the password of the beginning': { HOST: '0.0.0.0', MUNIMENT_ADMIN_PASSWORD: 'admin' },
  'open by its own address': { HOST: '192.0.2.1', MUNIMENT_ADMIN_PASSWORD: 'other', MUNIMENT_TRUST_PROXY: 'loopback' },
  'closed, with the password of the beginning': { HOST: '::1', MUNIMENT_ADMIN_PASSWORD: 'admin' },
  'a lifetime as long as idling': { MUNIMENT_SESSION_TTL_SECONDS: '60', MUNIMENT_SESSION_LIFETIME_SECONDS: '60' },
  'a shorter one': { MUNIMENT_SESSION_TTL_SECONDS: '60', MUNIMENT_SESSION_LIFETIME_SECONDS: '59' },
  'long ones': { MUNIMENT_SESSION_LONG_TTL_SECONDS: '60', MUNIMENT_SESSION_LONG_LIFETIME_SECONDS: '1' },
  none: { MUNIMENT_SESSION_LIFETIME_SECONDS: '0', MUNIMENT_SESSION_LONG_LIFETIME_SECONDS: '0' },
  'a body as large as all': { MUNIMENT_MAX_BODY_BYTES: '4096', MUNIMENT_MAX_BODIES_BYTES: '4096' },
  'a larger one': { MUNIMENT_MAX_BODY_BYTES: '4097', MUNIMENT_MAX_BODIES_BYTES: '4096' },
  'as many connections as there are': { MUNIMENT_WORKER_CONCURRENCY: '4', MUNIMENT_POOL_SIZE: '10' },
  more: { MUNIMENT_WORKER_CONCURRENCY: '4', MUNIMENT_POOL_SIZE: '9' },
  'harvesters from elsewhere': { MUNIMENT_OAI_URL: 'https://a.example/oai', MUNIMENT_PUBLIC_URL: 'https://a.example' },
  'no reserve': { MUNIMENT_DISK_RESERVE_MB: '0' },
  'the least': { MUNIMENT_DISK_RESERVE_MB: '1' },
  'nearly enough': { MUNIMENT_DISK_RESERVE_MB: '255' },
  enough: { MUNIMENT_DISK_RESERVE_MB: '256' },
};

it('says what is kept of settings, where they just fit each other and where they do not', async () => {
  const all = told(settings, (environment) => judgeSettings(readConfig(environment), []));
  const unknown = judgeSettings(readConfig({}), [
    'MUNIMENT_A',
    'MUNIMENT_B',
    'MUNIMENT_C',
    'MUNIMENT_D',
    'MUNIMENT_E',
    'MUNIMENT_F',
  ]);
  await expectKept(keptText({ ...all, unknown }, 3), 'doctor/settings.json');
});
