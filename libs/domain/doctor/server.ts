// What the figures of the database server mean for its operator.
import type { ServerFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { bytesText, finding, someOf, timeText } from './finding.ts';
import type { Limits } from './limits.ts';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Findings about the server and the database. */
export function judgeServer(facts: ServerFacts, limits: Limits, poolSize: number): readonly Finding[] {
  return [
    ...migrationsOf(facts),
    ...durabilityOf(facts),
    ...vacuumOf(facts, limits),
    ...connectionsOf(facts, limits, poolSize),
    ...shapeOf(facts, limits),
  ];
}

function migrationsOf({ migrations: { pending, unknown, changed } }: ServerFacts): readonly Finding[] {
  return [
    ...(pending.length === 0
      ? []
      : [
          finding(
            'problem',
            'migrations_pending',
            `Migrations have not run: ${someOf(pending)}.`,
            'Back up, then start the service, or run the migration job: every start runs what is missing. Jobs, index and webhooks were not looked at.',
          ),
        ]),
    ...(unknown.length === 0
      ? []
      : [
          finding(
            'problem',
            'migrations_unknown',
            `The database has run migrations that this version does not have: ${someOf(unknown)}.`,
            'The database is newer than the code, which refuses to start on it. Put the newer version in place; the way back is a backup.',
          ),
        ]),
    ...(changed.length === 0
      ? []
      : [
          finding(
            'problem',
            'migrations_changed',
            `Migrations were changed after they ran: ${someOf(changed)}.`,
            'Restore the files of the release: a start is refused until they are as they were.',
          ),
        ]),
  ];
}

function durabilityOf(facts: ServerFacts): readonly Finding[] {
  const { unsafeSettings, slots, archiveFailing } = facts;
  return [
    ...(unsafeSettings.length === 0
      ? []
      : [
          finding(
            'problem',
            'unsafe_settings',
            `PostgreSQL runs with ${unsafeSettings.join(' and ')} off: when the machine fails, the database may be lost.`,
            'Turn on what is off, in postgresql.conf or with ALTER SYSTEM.',
          ),
        ]),
    ...slots
      .filter(({ active }) => !active)
      .map(({ name, bytes }) =>
        finding(
          'warning',
          'replication_slot_idle',
          `Nobody reads from the replication slot ${name}, for which the server keeps ${bytesText(bytes)} of its log, and more with every write.`,
          `Bring the replica back, or, if it is gone for good: SELECT pg_drop_replication_slot('${name}'). max_slot_wal_keep_size holds a limit.`,
        ),
      ),
    ...(archiveFailing === null
      ? []
      : [
          finding(
            'problem',
            'archiving_fails',
            `Archiving of the log fails since ${archiveFailing}: there is nothing to restore the time since from, and the log fills the disk.`,
            "See the server's log for what archive_command says, and mend that.",
          ),
        ]),
  ];
}

function vacuumOf(facts: ServerFacts, limits: Limits): readonly Finding[] {
  const { wraparound, deadRows, oldest, withoutVacuum } = facts;
  const [warn, alarm] = limits.wraparound;
  return [
    ...(withoutVacuum.length === 0
      ? []
      : [
          finding(
            'problem',
            'autovacuum_off',
            `Autovacuum is off for ${someOf(withoutVacuum)}.`,
            'Turn it on (ALTER TABLE … RESET (autovacuum_enabled), or autovacuum and track_counts of the server): without it tables grow and plans go wrong.',
          ),
        ]),
    ...(wraparound < warn
      ? []
      : [
          finding(
            wraparound < alarm ? 'warning' : 'problem',
            'wraparound',
            `${percent(wraparound)} of the transaction numbers are used since the oldest row that vacuum has not frozen; at 100 % PostgreSQL takes no more writes.`,
            'Find what holds vacuum up (open transactions, idle replication slots), end it, then VACUUM (FREEZE) the database at a quiet hour.',
          ),
        ]),
    ...deadRows
      .filter(
        ({ dead, live, seconds }) =>
          dead >= limits.deadRows.least && dead >= live * limits.deadRows.share && seconds >= limits.deadRows.seconds,
      )
      .map(({ name, dead, live, seconds }) =>
        finding(
          'warning',
          'vacuum_behind',
          `The table ${name} has ${dead} dead rows beside ${live} live ones, and many since ${timeText(seconds)}.`,
          `VACUUM (ANALYZE) ${name}; where it comes again, look for long transactions, and raise autovacuum_vacuum_cost_limit.`,
        ),
      ),
    ...(oldest === null || oldest.seconds < limits.transactionSeconds
      ? []
      : [
          finding(
            'warning',
            'old_transaction',
            `A transaction of ${oldest.program} is open since ${timeText(oldest.seconds)}: until it ends, vacuum removes nothing that came after it.`,
            'A backup or an import may take so long. Otherwise end it: SELECT pg_terminate_backend(pid) from pg_stat_activity.',
          ),
        ]),
  ];
}

function connectionsOf(facts: ServerFacts, limits: Limits, poolSize: number): readonly Finding[] {
  const { connections, lostSettings, readOnlyByDefault } = facts;
  const { used, limit, processes } = connections;
  // What a process opens beside its pool (docs/operations.md).
  const atMost = processes * (poolSize + 5);
  return [
    ...(used < limit * limits.connectionShare
      ? []
      : [
          finding(
            used >= limit ? 'problem' : 'warning',
            'connections_near_limit',
            `${used} of ${limit} connections are in use.`,
            'Raise max_connections (and the CONNECTION LIMIT of database and role), lower MUNIMENT_POOL_SIZE, or put a pooler between.',
          ),
        ]),
    ...(atMost <= limit
      ? []
      : [
          finding(
            'warning',
            'pool_too_large',
            `${processes} processes with a MUNIMENT_POOL_SIZE of ${poolSize} may open ${atMost} connections; the server takes ${limit}.`,
            'Lower MUNIMENT_POOL_SIZE, raise max_connections, or put a pooler between.',
          ),
        ]),
    ...(lostSettings.length === 0
      ? []
      : [
          finding(
            'problem',
            'pooler_drops_settings',
            `Connections do not get what they ask for at their start: ${lostSettings.join(', ')}. A pooler stands between and drops it.`,
            'Give the settings to the user, as docs/operations.md shows under “More than one process”.',
          ),
        ]),
    ...(readOnlyByDefault
      ? [
          finding(
            'problem',
            'read_only_by_default',
            'The user or the database has default_transaction_read_only, under which migrations and pg-boss fail.',
            'ALTER ROLE … IN DATABASE … RESET default_transaction_read_only, and the same of ALTER ROLE and ALTER DATABASE.',
          ),
        ]
      : []),
  ];
}

function shapeOf(facts: ServerFacts, limits: Limits): readonly Finding[] {
  const { invalidIndexes, sequences, clockSeconds } = facts;
  return [
    ...(invalidIndexes.length === 0
      ? []
      : [
          finding(
            'problem',
            'invalid_index',
            `Indexes are not used, and kept at every write all the same: ${someOf(invalidIndexes)}.`,
            'REINDEX INDEX CONCURRENTLY each of them; one that was never finished may be dropped.',
          ),
        ]),
    ...sequences
      .filter(({ share }) => share >= limits.sequenceShare)
      .map(({ name, share }) =>
        finding(
          'warning',
          'ids_running_out',
          `${percent(share)} of the numbers of ${name} are used; at 100 % nothing is created any more.`,
          'Ids are 32 bits wide on the wire. Tell the makers, and stop what creates and deletes records in a loop.',
        ),
      ),
    ...(Math.abs(clockSeconds) < limits.clockSeconds
      ? []
      : [
          finding(
            'warning',
            'clock_skew',
            `The clock of the database server is ${timeText(Math.abs(clockSeconds))} ${clockSeconds > 0 ? 'before' : 'behind'} that of this machine.`,
            'Run NTP on both: times of records and sessions are the server’s, those of the log the machine’s.',
          ),
        ]),
  ];
}
