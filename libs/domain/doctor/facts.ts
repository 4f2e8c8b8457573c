// What a diagnosis is made of: figures of the database server, and of the service's own tables. libs/store/doctor reads them.

/** Of the server and the database as such; there for any database. */
export type ServerFacts = {
  /** Settings by which a crash of the machine costs data, that are off. */
  readonly unsafeSettings: readonly string[];
  /** Tables, or the server as a whole, that autovacuum is turned off for. */
  readonly withoutVacuum: readonly string[];
  readonly migrations: {
    readonly pending: readonly string[];
    readonly unknown: readonly string[];
    readonly changed: readonly string[];
  };
  readonly sizeBytes: number;
  /** Of the disk of the database, where it is this machine's; null elsewhere. */
  readonly freeBytes: number | null;
  /** Share of the 2^31 transactions that have been used since the oldest row that was not frozen; the same of multixacts. */
  readonly wraparound: number;
  /** `seconds`: for how long they have been that many, by what a job notes; 0 where it has not seen them yet. */
  readonly deadRows: readonly {
    readonly name: string;
    readonly dead: number;
    readonly live: number;
    readonly seconds: number;
  }[];
  /** The oldest open transaction of this database. */
  readonly oldest: { readonly seconds: number; readonly program: string } | null;
  readonly slots: readonly { readonly name: string; readonly active: boolean; readonly bytes: number }[];
  /** Why archiving of the log does not go on; null where it does, or is off. */
  readonly archiveFailing: string | null;
  readonly connections: { readonly used: number; readonly limit: number; readonly processes: number };
  /** What connections ask for at their start and did not get. */
  readonly lostSettings: readonly string[];
  /** Whether the user or the database has default_transaction_read_only, under which migrations fail. */
  readonly readOnlyByDefault: boolean;
  readonly invalidIndexes: readonly string[];
  /** Sequences by the share of their numbers that is used. */
  readonly sequences: readonly { readonly name: string; readonly share: number }[];
  /** How far the server's clock is before this machine's. */
  readonly clockSeconds: number;
};

/** Of the service's own tables; there where all migrations have run. */
export type WorkFacts = {
  /** Sizes of the database in the past, oldest first; `ageDays` before now. */
  readonly samples: readonly { readonly ageDays: number; readonly bytes: number }[];
  readonly workers: number;
  readonly queue: { readonly queued: number; readonly waitingSeconds: number };
  /** Jobs that failed in the last day, by type. */
  readonly failed: readonly { readonly type: string; readonly count: number }[];
  /** Age of the oldest change that is not in the feed. */
  readonly unsequencedSeconds: number;
  readonly index: { readonly records: number; readonly waitingSeconds: number };
  readonly harvestSeconds: number;
  /** Age of the oldest entry of the feed that no deliveries were made of; 0 where no webhook is active. */
  readonly webhookFeedSeconds: number;
  readonly webhooks: readonly {
    readonly id: number;
    readonly waiting: number;
    readonly waitingSeconds: number;
    readonly dead: number;
    readonly reason: string | null;
  }[];
  /** Age of the newest backup by `npm run backup`; null where none is known. */
  readonly backupDays: number | null;
};

/** How a replica stands, in the words of libs/store/connection/replicas. */
export type ReplicaFacts = { readonly name: string; readonly standing: string; readonly behindSeconds: number };

/** Where files are kept; there where all migrations have run. */
export type FileFacts = {
  /** The storage that the configuration names; null: none. */
  readonly storage: string | null;
  /** Why it cannot be used; null where it can. */
  readonly fault: string | null;
  /** Complete files by place; `storage` null is the database. */
  readonly places: readonly { readonly storage: string | null; readonly files: number; readonly bytes: number }[];
  /** Objects to be removed, and for how long the first of them should be gone. */
  readonly waiting: { readonly objects: number; readonly overdueSeconds: number };
};

/** All of it. `work` is null where the tables are not those of this version. */
export type Facts = {
  readonly server: ServerFacts;
  readonly work: WorkFacts | null;
  /** Absent where the tables are not those of this version. */
  readonly files?: FileFacts;
  readonly replicas: readonly ReplicaFacts[];
};
